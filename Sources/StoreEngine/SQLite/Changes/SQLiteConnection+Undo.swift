extension SQLiteConnection {
    package func makeRecorder() throws(StoreError) -> any ChangeRecorder { try SQLiteChangeRecorder(self) }

    package func apply(_ changes: [any RowChanges]) throws {
        let sets = changes.compactMap { $0 as? ChangeSet }
        guard sets.count == changes.count else {
            throw StoreError(.misuse, "The changes were recorded by another engine")
        }
        try ChangeApplier(self).apply(sets)
    }
}
