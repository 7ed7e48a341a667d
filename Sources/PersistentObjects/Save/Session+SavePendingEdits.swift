extension Session {
    /// Writes all pending edits as part of the transaction that is about to be committed.
    func savePendingEdits() throws {
        guard !memory.pendingEdits.isEmpty else { return }
        let objects = try Fetch(self).objectsOfPendingEdits(SaveOptions())
        try withExtendedLifetime(objects) { try writing.saving { try Save(self).saveAll(objects) } }
    }
}
