internal import PersistentObjects
internal import StoreEngine

/// Writes exported rows in one of the formats.
struct RecordWriter {
    private let format: TransferFormat
    /// The header of a CSV file.
    private let columns: [String]
    /// The columns with encrypted values.
    private let sealedNames: Set<String>
    /// By class.
    private let layouts: [ObjectIdentifier: RecordLayout]
    /// The layout of the last row's class.
    private var last: (map: ClassMap, layout: RecordLayout)?
    private var count = 0
    /// The line that specifies the form of encrypted values; nil if there are none.
    private let formLine: String?

    init(_ format: TransferFormat, _ sources: [ExportSource], _ values: ExportedValues) {
        self.format = format
        let hasEncrypted = sources.contains { $0.plans.values.contains(where: \.hasEncrypted) }
        formLine = hasEncrypted ? "{\"\(JSONNames.values)\":\"\(values.rawValue)\"}" : nil
        sealedNames = Set(
            sources.flatMap(\.plans.values).flatMap(\.entries).filter { entry in
                if case .sealed = entry.source { true } else { false }
            }.map(\.name))
        let columns = if case .csv = format { RecordWriter.header(sources) } else { [String]() }
        self.columns = columns
        var layouts: [ObjectIdentifier: RecordLayout] = [:]
        for plan in sources.flatMap(\.plans.values) {
            layouts[ObjectIdentifier(plan.map)] =
                if case .csv = format { RecordLayout(plan, columns) } else { RecordLayout(plan) }
        }
        self.layouts = layouts
    }

    private static func header(_ sources: [ExportSource]) -> [String] {
        var names: [String] = []
        var seen: Set<String> = []
        for source in sources {
            let plans = source.plans.values.sorted { $0.map.properties.count < $1.map.properties.count }
            let hasClass = plans.contains { plan in plan.entries.contains { $0.name == JSONNames.className } }
            if hasClass, seen.insert(JSONNames.className).inserted { names.append(JSONNames.className) }
            for plan in plans {
                for entry in plan.entriesAsDeclared where seen.insert(entry.name).inserted { names.append(entry.name) }
            }
        }
        return names
    }

    mutating func begin(_ bytes: inout [UInt8]) {
        switch format {
        case .jsonLines: bytes.append(contentsOf: (formLine.map { $0 + "\n" } ?? "").utf8)
        case .json:
            bytes.append(UInt8(ascii: "["))
            if let formLine {
                bytes.append(contentsOf: "\n\(formLine)".utf8)
                count += 1
            }
        case .csv:
            for (index, name) in columns.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                CellWriter.write(sealedNames.contains(name) ? name + " ($sealed)" : name, to: &bytes)
            }
            bytes.append(contentsOf: "\r\n".utf8)
        }
    }

    mutating func write(_ row: ExportRow, to bytes: inout [UInt8]) throws {
        let layout = layout(of: row.plan.map)
        switch format {
        case .jsonLines:
            try writeObject(row, layout, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        case .json:
            bytes.append(contentsOf: (count == 0 ? "\n" : ",\n").utf8)
            try writeObject(row, layout, to: &bytes)
        case .csv: try writeCells(row, layout, to: &bytes)
        }
        count += 1
    }

    private mutating func layout(of map: ClassMap) -> RecordLayout {
        if let last, last.map === map { return last.layout }
        // All plans of the sources have one.
        let layout = layouts[ObjectIdentifier(map)] ?? RecordLayout(fields: [])
        last = (map, layout)
        return layout
    }

    func end(_ bytes: inout [UInt8]) {
        if case .json = format { bytes.append(contentsOf: "\n]\n".utf8) }
    }

    private func writeObject(_ row: ExportRow, _ layout: RecordLayout, to bytes: inout [UInt8]) throws {
        bytes.append(UInt8(ascii: "{"))
        // By index: a copy of the field would cost more than most values.
        for index in layout.fields.indices {
            bytes.append(contentsOf: layout.fields[index].before)
            do {
                switch try row.plainValue(layout.fields[index].plainSource) {
                case .integer(let number): JSONWriter.write(integer: number, to: &bytes)
                case .real(let number): bytes.append(contentsOf: number.description.utf8)
                case .text(let text): JSONWriter.write(text: text, to: &bytes)
                case nil:
                    if let entry = layout.fields[index].entry {
                        JSONWriter.write(try row.value(entry.source), to: &bytes)
                    }
                }
            } catch { throw row.located(error, layout.fields[index].entry) }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private func writeCells(_ row: ExportRow, _ layout: RecordLayout, to bytes: inout [UInt8]) throws {
        // By index: a copy of the field would cost more than most values.
        for index in layout.fields.indices {
            bytes.append(contentsOf: layout.fields[index].before)
            do {
                switch try row.plainValue(layout.fields[index].plainSource) {
                case .integer(let number): JSONWriter.write(integer: number, to: &bytes)
                case .real(let number): bytes.append(contentsOf: number.description.utf8)
                case .text(let text): CellWriter.write(text, to: &bytes)
                case nil:
                    if let entry = layout.fields[index].entry {
                        CellWriter.write(try row.value(entry.source), to: &bytes)
                    }
                }
            } catch { throw row.located(error, layout.fields[index].entry) }
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }
}

/// The places of a class's values in a record, which are the same for all its rows.
struct RecordLayout {
    struct Field {
        /// What is written before the value: a separator and, in JSON, the name.
        let before: [UInt8]
        /// Nil if the class does not have the column.
        let entry: ExportPlan.Entry?
        let plainSource: PlainSource

        init(before: [UInt8], entry: ExportPlan.Entry?) {
            self.before = before
            self.entry = entry
            plainSource = entry.map { PlainSource($0.source) } ?? .other
        }
    }

    let fields: [Field]

    init(fields: [Field]) { self.fields = fields }

    /// The members of a JSON object.
    init(_ plan: ExportPlan) {
        fields = plan.entries.enumerated().map { index, entry in
            var before: [UInt8] = index > 0 ? [UInt8(ascii: ",")] : []
            JSONWriter.write(text: entry.name, to: &before)
            before.append(UInt8(ascii: ":"))
            return Field(before: before, entry: entry)
        }
    }

    /// The cells of a CSV row.
    init(_ plan: ExportPlan, _ columns: [String]) {
        let entries = Dictionary(plan.entries.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        fields = columns.enumerated().map { index, name in
            Field(before: index > 0 ? [UInt8(ascii: ",")] : [], entry: entries[name])
        }
    }
}

/// Writes the cells of CSV.
enum CellWriter {
    /// Writes a value: nil as an empty cell, lists and objects as their JSON.
    static func write(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: break
        case .text(let text): write(text, to: &bytes)
        default: write(String(decoding: JSONWriter.bytes(of: value), as: UTF8.self), to: &bytes)
        }
    }

    /// Writes a string. An empty string is in quotes, unlike nil.
    static func write(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { cell in
            let needsQuotes = cell.isEmpty || cell.first == 0x20 || cell.last == 0x20 || cell.contains(where: isSpecial)
            guard needsQuotes else { return bytes.append(contentsOf: cell) }
            bytes.append(UInt8(ascii: "\""))
            for byte in cell {
                if byte == UInt8(ascii: "\"") { bytes.append(byte) }
                bytes.append(byte)
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
    }
}
