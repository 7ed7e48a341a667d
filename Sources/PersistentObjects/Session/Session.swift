// Session: one unit of work. It combines its parts, each in a separate room: `Gate` (access and the connection),
// `UsedClasses`, `Memory`, `News` and `Writing`. It knows its parts, and must not know the operations that use them,
// which are in the rooms above.

public import StoreEngine
internal import Synchronization

/// A unit of work on a store: an identity map, and the connection that it reads and writes through.
///
/// A session and its objects belong to one isolation domain. Using it from two threads at once is an error. Get a
/// session from `store.withSession`.
public final class Session {
    /// The session's store.
    public let store: Store
    /// The number of the session in this process, counted from 1 in the order of opening.
    ///
    /// Statement profiles identify the session by it.
    public let number: Int
    private static let lastNumber = Atomic<Int>(0)
    /// The gate's connection, also stored here because most operations need it.
    package let connection: any Connection
    /// Access to the session, and its time limits.
    let gate: Gate
    /// The session's state for each class that was used.
    let classes: UsedClasses
    /// The session's knowledge of its objects.
    let memory: Memory
    /// The session's reports after a commit, a rollback or a call.
    let news: News
    /// The session's transactions that write.
    let writing: Writing
    /// Runs several statements in one state of the database.
    let readTransaction: ReadTransaction
    /// The way a save handles properties changed elsewhere; `.merge` by default.
    ///
    /// `.merge` merges the changes, and refuses the save if both sides changed the same property.
    public var conflictPolicy = ConflictPolicy.merge
    /// The author of the session's commits, for the history of classes with `keepsHistory`.
    ///
    /// It is initially the author in the store's configuration.
    ///
    /// ```swift
    /// session.author = "ann"
    /// try joe.save()
    /// let entries = try Person.history.where { $0.author == "ann" }.all()
    /// ```
    ///
    /// The author at the time of the commit is recorded: a transaction has one author.
    public var author: String?
    /// The position of the session's last commit on a server with a replica.
    ///
    /// It is nil before the first commit, and in a store without a replica.
    /// Pass it to `store.withSession(after:)` to see the commit in another session, also in another process.
    ///
    /// ```swift
    /// try joe.save()
    /// response.setCookie(try JSONEncoder().encode(session.lastWrite))
    /// ```
    public internal(set) var lastWrite: WriteToken?
    /// Whether a query in a transaction first saves the session's unsaved edits; false by default.
    ///
    /// If true, the query finds these edits. Otherwise it finds the stored state, and debug builds send a note if that
    /// may be surprising. Outside a transaction a query never saves. The setting applies to queries, joins, finders,
    /// counts and values, to updates and deletions by queries, and to `rows(_:_:)`; `saveChanges()` describes which
    /// objects are saved, and the query throws its errors.
    ///
    /// ```swift
    /// session.flushesBeforeQueries = true
    /// try session.transaction {
    ///     joe.age = 40
    ///     let forty = try Person.findBy.age(40)       // joe is among them
    /// }
    /// ```
    ///
    /// - Complexity: Each query in a transaction checks all live objects.
    public var flushesBeforeQueries = false
    /// Whether accessing a property that is not loaded leaves it unloaded; false by default.
    ///
    /// If true, no access costs a statement: a `@Lazy` property or `@Inverse` that would have to be read from the
    /// database reads as its initial value, `$pets.problem` is an error with the code `notLoaded`, and the store's
    /// `onNote` is notified, once for each property. A save rejects a property edited in this state. `including(_:)`
    /// and `$pets.load()` still load, and access that needs no statement is not an error: new objects, and references
    /// to objects in memory.
    ///
    /// ```swift
    /// session.loadsStrictly = true
    /// for team in try Team.query.including(\.members).all() { print(team.members.count) }
    /// ```
    public var loadsStrictly = false
    /// The number of statements that the connection had run for earlier sessions.
    let runsBefore: Int
    /// Whether it is another session's reader, whose objects are not added to that session.
    let isReader: Bool
    private var ownReader: Session?
    /// The session whose reader this is. It owns this session, which is used only inside its calls.
    private let reading: Borrowed<Session>?

