// File: the rows of a store's file, as sync reads them, and what devices know, as the file stores it. It knows states
// and tables, and must not know what is merged.

internal import StoreEngine

extension Connection {
    /// All rows of a statement.
    func rows(_ sql: SQL, _ values: [DatabaseValue] = []) throws -> [[DatabaseValue]] {
        let statement = try statement(sql)
        defer { statement.finish() }
        try statement.bind(values)
        var rows: [[DatabaseValue]] = []
        while try statement.step() {
            do throws(ValueFault) {
                var row: [DatabaseValue] = []
                for index in 0..<statement.columnCount { row.append(try statement.column(index).value()) }
                rows.append(row)
            } catch { throw StoreError.value(error) }
        }
        return rows
    }

    /// Calls `body` for each row of a statement, which must not change what the statement reads.
    func forEachRow(of sql: SQL, _ body: ([DatabaseValue]) throws -> Void) throws {
        let statement = try statement(sql)
        defer { statement.finish() }
        try statement.bind([])
        while try statement.step() {
            var row: [DatabaseValue] = []
            let count = statement.columnCount
            row.reserveCapacity(Int(count))
            do throws(ValueFault) {
                for index in 0..<count { row.append(try statement.column(index).value()) }
            } catch { throw StoreError.value(error) }
            try body(row)
        }
    }

    /// Runs a statement that returns no rows.
    func run(_ sql: SQL, _ values: [DatabaseValue] = []) throws {
        let statement = try statement(sql)
        defer { statement.finish() }
        try statement.bind(values)
        try statement.run()
    }
}

extension Statement {
    fileprivate func bind(_ values: [DatabaseValue]) throws {
        beginBinding()
        do throws(ValueFault) {
            for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        } catch { throw StoreError.value(error) }
    }
}

extension UInt128 {
    /// The 16 bytes, the highest first.
    var blob: DatabaseValue { .blob(bytes) }

    var bytes: [UInt8] {
        let (high, low) = halves
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        for half in [high, low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: half >> shift))
            }
        }
        return bytes
    }

    /// Nil unless there are 16 bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let high = bytes[..<8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        self.init(high, bytes[8...].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    init?(_ value: DatabaseValue) {
        guard case .blob(let bytes) = value else { return nil }
        self.init(bytes)
    }
}

extension DatabaseValue {
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension KeyValue {
    /// Nil for a value that is no key.
    init?(_ value: DatabaseValue) {
        switch value {
        case .text(let text): self = .text(Text(text))
        case .blob(let bytes):
            guard let number = UInt128(bytes) else { return nil }
            self = .uuid(number)
        default: return nil
        }
    }

    var stored: DatabaseValue {
        switch self {
        case .number(let high, let low): UInt128(high, low).blob
        case .text(let text): .text(text.string)
        }
    }
}
