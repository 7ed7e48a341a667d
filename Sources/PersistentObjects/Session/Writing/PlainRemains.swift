internal import StoreEngine

/// The plain text that a change of tables leaves in free pages and in the log, after it has encrypted values.
struct PlainRemains {
    private let session: Session

    init(_ session: Session) { self.session = session }

    /// Removes it after the session's transaction, or immediately if there is none. A server maintains its own files.
    func removeAfterTransaction() throws {
        guard session.connection.capabilities.contains(.upkeep) else { return }
        guard session.level != nil else { return try remove() }
        session.news.afterCommit(isSaving: false) { [weak session] in
            guard let session else { return }
            // The transaction was committed, so the error has no caller.
            do { try PlainRemains(session).remove() } catch { PlainRemains.report("\(error)", session.store) }
        }
    }

    /// Releases free pages and empties the log. If other sessions read or write all the time, this is reported.
    private func remove() throws {
        let (store, connection) = (session.store, session.connection)
        guard !connection.isInTransaction, connection.busyStatementCount == 0 else {
            return PlainRemains.report("the session is reading rows", store)
        }
        do {
            let upkeep = try connection.upkeep()
            try session.writing.takeTurn(for: session)
            defer { session.writing.leaveTurn(of: session) }
            try connection.unlimited { try upkeep.vacuum(store.configuration.autoVacuum) }
            guard try upkeep.checkpoint(isWaiting: true).isComplete else {
                return PlainRemains.report("other sessions are reading", store)
            }
            store.configuration.onNote(
                "Free pages were released and the log was emptied, because they contained values that are encrypted "
                    + "now")
        } catch let error as StoreError where [.busy, .diskFull, .misuse].contains(error.code) {
            PlainRemains.report(error.message, store)
        }
    }

    static func report(_ reason: String, _ store: Store) {
        store.configuration.onNote(
            "The values are encrypted, but free pages or the log may still contain them in plain text: \(reason). Call "
                + "vacuum() and checkpoint() later")
    }
}
