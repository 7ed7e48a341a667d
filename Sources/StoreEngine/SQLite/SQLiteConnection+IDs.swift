extension SQLiteConnection {
    package func reserveIDs(_ count: Int, in table: String) throws(StoreError) -> Int64 {
        // The greatest id ever given out, and the greatest that there is: a file can say anything of the first. Another
        // program may have spelled the table's name with other capitals.
        let statement = try statement(
            """
            SELECT (SELECT seq FROM sqlite_sequence WHERE name = ? COLLATE NOCASE), \
            (SELECT max("id") FROM \(name: table))
            """)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(table, at: 1) } catch { throw .value(error) }
        let last = try statement.step() ? max(0, statement.integer(0), statement.integer(1)) : 0
        guard Int64.max - last > Int64(count) else {
            throw StoreError(.sqlite, "all ids up to Int64.max are used")
        }
        return last + 1
    }
}
