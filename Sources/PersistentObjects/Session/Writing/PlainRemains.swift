internal import StoreEngine

/// The plain text that a change of tables leaves in free pages and in the log, after it has encrypted values.
///
/// The transaction of the change records it in the file. If the process ends before the text is removed, the next
/// process that uses a class with encrypted properties removes it.
struct PlainRemains {
    private let session: Session

    init(_ session: Session) { self.session = session }

    /// Whether the file contains plain text that another process, or an earlier call, did not remove.
    ///
    /// - Parameter maps: The classes that are used.
    func areLeft(by maps: [ClassMap]) throws -> Bool {
        let connection = session.connection
        guard maps.contains(where: { !$0.sealedOrdinals.isEmpty }), connection.capabilities.contains(.upkeep),
            connection.writeRefusal == nil
        else { return false }
        return try connection.has(feature: SealNames.remains)
    }

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
            // An earlier call in the same transaction has removed it.
            guard try connection.has(feature: SealNames.remains) else { return }
            let upkeep = try connection.upkeep()
            try session.writing.takeTurn(for: session)
            defer { session.writing.leaveTurn(of: session) }
            try connection.unlimited { try upkeep.vacuum(store.configuration.autoVacuum) }
            guard try upkeep.checkpoint(isWaiting: true).isComplete else {
                return PlainRemains.report("other sessions are reading", store)
            }
            try connection.unlimited { try connection.drop(feature: SealNames.remains) }
            store.configuration.onNote(
                "Free pages were released and the log was emptied, because they contained values that are encrypted "
                    + "now")
        } catch let error as StoreError where [.busy, .diskFull, .misuse].contains(error.code) {
            PlainRemains.report(error.message, store)
        }
    }

    /// Records that it was removed.
    func forget() throws {
        try session.writing.takeTurn(for: session)
        defer { session.writing.leaveTurn(of: session) }
        try session.connection.drop(feature: SealNames.remains)
    }

    static func report(_ reason: String, _ store: Store) {
        store.configuration.onNote(
            "The values are encrypted, but free pages or the log may still contain them in plain text: \(reason). Call "
                + "vacuum() and checkpoint() later")
    }
}
