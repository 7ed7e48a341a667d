internal import StoreEngine

// Connections that work for the stores of several schemas, one after the other.
//
// The `search_path` of the server's session determines to which tables a statement refers. It is changed only here,
// between two stores, while no transaction is open, and the server's confirmation is awaited before any other statement
// is sent. Therefore neither a rollback nor a failed statement reverts it, and no statement can run with the path of
// another schema. `SET LOCAL` in each transaction would not be enough, because most queries run without a transaction.
extension PostgresConnection {
    func enter(_ schema: String) throws(StoreError) {
        guard schema != schemaName else { return }
        try ProcessCopy.check()
        session.interruption.suspend()
        defer { session.interruption.resume() }
        rollback()
        exchangeState(for: schema)
        let known = schemaNumber
        do throws(StoreError) {
            replica?.isForbidden = false
            // A new connection gets the settings of `schemaName`.
            if session.pipe.isAlive { try reset(session.pipe) } else { try session.reconnect() }
            guard known == nil || schemaNumber != known else { return }
            (cache, idBlocks, session.ids) = (PostgresSchemaState.noStatements, [:], .init())
            if !options.file.isReadOnly { try PostgresFunctions.install(session) }
        } catch {
            // The `search_path` is unknown, so the server's session must not be used any more.
            session.pipe.isBroken = true
            throw error
        }
    }

    /// Keeps the state of the current schema, and continues with the kept state of another one.
    private func exchangeState(for schema: String) {
        parked.append(
            PostgresSchemaState(
                name: schemaName, number: schemaNumber, statements: cache, idBlocks: idBlocks, ids: session.ids))
        let place = parked.firstIndex { $0.name == schema }
        let state = place.map { parked.remove(at: $0) } ?? PostgresSchemaState(name: schema)
        (schemaName, schemaNumber) = (state.name, state.number)
        (cache, idBlocks, session.ids) = (state.statements, state.idBlocks, state.ids)
        idBlocksBefore = []
        author = nil
        // The table for recorded rows is dropped with all temporary tables.
        recordTable.forget()
    }

    /// Deallocates the statements of the schemas that were not used for the longest time if there are too many.
    func limitParkedStatements() {
        guard !parked.isEmpty else { return }
        var count = parked.reduce(cache.count) { $0 + $1.statements.count }
        for place in parked.indices where count > PostgresSchemaState.mostStatements {
            count -= parked[place].statements.count
            parked[place].statements = PostgresSchemaState.noStatements
        }
    }
}
