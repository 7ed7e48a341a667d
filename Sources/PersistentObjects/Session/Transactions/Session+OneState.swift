internal import StoreEngine
internal import Synchronization

// Several statements in one state of the database.
extension Session {
    /// Runs `body` in one read transaction, so that its statements see one state of the database.
    package func inOneState<R>(_ body: () throws -> R) throws -> R {
        guard !connection.isInTransaction else { return try body() }
        try connection.beginReading()
        // Nothing was written, so there is nothing that a commit could lose.
        defer { connection.rollback() }
        return try body()
    }

    /// The same for the user, who may hold objects that are of an older state.
    func runReading<R>(_ body: () throws -> R) throws -> R {
        // What is open already is one state: a reading, a transaction, or a save whose hook this is.
        guard !connection.isInTransaction else { return try CurrentSession.with(self, body) }
        // From here on others write for as long as it takes, so this thread must not wait for them.
        let waits = keepsWritersWaiting
        if waits { store.writers.beginReading(as: WriterQueue.Holder(thread: RunningThread.id, owner: self)) }
        defer { if waits { store.writers.endReading(self) } }
        try beginReading()
        forgetLastClass()
        isReading.store(true, ordering: .relaxed)
        defer {
            isReading.store(false, ordering: .relaxed)
            forgetLastClass()
            connection.rollback()
        }
        return try CurrentSession.with(self, body)
    }

    /// Settles on a state, and looks whether objects in memory are older.
    private func beginReading() throws {
        try connection.beginReading()
        do throws(StoreError) { try connection.settle() } catch {
            connection.rollback()
            throw error
        }
        noteDataVersion()
        runsAtReading = runs
    }

    /// Which statements have run: each engine counts in one of the two ways.
    private var runs: [Int] { [calls.runCount, connection.statementRunCount] }

    /// Whether nobody can commit while the session reads: in memory, and where there is no log.
    private var keepsWritersWaiting: Bool {
        guard connection.capabilities.contains(.upkeep) else { return false }
        return switch store.location {
        case .memory: true
        case .file: store.connectionOptions.file.journal == .rollback
        case .server: false
        }
    }

    /// Makes tables in the middle of a reading: before it has read anything, its state can be a later one.
    func outsideReading<R>(_ body: () throws -> R) throws -> R {
        guard isInReading, runs == runsAtReading else { return try body() }
        isReading.store(false, ordering: .relaxed)
        connection.rollback()
        let result = Result { try body() }
        try beginReading()
        isReading.store(true, ordering: .relaxed)
        return try result.get()
    }

    /// Whether a reading of the user's is under way.
    var isInReading: Bool { isReading.load(ordering: .relaxed) }

    /// Whether an object in memory may be of another state than the reading is of, and has to be read again.
    func isOfAnotherState(_ object: PersistentObject) -> Bool {
        isInReading && !wasMet(object)
    }

    /// Refuses what writes in the middle of a reading.
    func checkIsNotReading() throws {
        guard isInReading else { return }
        throw StoreError(
            .misuse,
            "nothing can be written inside reading { }, which sees the database as it was at its beginning; "
                + "write behind it, or use transaction { } in its place")
    }
}
