internal import PersistentObjects

/// Writes exported rows in one of the formats.
struct RecordWriter {
    private let format: TransferFormat
    /// The header of a CSV file, which determines the column of each value; empty for other formats.
    private let columns: [String]
    private var count = 0

    init(_ format: TransferFormat, _ sources: [ExportSource]) {
        self.format = format
        guard case .csv = format else {
            columns = []
            return
        }
        var names: [String] = []
        for source in sources {
            let plans = source.plans.values.sorted { $0.map.properties.count < $1.map.properties.count }
            let hasClass = plans.contains { plan in plan.entries.contains { $0.name == JSONNames.className } }
            if hasClass { names.append(JSONNames.className) }
            for plan in plans {
                for entry in plan.entriesAsDeclared where !names.contains(entry.name) { names.append(entry.name) }
            }
        }
        columns = names
    }

    func begin(_ bytes: inout [UInt8]) {
        switch format {
        case .jsonLines: break
        case .json: bytes.append(UInt8(ascii: "["))
        case .csv: writeCells(columns.map { .text($0) }, to: &bytes)
        }
    }

    mutating func write(_ plan: ExportPlan, _ values: [JSONValue], to bytes: inout [UInt8]) {
        switch format {
        case .jsonLines:
            writeObject(plan, values, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        case .json:
            bytes.append(contentsOf: (count == 0 ? "\n" : ",\n").utf8)
            writeObject(plan, values, to: &bytes)
        case .csv:
            var cells = [JSONValue](repeating: .null, count: columns.count)
            for (entry, value) in zip(plan.entries, values) {
                if let place = columns.firstIndex(of: entry.name) { cells[place] = value }
            }
            writeCells(cells, to: &bytes)
        }
        count += 1
    }

    func end(_ bytes: inout [UInt8]) {
        if case .json = format { bytes.append(contentsOf: "\n]\n".utf8) }
    }

    private func writeObject(_ plan: ExportPlan, _ values: [JSONValue], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, entry) in plan.entries.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.write(text: entry.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            JSONWriter.write(values[index], to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private func writeCells(_ cells: [JSONValue], to bytes: inout [UInt8]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            switch cell {
            case .null: break
            case .text(let text): write(cell: Array(text.utf8), to: &bytes)
            default: write(cell: JSONWriter.bytes(of: cell), to: &bytes)
            }
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    /// Quotes an empty string, because an empty cell without quotes is nil.
    private func write(cell: [UInt8], to bytes: inout [UInt8]) {
        let needsQuotes =
            cell.isEmpty || cell.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
            || cell.first == 0x20 || cell.last == 0x20
        guard needsQuotes else { return bytes.append(contentsOf: cell) }
        bytes.append(UInt8(ascii: "\""))
        for byte in cell {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
