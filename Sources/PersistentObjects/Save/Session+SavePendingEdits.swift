extension Session {
    /// Writes all edits that wait, as part of the transaction that is about to be committed.
    func savePendingEdits() throws {
        guard !memory.pendingEdits.isEmpty else { return }
        let objects = try objectsOfPendingEdits(SaveOptions())
        try withExtendedLifetime(objects) { try saving { try saveAll(objects) } }
    }
}
