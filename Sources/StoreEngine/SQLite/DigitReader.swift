internal import CSQLite

/// SQLite's interpretation of a number's digits: it rounds one in thousands of fractions incorrectly.
enum DigitReader {
    static func read(_ digits: String) -> Double? {
        guard let statement = ScratchStatement("SELECT " + digits), statement.step() else { return nil }
        return sqlite3_column_double(statement.handle, 0)
    }
}