    /// - Parameters:
    ///   - share: A connection for several sessions, which already counts this session.
    ///   - token: The last write that its queries must see.
    init(_ store: Store, on share: ConnectionShare?, after token: WriteToken? = nil) throws {
        self.store = store
        number = Session.lastNumber.add(1, ordering: .relaxed).newValue
        connection = try share?.connection ?? store.takeWatchedConnection(after: token)
        author = store.configuration.author
        runsBefore = connection.statementRunCount
        isReader = false
        reading = nil
        gate = Gate(store, connection, share: share)
        classes = UsedClasses(gate)
        memory = Memory(gate, classes, isReader: false)
        news = News(CommitEvents(gate, classes), gate, memory.notices)
        readTransaction = ReadTransaction(gate, classes, memory)
        writing = Writing(gate, memory, news, readTransaction)
        memory.session = Borrowed(self)
        try store.sessions.add(self)
    }

    /// A session that only reads, through the connection of another session.
    private init(readingFor session: Session) {
        store = session.store
        connection = session.connection
        // For users, both are the same session.
        number = session.number
        runsBefore = session.runsBefore
        isReader = true
        reading = Borrowed(session)
        gate = Gate(store, connection, share: nil)
        classes = UsedClasses(gate)
        memory = Memory(gate, classes, isReader: true)
        news = News(CommitEvents(gate, classes), gate, memory.notices)
        readTransaction = ReadTransaction(gate, classes, memory)
        writing = Writing(gate, memory, news, readTransaction)
        memory.session = Borrowed(self)
    }

    /// A session on the same connection, for objects that must not be in this session's identity maps.
    func reader() -> Session {
        if let ownReader { return ownReader }
        let reader = Session(readingFor: self)
        ownReader = reader
        return reader
    }

    /// The user's innermost transaction in progress.
    @inline(__always)
    var level: TransactionLevel? { writing.level }

    deinit { giveBackConnection() }

    /// Ends the session: its objects keep their values and can no longer be saved.
    ///
    /// A call in progress, on another thread or further up the stack, finishes as if the session were open; the
    /// connection becomes free when the session is released.
    ///
    /// - Parameter isHere: Whether the caller is in the isolation in which the session's objects are used.
    func end(isHere: Bool = false) {
        gate.end()
        if store.hub.isWatched { store.hub.finish(self) }
        gate.whileAlone {
            if isHere || memory.inverses.held.areHere { memory.releaseLinks() }
            giveBackConnection()
        }
    }

    func giveBackConnection() {
        guard gate.releaseConnection() else { return }
        memory.stopLearningOfCommits()
        if !isReader { store.sessions.remove(self) }
        writing.end()
        memory.sessionDidEnd()
        var retired = classes.removeAll()
        if let ownReader { retired.append(ownReader) }
        ownReader = nil
        memory.dropHeldTargets()
        // The statements of a shared connection end later, because another session may be using it. Other statements
        // end here, before another session gets the connection.
        if gate.share == nil { retired = [] }
        gate.returnConnection(retiring: retired, isReader: isReader)
    }

    /// Migrates the tables of the class, and of all classes that it links to, to their declarations.
    func prepareTable(of map: ClassMap) throws {
        // A write of a reader would wait for the transaction in which it reads.
        if let reading { return try reading.object.prepareTable(of: map) }
        guard !store.classes.isPrepared(map, for: self) else { return }
        gate.watch?.begin("", of: nil, in: "", named: "Store.prepare(\(map.name))", number)
        defer { _ = gate.watch?.end() }
        try readTransaction.interrupted { try TablePreparation(self).prepare([map]) }
    }
}

extension Session {
    /// Forgets all objects and their identity maps.
    func forgetObjects() throws {
        guard !writing.isWriting, level == nil else {
            throw StoreError(.misuse, "The session cannot be reset during a save or a transaction")
        }
        memory.reset()
        writing.lastSave = nil
    }
}

@available(*, unavailable, message: "a session belongs to one isolation domain; open a session where you need it")
extension Session: Sendable {}

extension Store {
    /// Whether the store is closed: its sessions have ended, and no further one can be opened.
    var hasClosed: Bool { sessions.isClosed }
}
