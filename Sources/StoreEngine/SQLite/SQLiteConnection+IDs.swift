extension SQLiteConnection {
    package func reserveIDs(_ count: Int, in table: String) throws(StoreError) -> Int64 {
        // The greatest id ever assigned, and the greatest existing id, because a file can contain any value for the
        // first. Another program may have spelled the table's name with different case.
        let statement = try statement(
            """
            SELECT (SELECT seq FROM sqlite_sequence WHERE name = ? COLLATE NOCASE), \
            (SELECT max("id") FROM \(name: table))
            """)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(table, at: 1) } catch { throw .value(error) }
        return try firstID(count, statement)
    }

    package func reserveIDs(_ count: Int, inTableOfOthers table: String, id: SQL) throws(StoreError) -> Int64 {
        // The sequence table exists only if some table of the file never reuses ids.
        let hasSequence = try value("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'") != nil
        let last: SQL = hasSequence ? "(SELECT seq FROM sqlite_sequence WHERE name = ? COLLATE NOCASE)" : "0"
        let statement = try statement("SELECT \(last), (SELECT max(\(id)) FROM \(name: table))")
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { if hasSequence { try statement.bind(table, at: 1) } } catch { throw .value(error) }
        return try firstID(count, statement)
    }

    package func greatestID(in table: String) throws(StoreError) -> Int64 { try reserveIDs(1, in: table) - 1 }

    package func deferForeignKeys() throws(StoreError) { try execute("PRAGMA defer_foreign_keys = ON") }

    private func firstID(_ count: Int, _ statement: Statement) throws(StoreError) -> Int64 {
        let last = try statement.step() ? max(0, statement.integer(0), statement.integer(1)) : 0
        guard Int64.max - last > Int64(count) else {
            throw StoreError.idsUsedUp
        }
        return last + 1
    }
}
