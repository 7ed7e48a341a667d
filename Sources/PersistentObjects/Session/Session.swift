// Session: one unit of work, the front of its parts: `Gate` (who may enter, and the connection), `UsedClasses`, `Memory`,
// `News` and `Writing`, each in its own room. It knows its parts, and must not know the verbs that use them, which are
// above.

package import StoreEngine
internal import Synchronization

/// One unit of work on a store: an identity map, and the connection that it reads and writes through.
///
/// A session belongs to one isolation domain, as its objects do. Using it from
/// two threads at once is an error. Get one from `store.withSession`.
public final class Session {
    /// The store.
    public let store: Store
    /// Which of the process's sessions it is, counted from 1 as they are opened: what profiles of statements name it
    /// by.
    public let number: Int
    private static let lastNumber = Atomic<Int>(0)
    /// The gate's: most verbs need it.
    package let connection: any Connection
    /// Who may enter, and for how long.
    let gate: Gate
    /// What it has for each class that was used.
    let classes: UsedClasses
    /// What it knows of its objects.
    let memory: Memory
    /// What is to be reported after a commit, a rollback or a call.
    let news: News
    /// Its transactions that write.
    let writing: Writing
    /// Several statements in one state of the database.
    let readTransaction: ReadTransaction
    /// What a save does if others have changed what it would overwrite; by default it merges, and is refused if both
    /// have changed the same property.
    public var conflictPolicy = ConflictPolicy.merge
    /// Who changes what the session commits, for the history of classes with `keepsHistory`; at first what the store's
    /// configuration says.
    ///
    /// ```swift
    /// session.author = "ann"
    /// try joe.save()
    /// let entries = try Person.history.where { $0.author == "ann" }.all()
    /// ```
    ///
    /// What counts is what it is at the commit: a transaction has one author.
    public var author: String?
    /// Whether a query in a transaction first saves all unsaved edits of the session, so that it finds them; false at
    /// first.
    ///
    /// Without it a query finds what is stored, and debug builds note where
    /// that may surprise. Outside of a transaction nothing is saved by a query.
    /// It counts for queries, joins, finders, counts and values, for what a query
    /// updates or deletes, and for `rows(_:_:)`;
    /// `saveChanges()` says what is saved, and a query throws what that throws.
    ///
    /// ```swift
    /// session.flushesBeforeQueries = true
    /// try session.transaction {
    ///     joe.age = 40
    ///     let forty = try Person.findBy.age(40)       // joe is among them
    /// }
    /// ```
    ///
    /// - Complexity: each query in a transaction looks at all live objects.
    public var flushesBeforeQueries = false
    /// Whether properties that are not loaded stay so when they are accessed: no access costs a statement then. False at
    /// first.
    ///
    /// A `@Lazy` property or `@Inverse` that would have to be read from the
    /// database reads as its initial value, `$pets.problem` is an error with the
    /// code `notLoaded`, and the store's `onNote` hears of it, once for each
    /// property. What was edited so is refused by the save. `including(_:)`
    /// and `$pets.load()` load, and whatever needs no statement is no error: new
    /// objects, references to objects in memory.
    ///
    /// ```swift
    /// session.loadsStrictly = true
    /// for team in try Team.query.including(\.members).all() { print(team.members.count) }
    /// ```
    public var loadsStrictly = false
    /// How many statements the connection had run for others.
    let runsBefore: Int
    /// Whether it is another session's reader, which keeps none of its objects.
    let isReader: Bool
    private var ownReader: Session?
    /// Whose reader it is: that one owns it, and it is used inside of that one only.
    private let reading: Borrowed<Session>?

    /// - Parameter share: A connection for several sessions, which counts this one already.
    init(_ store: Store, on share: ConnectionShare?) throws {
        self.store = store
        number = Session.lastNumber.add(1, ordering: .relaxed).newValue
        connection = try share?.connection ?? store.takeWatchedConnection()
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

    /// A session that only reads, through another one's connection.
    private init(readingFor session: Session) {
        store = session.store
        connection = session.connection
        // It is the same to users.
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

    /// A session on the same connection, for objects that are not to be in this one's maps.
    func reader() -> Session {
        if let ownReader { return ownReader }
        let reader = Session(readingFor: self)
        ownReader = reader
        return reader
    }

    /// The innermost transaction of the user's that is under way.
    @inline(__always)
    var level: TransactionLevel? { writing.level }

    deinit { giveBackConnection() }

    /// Ends the session: its objects keep their values and cannot be saved any more.
    ///
    /// A call that is under way, on another thread or further up this one, finishes as if the session were open;
    /// the connection is free for others when the session goes.
    ///
    /// - Parameter isHere: Whether it is called where the session's objects are used.
    func end(isHere: Bool = false) {
        gate.end()
        if store.hub.isWatched { store.hub.finish(self) }
        gate.whileAlone {
            if isHere || memory.inverses.held.areHere { memory.releaseLinks() }
            giveBackConnection()
        }
    }

    func giveBackConnection() {
        guard gate.giveUpConnection() else { return }
        memory.stopLearningOfCommits()
        if !isReader { store.sessions.remove(self) }
        writing.end()
        memory.sessionDidEnd()
        var retired = classes.removeAll()
        if let ownReader { retired.append(ownReader) }
        ownReader = nil
        memory.dropHeldTargets()
        // Others may be using a shared connection: statements end in their turn. Else they end before others get it.
        if gate.share == nil { retired = [] }
        gate.returnConnection(retiring: retired, isReader: isReader)
    }

    /// Brings the tables of the class, and of all that it links to, to what the classes say.
    func prepareTable(of map: ClassMap) throws {
        // A reader's would wait for the transaction that it reads in.
        if let reading { return try reading.object.prepareTable(of: map) }
        guard !store.classes.isPrepared(map, for: self) else { return }
        gate.watch?.begin("", of: nil, in: "", named: "Store.prepare(\(map.name))", number)
        defer { _ = gate.watch?.end() }
        try readTransaction.interrupted { try TablePreparation(self).prepare([map]) }
    }
}

extension Session {
    /// Forgets all objects: the identity maps go, and with them what says which object stands for which row.
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
