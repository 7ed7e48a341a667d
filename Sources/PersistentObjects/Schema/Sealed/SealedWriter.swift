internal import StoreEngine

/// Encrypts values and writes them into a column.
struct SealedWriter {
    private let sealed: SealedValues
    private let sealing: PropertySealing
    private let update: Statement
    private let keys: Statement?

    /// - Parameter key: The column of the objects' keys; NULL in classes without keys.
    init(_ run: SchemaRun, _ sealing: PropertySealing, _ table: String, _ column: String, key: SQL) throws {
        guard let sealed = run.sealed else {
            throw StoreError(
                .locked, "The values are encrypted, and the store has no keyring. Open the store with the keyring",
                className: sealing.owner, property: sealing.property)
        }
        try sealed.prepareToWrite(run.connection, hashes: sealing.isSearchable)
        self.sealed = sealed
        self.sealing = sealing
        update = try run.connection.prepare("UPDATE \(name: table) SET \(name: column) = ? WHERE \"id\" = ?")
        keys =
            key.text == "NULL"
            ? nil : try run.connection.prepare("SELECT \(key) FROM \(name: table) WHERE \"id\" = ?")
    }

    func write(_ value: DatabaseValue, to id: Int64) throws {
        let key = try keys?.rows([.integer(id)]).first?[0] ?? .null
        try write(value, to: id, key: key)
    }

    /// The same if the object's key is known.
    func write(_ value: DatabaseValue, to id: Int64, key: DatabaseValue) throws {
        try update.execute([try sealed.sealed(value, sealing, key: key), .integer(id)])
    }
}
