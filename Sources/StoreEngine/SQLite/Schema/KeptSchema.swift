internal import CSQLite

/// The schema that a connection has read in advance, for classes that are used one after another.
///
/// It is kept only as of a committed version, because the same version number can return after a rollback with other
/// contents.
struct KeptSchema {
    private var contents: SchemaEntries?
    /// The schema version of the contents.
    private var version: Int64 = 0
    /// The number of tables that were queried so far.
    private var queried = 0

    /// The maximum number of tables that are queried individually: reading everything costs more than that.
    private static let few = 4

    /// A reader of the contents if many tables are queried; otherwise a reader of the file.
    mutating func reader(for count: Int, _ connection: SQLiteConnection) -> any SchemaReader {
        let plain = SQLiteSchemaReader(connection)
        queried += count
        guard queried > KeptSchema.few else { return plain }
        // Columns that cannot be read all at once, perhaps because of a foreign table's name, are read table by table.
        do throws(StoreError) {
            if let current = try current(connection) { return SQLiteSchemaSnapshot(connection, current) }
            // Nothing that an open transaction changes is kept, so each of its classes would read everything again.
            return count > KeptSchema.few ? plain.readAhead() : plain
        } catch {
            return plain
        }
    }

    /// The contents, updated to the current version; nil if a transaction is open that may have changed the schema.
    private mutating func current(_ connection: SQLiteConnection) throws(StoreError) -> SchemaEntries? {
        let schema = SQLiteSchemaReader(connection)
        let found = try schema.version()
        if let contents, version == found { return contents }
        guard sqlite3_txn_state(connection.handle, "main") != SQLITE_TXN_WRITE else { return nil }
        var made = contents
        contents = nil
        if try made?.add(versions: found - version, connection) != true { made = try SchemaEntries(connection) }
        // Another process may have changed the schema between the statements.
        guard let made, try schema.version() == found else { return nil }
        contents = made
        version = found
        return made
    }
}
