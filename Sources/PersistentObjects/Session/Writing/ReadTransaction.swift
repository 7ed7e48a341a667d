internal import StoreEngine
internal import Synchronization

/// Several statements in one state of the database: those of one call, or those of a user's `reading { }`.
///
/// Invariants:
/// - While `isUnderWay`, the connection has a read transaction, nothing is written, and each object that a call returns
///   was read in it.
/// - A table can be created only before the reading has read anything: its state can be a later one then.
final class ReadTransaction {
    private let gate: Gate
    private let classes: UsedClasses
    private let memory: Memory
    private let state = Atomic<Bool>(false)
    /// What had been run when it began.
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
    func inOneState<R>(_ body: () throws -> R) throws -> R {
        guard !connection.isInTransaction else { return try body() }
        try connection.beginReading()
        // Nothing was written, so there is nothing that a commit could lose.
        defer { connection.rollback() }
        return try body()
    }

    /// The same for a session's user, who may hold objects of an older state.
    func run<R>(for session: Session, _ body: () throws -> R) throws -> R {
        // What is open already is one state: a reading, a transaction, or a save whose hook this is.
        guard !connection.isInTransaction else { return try CurrentSession.with(session, body) }
        // From here on other sessions write for an unlimited time, so this thread must not wait for them.
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

    /// Settles on a state, and looks whether objects in memory are older.
    private func begin() throws {
        try connection.beginReading()
        do throws(StoreError) { try connection.settle() } catch {
            connection.rollback()
            throw error
        }
        memory.lookForCommits()
        runsAtBeginning = runs
    }

    /// Which statements have run: each engine counts in one of the two ways.
    private var runs: [Int] { [gate.calls.runCount, connection.statementRunCount] }

    /// Whether no session can commit while this session reads: in memory, and without a log.
    private var keepsWritersWaiting: Bool {
        guard connection.capabilities.contains(.upkeep) else { return false }
        return switch gate.store.location {
        case .memory: true
        case .file: gate.store.connectionOptions.file.journal == .rollback
        case .server: false
        }
    }

    /// Makes tables in the middle of a reading: before it has read anything, its state can be a later one.
    func interrupted<R>(_ body: () throws -> R) throws -> R {
        guard isUnderWay, runs == runsAtBeginning else { return try body() }
        state.store(false, ordering: .relaxed)
        connection.rollback()
        let result = Result { try body() }
        try begin()
        state.store(true, ordering: .relaxed)
        return try result.get()
    }

    /// Whether an object in memory may be of another state than the reading is of, and has to be read again.
    @inline(__always)
    func isOlder(_ object: PersistentObject) -> Bool { isUnderWay && !memory.isCurrent(object) }

    /// Refuses what writes in the middle of a reading.
    @inline(__always)
    func checkIsNotUnderWay() throws { if isUnderWay { throw ReadTransaction.refusal } }

    private static var refusal: StoreError {
        StoreError(
            .misuse,
            "Nothing can be written in reading { }, which sees the database as it was when reading started. Write "
                + "after it, or use transaction { } instead")
    }
}
