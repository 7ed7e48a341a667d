internal import StoreEngine

// Undo: the recorder of the connection, and the rows that it writes back.
extension PostgresConnection {
    /// The statements that create or empty the table for recorded rows, if that is necessary.
    var recordTable: [String] {
        let isEmptied = deletedByteCount > PostgresRecorder.mostDeleted
        let creation = recordingConnection == session.connectionCount ? [] : PostgresRecorder.table
        return creation + (isEmptied ? [PostgresRecorder.emptying] : [])
    }

    func makeRecorder() throws(StoreError) -> any ChangeRecorder { try PostgresRecorder(self) }

    /// Runs `body`; `apply(_:)` turns the delete rules off.
    func withoutRules<R>(_ body: () throws -> R) throws -> R { try body() }

    func apply(_ changes: [any RecordedChanges]) throws {
        let sets = changes.compactMap { $0 as? RecordedStatements }
        guard sets.count == changes.count else {
            throw StoreError(.misuse, "The changes were recorded by another engine")
        }
        var applier = try PostgresApplier(self)
        try applier.apply(sets)
    }
}
