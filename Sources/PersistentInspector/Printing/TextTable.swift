internal import PersistentObjects
internal import StoreEngine

/// A table of text, with columns that are as wide as their widest cells.
struct TextTable {
    private var rows: [[String]]
    /// The columns that are aligned to the right.
    private let numbers: Set<Int>

    init(_ header: [String], numbers: Set<Int> = []) {
        rows = [header]
        self.numbers = numbers
    }

    mutating func add(_ row: [String]) { rows.append(row) }

    var lines: [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let gap = String(repeating: " ", count: widths[column] - cell.count)
                line += (column > 0 ? "  " : "") + (numbers.contains(column) ? gap + cell : cell + gap)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

/// The form in which rows are written.
enum RowFormat {
    case table
    case json
    case csv
}

/// Rows with the types of their columns.
struct TypedRows {
    struct Column {
        let name: String
        /// The type of the property; nil if it is not known.
        var type: String?
        var isJSON = false
    }

    let columns: [Column]
    let rows: [[DatabaseValue]]

    func lines(_ format: RowFormat) -> [String] {
        switch format {
        case .table: tableLines
        case .json: jsonLines
        case .csv: csvLines
        }
    }

    private var tableLines: [String] {
        let numbers = columns.indices.filter { column in
            !rows.isEmpty
                && rows.allSatisfy { row in
                    switch row[column] {
                    case .integer, .null: columns[column].type != "Bool"
                    case .real: columns[column].type != "Date"
                    case .text, .blob: false
                    }
                }
        }
        var table = TextTable(columns.map(\.name), numbers: Set(numbers))
        for row in rows {
            table.add(zip(row, columns).map { ValueText.cell($0, type: $1.type, isJSON: $1.isJSON) })
        }
        return table.lines
    }

    private var jsonLines: [String] {
        rows.map { row in
            JSONValue.object(
                zip(row, columns).map { value, column in
                    .init(name: column.name, value: ValueText.json(value, type: column.type, isJSON: column.isJSON))
                }
            ).line
        }
    }

    /// Nil is an empty field, and an empty string is a field in quotation marks.
    private var csvLines: [String] {
        [columns.map { TypedRows.field($0.name) }.joined(separator: ",")]
            + rows.map { row in
                zip(row, columns).map { value, column in
                    if case .null = value { return "" }
                    return TypedRows.field(ValueText.text(value, type: column.type, isJSON: column.isJSON))
                }.joined(separator: ",")
            }
    }

    static func field(_ text: String) -> String {
        let needsQuotes = text.isEmpty || text.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
        return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    }
}

extension JSONValue {
    /// The value on one line.
    var line: String { String(decoding: JSONWriter.bytes(of: self), as: UTF8.self) }
}
