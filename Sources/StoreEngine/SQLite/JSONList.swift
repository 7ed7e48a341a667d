internal import CSQLite

/// Values as a JSON array for `json_each(?)`: any number of values in one argument.
///
/// `json_each` returns exactly the original values, or creating the list throws.
package struct JSONList: Sendable {
    /// The array.
    package let text: String

    /// Creates the array.
    ///
    /// Bytes have no form in JSON, and SQLite reads a JSON text up to a NUL: both are rejected.
    package init(_ values: [DatabaseValue]) throws(ValueFault) {
        var writer = JSONListWriter()
        writer.bytes.reserveCapacity(values.count * 12 + 2)
        var fractions: [(number: Double, place: Int)] = []
        for (place, value) in values.enumerated() {
            writer.separate()
            switch value {
            case .null: writer.append("null")
            case .integer(let number): writer.append(String(number))
            case .real(let number):
                guard !number.isNaN else { throw .notStorable(reason: "NaN cannot be compared") }
                // SQLite reads integral numbers up to 2^53 exactly, and rounds one in thousands of other numbers
                // incorrectly.
                if number.magnitude > 0x1p53 || number != number.rounded() { fractions.append((number, place)) }
                writer.append(JSONList.digits(number))
            case .text(let text):
                guard !text.utf8.contains(0) else {
                    throw .notStorable(reason: "a string that contains a NUL cannot be an element of a list")
                }
                writer.append(string: text)
            case .blob:
                throw .notStorable(
                    reason: "bytes cannot be elements of a list, which is JSON (UUIDs and Data are bytes). Use "
                        + "one ? for each value")
            }
        }
        writer.finish()
        text = String(decoding: writer.bytes, as: UTF8.self)
        try JSONList.check(fractions, in: text)
    }

    private static func digits(_ number: Double) -> String {
        number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : number.description
    }

    /// Reads the list as a statement will, and checks that the numbers are equal.
    private static func check(_ fractions: [(number: Double, place: Int)], in text: String) throws(ValueFault) {
        guard !fractions.isEmpty else { return }
        var connection: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(connection)
        }
        guard sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, "SELECT value FROM json_each(?)", -1, &statement, nil) == SQLITE_OK,
            let statement
        else { throw .engine(code: SQLITE_NOMEM) }
        let code = text.withCString { po_sqlite3_bind_text_copied(statement, 1, $0, UInt64(text.utf8.count)) }
        guard code == SQLITE_OK else { throw .engine(code: code) }
        var place = -1
        for (number, wanted) in fractions {
            while place < wanted {
                guard sqlite3_step(statement) == SQLITE_ROW else { throw .engine(code: SQLITE_ERROR) }
                place += 1
            }
            guard sqlite3_column_double(statement, 0) == number else {
                throw .notStorable(
                    reason: "element \(wanted + 1) of the list is a number that SQLite reads from JSON as a "
                        + "neighboring number. Use one ? for each value")
            }
        }
    }
}

/// JSON under construction, in bytes.
private struct JSONListWriter {
    var bytes: [UInt8] = [UInt8(ascii: "[")]

    mutating func separate() { if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) } }
    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
    mutating func finish() { bytes.append(UInt8(ascii: "]")) }

    mutating func append(string text: String) {
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        bytes.append(quote)
        for byte in text.utf8 {
            if byte == quote || byte == backslash {
                bytes.append(backslash)
                bytes.append(byte)
            } else if byte < 0x20 {
                let digits = String(byte, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            } else {
                bytes.append(byte)
            }
        }
        bytes.append(quote)
    }
}
