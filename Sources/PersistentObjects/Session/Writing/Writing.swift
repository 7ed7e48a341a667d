// Writing: the writing transactions of a session: its turn to write, the user's transaction, the permission to save,
// the reports of a commit, and the records for undo. It knows the other parts, and must not know what is saved.

internal import StoreEngine
internal import Synchronization

/// A session's current write, and the records that it keeps of its writes.
///
/// Invariants:
/// - `level` is the user's innermost transaction; inverses and news have the same level.
/// - While `isSaving`, user code must not save or delete. While `isWriting`, a write of the library is in progress, and
///   no other write may begin.
/// - The session has the turn to write from before its transaction begins until the transaction has ended.
/// - `undoHistory` records each transaction completely, or not at all.
final class Writing {
    /// The user's innermost transaction in progress.
    var level: TransactionLevel? {
        didSet {
            memory.inverses.level = level
            news.level = level
        }
    }
    /// Whether a write of the library is in progress.
    var isWriting = false
    private let saveState = Atomic<Bool>(false)
    /// The step of `migrate` that is in progress.
    var migration: (name: String, progress: ((SchemaProgress) throws -> Void)?)?
    /// The changes of the last save.
    var lastSave: SavedChanges?
    /// Objects that were removed from their owning collections and whose hook the current save called before their
    /// deletion.
    var notifiedOrphans = NotifiedObjects()
    /// The author of the history entries.
    let historySigning: HistorySigning
    /// The commits that can be undone; nil while nothing is recorded.
    var undoHistory: UndoHistory? { didSet { memory.classes.recordDepartures(in: undoHistory?.departed) } }
    /// The reason that the commits could not be recorded; nil if nothing was refused.
    var undoRefusal: StoreError?
    /// The observers of the undo state; nil if no property of the undo state was read.
    var undoObservers: UndoObservers?
    /// The undo limit that the user set, also while nothing is recorded.
    var chosenUndoLimit = UndoLimit()
    // Copied from the gate: each access through it would retain and release it, which a save does often.
    private let store: Store
    private let connection: any Connection
    private let gate: Gate
    private let memory: Memory
    private let news: News
    private let readTransaction: ReadTransaction

    init(_ gate: Gate, _ memory: Memory, _ news: News, _ readTransaction: ReadTransaction) {
        store = gate.store
        connection = gate.connection
        self.gate = gate
        self.memory = memory
        self.news = news
        self.readTransaction = readTransaction
        historySigning = HistorySigning(gate, memory.classes, memory)
    }

    /// Releases the undo history and the last save when the session ends.
    func end() {
        undoHistory = nil
        undoObservers = nil
        lastSave = nil
    }
}

// Permission to save. While a session saves or deletes, user code that it calls must not save or delete.
extension Writing {
    /// Calls `body`, in which user code must not save or delete; the session is entered.
    @inline(__always)
    func saving<R>(_ body: () throws -> R) throws -> R {
        guard !saveState.load(ordering: .relaxed) else { throw Writing.refusal }
        saveState.store(true, ordering: .relaxed)
        defer { saveState.store(false, ordering: .relaxed) }
        level?.confirmSave()
        do { return try body() } catch {
            // The closures wait for a commit that does not happen.
            news.dropClosures()
            level?.refuseSave()
            throw error
        }
    }

    /// The same, if the caller may already be in a save.
    func asSaving<R>(_ body: () throws -> R) throws -> R {
        saveState.load(ordering: .relaxed) ? try body() : try saving(body)
    }

    /// Calls `body`, in which user code may save, even during a save that has not begun to write.
    func beforeSaving<R>(_ body: () throws -> R) rethrows -> R {
        let wasSaving = saveState.exchange(false, ordering: .relaxed)
        defer { saveState.store(wasSaving, ordering: .relaxed) }
        return try body()
    }

    /// Whether a save or its hooks are in progress.
    var isSaving: Bool { saveState.load(ordering: .relaxed) }

    /// Throws if a save, its hooks or a reading are in progress, in which user code must not change rows.
    @inline(__always)
    func checkMayWrite() throws {
        guard !saveState.load(ordering: .relaxed) else { throw Writing.refusal }
        try readTransaction.checkIsNotUnderWay()
    }

    static var refusal: StoreError {
        StoreError(
            .misuse,
            "The session is saving or deleting. A hook, validate, encode(to:) or initializer must not save or delete")
    }
}

