internal import StoreEngine

// Undo: the recorder of the connection, and the rows that it writes back.
extension PostgresConnection {
    func makeRecorder() throws(StoreError) -> any ChangeRecorder { try PostgresRecorder(self) }

    /// Runs `body`; `apply(_:)` turns the delete rules off.
    func withoutRules<R>(_ body: () throws -> R) throws -> R { try body() }

    func apply(_ changes: [any RowChanges]) throws {
        let sets = changes.compactMap { $0 as? RecordedStatements }
        guard sets.count == changes.count else {
            throw StoreError(.misuse, "The changes were recorded by another engine")
        }
        var applier = try PostgresApplier(self)
        try applier.apply(sets)
    }

    /// The rows of a query whose only column is JSON, and whose argument is a list of rows as one JSON array.
    func recordedRows(_ statement: Statement, _ list: String) throws -> [RecordedRow] {
        defer { statement.finish() }
        statement.beginBinding()
        var found: [RecordedRow] = []
        do throws(ValueFault) { try statement.bind(list, at: 1) } catch { throw StoreError.value(error) }
        while try statement.step() {
            do throws(ValueFault) {
                if case .text(let json) = try statement.column(0).value() {
                    found.append(RecordedRow(Array(json.utf8)))
                }
            } catch { throw StoreError.value(error) }
        }
        return found
    }
}
