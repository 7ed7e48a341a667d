/// A row in the server's JSON, with the characters that the server wrote.
///
/// The characters are kept, because they restore each value exactly: `-0`, `"NaN"`, all digits of a decimal. The server
/// writes the same characters for the same value, so two values are compared by their characters.
struct RecordedRow: Sendable, Equatable {
    /// A column: its name in quotes, and its value.
    struct Column: Equatable {
        let name: ArraySlice<UInt8>
        let value: ArraySlice<UInt8>
    }

    /// One JSON object.
    let json: [UInt8]

    init(_ json: [UInt8]) { self.json = json }

    init(_ columns: some Sequence<Column>) {
        var json = [UInt8(ascii: "{")]
        for column in columns {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json += column.name
            json.append(UInt8(ascii: ":"))
            json += column.value
        }
        json.append(UInt8(ascii: "}"))
        self.json = json
    }

    /// Whether it has a column, whose name is in quotes.
    func hasColumn(_ name: [UInt8]) -> Bool {
        var place = 1
        while place < json.count, json[place] == RecordedRow.quote {
            let end = endOfText(from: place)
            if json[place..<end].elementsEqual(name) { return true }
            place = endOfValue(from: end + 1) + 1
        }
        return false
    }

    /// The columns that differ between two versions of a row, each list after the columns of the key; nil if the versions
    /// have different keys or columns, and empty lists if they are the same.
    static func differences(_ old: RecordedRow, _ new: RecordedRow, keys: [[UInt8]]) -> (old: [Column], new: [Column])?
    {
        var (key, before, after): ([Column], [Column], [Column]) = ([], [], [])
        var (place, other) = (1, 1)
        while place < old.json.count, other < new.json.count, old.json[place] == quote {
            let (column, counterpart) = (old.column(at: place), new.column(at: other))
            guard column.name == counterpart.name else { return nil }
            let isEqual = column.value == counterpart.value
            if keys.contains(where: { column.name.elementsEqual($0) }) {
                guard isEqual else { return nil }
                key.append(column)
            } else if !isEqual {
                before.append(column)
                after.append(counterpart)
            }
            (place, other) = (column.value.endIndex + 1, counterpart.value.endIndex + 1)
        }
        guard place >= old.json.count, other >= new.json.count else { return nil }
        return before.isEmpty ? ([], []) : (key + before, key + after)
    }

    /// The columns in the order of the table.
    var columns: [Column] {
        var columns: [Column] = []
        var place = 1
        while place < json.count, json[place] == RecordedRow.quote {
            let column = column(at: place)
            columns.append(column)
            place = column.value.endIndex + 1
        }
        return columns
    }

    private func column(at place: Int) -> Column {
        let end = endOfText(from: place)
        return Column(name: json[place..<end], value: json[end + 1..<endOfValue(from: end + 1)])
    }

    /// The values of some columns, as one key; nil if a column is missing.
    func key(_ names: [[UInt8]]) -> [UInt8]? { RecordedRow.key(columns, names) }

    static func key(_ columns: [Column], _ names: [[UInt8]]) -> [UInt8]? {
        var key: [UInt8] = []
        for name in names {
            guard let column = columns.first(where: { $0.name.elementsEqual(name) }) else { return nil }
            if !key.isEmpty { key.append(UInt8(ascii: ",")) }
            key += column.value
        }
        return key
    }

    /// A list of rows as one JSON array.
    static func list(_ rows: some Sequence<[UInt8]>) -> String {
        var json = [UInt8(ascii: "[")]
        for row in rows {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json += row
        }
        json.append(UInt8(ascii: "]"))
        return String(decoding: json, as: UTF8.self)
    }

    private static let quote = UInt8(ascii: "\"")

    /// The place after the string that begins at a place.
    private func endOfText(from start: Int) -> Int {
        var place = start + 1
        while place < json.count, json[place] != RecordedRow.quote {
            place += json[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + 1, json.count)
    }

    /// The place after the value that begins at a place: a comma, or the end of the object.
    private func endOfValue(from start: Int) -> Int {
        var place = start
        var depth = 0
        while place < json.count {
            switch json[place] {
            case RecordedRow.quote:
                place = endOfText(from: place)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return place }
                depth -= 1
            case UInt8(ascii: ","): if depth == 0 { return place }
            default: break
            }
            place += 1
        }
        return place
    }
}

extension [RecordedRow.Column] {
    /// The value of a column; nil if it is missing.
    subscript(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? { first { $0.name == name }?.value }

    /// These columns, followed by the columns of another list that are missing here.
    func completed(by others: [RecordedRow.Column]) -> [RecordedRow.Column] {
        self + others.filter { self[$0.name] == nil }
    }
}
