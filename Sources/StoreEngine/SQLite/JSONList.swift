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
        var json: [UInt8] = [UInt8(ascii: "[")]
        json.reserveCapacity(values.count * 12 + 2)
        var fractions: [(number: Double, place: Int)] = []
        for (place, value) in values.enumerated() {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            switch value {
            case .null: json.append(contentsOf: "null".utf8)
            case .integer(let number): JSONWriter.write(integer: number, to: &json)
            case .real(let number):
                guard !number.isNaN else { throw .notStorable(reason: "NaN cannot be compared") }
                // SQLite reads integral numbers up to 2^53 exactly, and rounds one in thousands of other numbers
                // incorrectly.
                if number.magnitude > 0x1p53 || number != number.rounded() { fractions.append((number, place)) }
                json.append(contentsOf: JSONList.digits(number).utf8)
            case .text(let text):
                guard !text.utf8.contains(0) else {
                    throw .notStorable(reason: "a string that contains a NUL cannot be an element of a list")
                }
                JSONWriter.write(text: text, to: &json)
            case .blob:
                throw .notStorable(
                    reason: "bytes cannot be elements of a list, which is JSON (UUIDs and Data are bytes). Use "
                        + "one ? for each value")
            }
        }
        json.append(UInt8(ascii: "]"))
        text = String(decoding: json, as: UTF8.self)
        try JSONList.check(fractions, in: text)
    }

    private static func digits(_ number: Double) -> String {
        number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : number.description
    }

    /// Reads the list as a statement will, and checks that the numbers are equal.
    private static func check(_ fractions: [(number: Double, place: Int)], in text: String) throws(ValueFault) {
        guard !fractions.isEmpty else { return }
        guard let statement = ScratchStatement("SELECT value FROM json_each(?)") else {
            throw .engine(code: SQLITE_NOMEM)
        }
        let code = text.withCString { po_sqlite3_bind_text_copied(statement.handle, 1, $0, UInt64(text.utf8.count)) }
        guard code == SQLITE_OK else { throw .engine(code: code) }
        var place = -1
        for (number, wanted) in fractions {
            while place < wanted {
                guard statement.step() else { throw .engine(code: SQLITE_ERROR) }
                place += 1
            }
            guard sqlite3_column_double(statement.handle, 0) == number else {
                throw .notStorable(
                    reason: "element \(wanted + 1) of the list is a number that SQLite reads from JSON as a "
                        + "neighboring number. Use one ? for each value")
            }
        }
    }
}