// The transaction in the file.
extension Writing {
    /// Commits a transaction, and keeps its changes for undo if they are recorded.
    func commit(of session: Session) throws {
        try historySigning.sign(session.author)
        defer { if let token = connection.lastCommit { session.lastWrite = token } }
        guard let undoHistory else { return try commitReporting(of: session) }
        // Not interrupted, because incomplete recorded changes are useless.
        let problem = try connection.uninterrupted { try undoHistory.recording { try commitReporting(of: session) } }
        guard let problem else { return }
        store.configuration.onNote("The undo history starts over with this commit: \(problem.message)")
    }

    /// Begins a transaction that may write.
    func begin(_ pace: Pace, alone: Bool) throws {
        news.events.prepareLog()
        undoHistory?.willBegin()
        defer { connection.limits.waitEnd = nil }
        try connection.begin(pace, alone: alone)
        news.events.begin()
    }

    /// Commits, and reports to the subscribers before another session of this process can commit.
    private func commitReporting(of session: Session) throws {
        guard news.events.isWatched else {
            try connection.commit()
            return memory.recordOwnCommit()
        }
        var summary = news.events.summary()
        summary.author = ObjectIdentifier(session)
        store.hub.willCommit()
        let span: CommitSpan
        do {
            span = try connection.commitMarking()
        } catch {
            store.hub.didNotCommit()
            throw error
        }
        memory.recordOwnCommit()
        store.hub.didCommit(summary, span)
        news.events.clear()
    }

    /// Runs `body`, whose commits are not recorded.
    func withoutUndo<R>(_ body: () throws -> R) rethrows -> R {
        guard let undoHistory else { return try body() }
        return try undoHistory.pausing(body)
    }

    /// The record for the changes of the current save, which has been written.
    func beginRemembering() -> SavedChanges {
        if isKnownUniquelyReferenced(&lastSave), let lastSave {
            lastSave.removeAll()
            return lastSave
        }
        let memory = SavedChanges()
        lastSave = memory
        return memory
    }
}

// The turn to write, which one session of the process at a time has in a file.
extension Writing {
    /// Waits for the turn to write among the sessions of this process, unless they can write concurrently.
    func takeTurn(for session: Session) throws {
        let me = WriterQueue.Holder(thread: RunningThread.id, owner: session)
        let answer =
            writesConcurrently
            ? store.writers.enterConcurrently(as: me)
            : store.writers.enter(timeout: store.busyTimeout, gate.limit, as: me)
        switch answer {
        case .entered: return
        // The remaining time is spent waiting for other processes.
        case .enteredLate(let end): connection.limits.waitEnd = end
        case .cancelled: throw StoreError.cancelled()
        case .limited(let limit):
            throw limit.error("while the session waited for another session to finish writing")
        case .timedOut:
            let timeout = store.busyTimeout
            throw StoreError(
                .busy, "Another session of this process was writing for \(timeout) ms. Nothing was written. Save again")
        case .heldHere(let owner):
            let work = (owner as? Session)?.writing.workUnderWay ?? "a call of another session"
            throw StoreError(
                .misuse,
                "This write would deadlock, because it is nested in \(work), which must end before another "
                    + "session can write. Write in that session, or after it has ended")
        }
    }

    /// Gives up the turn to write.
    func leaveTurn(of session: Session) {
        if writesConcurrently { store.writers.leaveConcurrently(session) } else { store.writers.leave() }
    }

    var writesConcurrently: Bool { connection.capabilities.contains(.concurrentWriters) }

    /// Throws if a transaction of another store encloses this call. That transaction could be rolled back, or be lost
    /// in a crash, and the writes to this store would stay.
    func checkOnlyStoreInTransaction() throws {
        // Another store of the same file would deadlock, which `takeTurn` reports.
        guard let other = CurrentSession.transaction(notIn: store), other.store.writers !== store.writers
        else { return }
        throw StoreError(
            .misuse,
            "This call is in a transaction of the store \(other.store.shownName), and a transaction cannot "
                + "include two stores. The store \(store.shownName) would keep the changes even if the "
                + "transaction is rolled back. Write before it, in afterCommit { }, or in Store.independently { }")
    }

    /// A description of the current write.
    private var workUnderWay: String {
        if readTransaction.isUnderWay { return "a reading { } of another session" }
        guard let level else { return "a save or deletion of another session" }
        let objects = level.images.prefix(3).map { image in
            image.object.id.map { "\(type(of: image.object)) #\($0)" } ?? "a new \(type(of: image.object))"
        }
        let tables = level.preparations.map(\.name)
        let done =
            (objects.isEmpty ? [] : ["has saved \(objects.joined(separator: ", "))"])
            + (tables.isEmpty ? [] : ["creates the tables of \(tables.joined(separator: ", "))"])
        return "a transaction of another session" + (done.isEmpty ? "" : " (it \(done.joined(separator: " and ")))")
    }
}
