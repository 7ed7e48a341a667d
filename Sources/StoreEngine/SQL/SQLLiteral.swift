internal import CSQLite

/// A value written out as an SQL literal.
package struct SQLLiteral: Sendable, Equatable {
    package let text: String

    /// Nil where SQLite has no literal that gives exactly this value: texts with a NUL in them, NaN, and the odd number
    /// with a fraction whose digits SQLite reads as its neighbour.
    package init?(_ value: DatabaseValue) {
        switch value {
        case .null: text = "NULL"
        case .integer(let number): text = String(number)
        case .real(let number):
            guard let digits = SQLLiteral.digits(number) else { return nil }
            text = digits
        case .text(let string):
            if string.utf8.contains(0) { return nil }
            text = string.enclosed(in: "'")
        case .blob(let bytes):
            let digits = Array("0123456789abcdef".utf8)
            var hex: [UInt8] = []
            hex.reserveCapacity(bytes.count * 2)
            for byte in bytes {
                hex.append(digits[Int(byte >> 4)])
                hex.append(digits[Int(byte & 15)])
            }
            text = "x'" + String(decoding: hex, as: UTF8.self) + "'"
        }
    }

    private static func digits(_ number: Double) -> String? {
        if number.isNaN { return nil }
        if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
        let text = number.description
        // Whole numbers up to 2^53 are read without rounding; of others, SQLite rounds one in thousands wrongly.
        if number.magnitude <= 0x1p53, number == number.rounded() { return text }
        return valueRead(from: text)?.bitPattern == number.bitPattern ? text : nil
    }

    /// What SQLite makes of the digits.
    private static func valueRead(from digits: String) -> Double? {
        var connection: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(connection)
        }
        guard sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, "SELECT " + digits, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return sqlite3_column_double(statement, 0)
    }
}
