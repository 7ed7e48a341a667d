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

    func withSmallCache<R>(_ body: () throws -> R) throws -> R {
        // Kibibytes, as negative numbers, as the connection set them when it was opened.
        let small = -4096
        let size = try connection.integer("PRAGMA cache_size")
        guard size < small else { return try body() }
        try connection.execute("PRAGMA cache_size = \(number: small)")
        // If that fails, the connection keeps the small cache.
        defer { try? connection.execute("PRAGMA cache_size = \(number: Int(size))") }
        return try body()
    }
}

extension SQLiteConnection {
    package var loading: any RowLoading { SQLiteLoading(connection: self) }
}
