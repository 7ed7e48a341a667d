internal import CSQLite

extension ConstraintFailure {
    /// Nil if a result code is another failure. SQLite reports table and columns only in its message:
    /// `UNIQUE constraint failed: person.first_name, person.last_name`.
    init?(_ code: Int32, _ message: String) {
        guard code & 0xff == SQLITE_CONSTRAINT else { return nil }
        let (table, columns) = ConstraintFailure.place(in: message)
        switch code {
        case ExtendedCode.constraintNotNull: self.init(kind: .notNull, table: table, columns: columns)
        case ExtendedCode.constraintForeignKey: self.init(kind: .foreignKey)
        case ExtendedCode.constraintCheck:
            let parts = message.split(separator: " constraint failed: ", maxSplits: 1)
            self.init(kind: .check, check: parts.count == 2 ? String(parts[1]) : nil)
        case ExtendedCode.constraintTrigger:
            self.init(kind: message.hasSuffix(DeleteTriggerText.denial) ? .deniedDeletion : .trigger)
        case let code where ExtendedCode.uniqueness.contains(code):
            self.init(kind: .unique, table: table, columns: columns)
        default: self.init(kind: .other)
        }
    }

    private static func place(in message: String) -> (table: String?, columns: [String]) {
        let parts = message.split(separator: " constraint failed: ", maxSplits: 1)
        guard parts.count == 2, let dot = parts[1].firstIndex(of: ".") else { return (nil, []) }
        if parts[1].hasPrefix("index '") {
            return place(ofIndex: parts[1].dropFirst("index '".count).split(separator: "'", maxSplits: 1)[0])
        }
        let table = String(parts[1][..<dot])
        // Each column is prefixed with the table's name, which has no dot in the library's tables; a column can contain
        // a comma.
        let columns = parts[1][parts[1].index(after: dot)...].split(
            separator: ", \(table).", omittingEmptySubsequences: false)
        return (table, columns.map(String.init))
    }
}
