internal import StoreEngine
internal import Synchronization

/// Runs several statements in one state of the database: the statements of one call, or of a user's `reading { }`.
///
/// Invariants:
/// - While `isUnderWay`, the connection has a read transaction, nothing is written, and each object that a call returns
///   was read in it.
/// - A table can be created only before the reading has read anything, because its state can then still be replaced by
///   a later state.
final class ReadTransaction {
    private let gate: Gate
    private let classes: UsedClasses
    private let memory: Memory
    private let state = Atomic<Bool>(false)
    /// The counts of statements that had run when it began.
    private var runsAtBeginning: [Int] = []

    init(_ gate: Gate, _ classes: UsedClasses, _ memory: Memory) {
        self.gate = gate
        self.classes = classes
        self.memory = memory
    }

    private var connection: any Connection { gate.connection }

    /// Whether a user's `reading { }` is in progress.
    @inline(__always)
    var isUnderWay: Bool { state.load(ordering: .relaxed) }

    /// Runs `body` in one read transaction, so that its statements see one state of the database.
    ///
    /// - Parameter mayBeEarlier: Whether it may be an earlier state, which a replica has.
    func inOneState<R>(mayBeEarlier: Bool = true, _ body: () throws -> R) throws -> R {
        guard !connection.isInTransaction else { return try body() }
        try connection.beginReading(mayBeEarlier: mayBeEarlier)
        // Nothing was written, so there is nothing that a commit could lose.
        defer { connection.rollback() }
        return try body()
    }

    /// The same for a user's `reading { }`, in which objects of an older state are read again.
    func run<R>(for session: Session, _ body: () throws -> R) throws -> R {
        // An open transaction already has one state: a reading, a transaction, or a save whose hook makes this call.
        guard !connection.isInTransaction else { return try CurrentSession.with(session, body) }
        // Writers wait for the end of this reading, so this thread must not write in another session until then.
        let (waits, writers) = (keepsWritersWaiting, gate.store.writers)
        if waits { writers.beginReading(as: WriterQueue.Holder(thread: RunningThread.id, owner: session)) }
        defer { if waits { writers.endReading(session) } }
        try begin()
        classes.setReading(true)
        state.store(true, ordering: .relaxed)
        defer {
            state.store(false, ordering: .relaxed)
            classes.setReading(false)
            connection.rollback()
        }
        return try CurrentSession.with(session, body)
    }

    /// Begins the read transaction, and checks whether objects in memory are older than its state.
    private func begin() throws {
        try connection.beginReading(mayBeEarlier: true)
        do throws(StoreError) { try connection.settle() } catch {
            connection.rollback()
            throw error
        }
        memory.lookForCommits()
        runsAtBeginning = runs
    }

    /// The counts of statements that have run; each engine uses one of the two counters.
    private var runs: [Int] { [gate.calls.runCount, connection.statementRunCount] }

    /// Whether no session can commit while this session reads, as in memory or without a write-ahead log.
    private var keepsWritersWaiting: Bool {
        guard connection.capabilities.contains(.upkeep) else { return false }
        return switch gate.store.location {
        case .memory: true
        case .file: gate.store.connectionOptions.file.journal == .rollback
        case .server: false
        }
    }

    /// Runs `body`, which creates tables during a reading. If the reading has not read anything yet, it continues with
    /// a later state.
    func interrupted<R>(_ body: () throws -> R) throws -> R {
        guard isUnderWay, runs == runsAtBeginning else { return try body() }
        state.store(false, ordering: .relaxed)
        connection.rollback()
        let result = Result { try body() }
        try begin()
        state.store(true, ordering: .relaxed)
        return try result.get()
    }

    /// Whether an object in memory may be older than the reading's state, so that it must be read again.
    @inline(__always)
    func isOlder(_ object: PersistentObject) -> Bool { isUnderWay && !memory.isCurrent(object) }

    /// Throws if a reading is in progress, in which nothing can be written.
    @inline(__always)
    func checkIsNotUnderWay() throws { if isUnderWay { throw ReadTransaction.refusal } }

    private static var refusal: StoreError {
        StoreError(
            .misuse,
            "Nothing can be written in reading { }, which sees the database as it was when reading started. Write "
                + "after it, or use transaction { } instead")
    }
}
