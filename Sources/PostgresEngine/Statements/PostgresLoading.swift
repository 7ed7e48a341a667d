internal import StoreEngine

/// Loads rows into tables without foreign keys, which are added again afterwards: only a superuser can turn them off.
struct PostgresLoading: RowLoading {
    let connection: PostgresConnection

    var longestName: Int? { 63 }
    var storesNUL: Bool { false }
    var mayHaveBrokenReferences: Bool { false }

    func suspendRules(of table: String) throws(StoreError) -> String? {
        let statement = try connection.prepare(
            """
            WITH own AS (SELECT c.oid FROM pg_class AS c WHERE c.relname = ? \
            AND c.relnamespace = quote_ident(current_schema())::regnamespace), \
            rule(name, suspending, restoring) AS (\
            SELECT conname, 'DROP CONSTRAINT %I', 'ADD CONSTRAINT %I ' || replace(pg_get_constraintdef(k.oid), '%', '%%') \
            FROM pg_constraint AS k JOIN own ON own.oid = k.conrelid WHERE k.contype = 'f' \
            UNION ALL SELECT tgname, 'DISABLE TRIGGER %I', 'ENABLE TRIGGER %I' FROM pg_trigger AS t \
            JOIN own ON own.oid = t.tgrelid WHERE NOT t.tgisinternal AND right(t.tgname, length(?)) = ?) \
            SELECT string_agg(format(suspending, name), ', ' ORDER BY name), \
            string_agg(format(restoring, name), ', ' ORDER BY name) FROM rule
            """)
        defer { statement.finish() }
        statement.beginBinding()
        let ending = HistoryNames.trigger("", "insert")
        let texts: (suspending: String, restoring: String)
        do throws(ValueFault) {
            try statement.bind(table, at: 1)
            try statement.bind(ending, at: 2)
            try statement.bind(ending, at: 3)
        } catch { throw .value(error) }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        do throws(ValueFault) {
            texts = (try statement.column(0).text(), try statement.column(1).text())
        } catch { throw .value(error) }
        statement.reset()
        let alter: SQL = "ALTER TABLE \(name: table) "
        try connection.execute(SQL(RawSQL(alter.text + texts.suspending)))
        return alter.text + texts.restoring
    }

    func withoutReferences<R>(_ body: () throws -> R) rethrows -> R { try body() }

    func withSmallCache<R>(_ body: () throws -> R) throws -> R { try body() }
}
