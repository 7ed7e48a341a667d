/// Loads rows while foreign keys are turned off.
struct SQLiteLoading: RowLoading {
    let connection: SQLiteConnection

    var longestName: Int? { nil }
    var storesNUL: Bool { true }
    var mayHaveBrokenReferences: Bool { true }

    func suspendRules(of table: String) throws(StoreError) -> String? {
        let name = HistoryNames.trigger(table, "insert")
        guard let trigger = try connection.schema.triggers(on: table).first(where: { $0.name == name }) else {
            return nil
        }
        try connection.execute("DROP TRIGGER \(name: name)")
        return trigger.text
    }

    func withoutReferences<R>(_ body: () throws -> R) rethrows -> R {
        connection.setForeignKeys(areOn: false)
        defer { connection.setForeignKeys(areOn: true) }
        return try body()
    }
}

extension SQLiteConnection {
    package var loading: any RowLoading { SQLiteLoading(connection: self) }
}
