// Session: one unit of work: who may enter, which connection and classes it has, and how long it lives. It knows its
// state, and must not know the verbs that change it: they stand above.

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
    package let connection: any Connection
    /// The connection's, which each call counts in.
    let calls: CallCounter
    let gate = SessionGate()
    /// Who is told of statements and of the calls that ask for them; nil where nobody is.
    let watch: StatementWatch?
    var spaces = ClassSpaces()
    /// The class used last, since most calls in a row are about one class.
    var lastSpace: ClassSpace? { didSet { noteLastRows() } }
    /// Its rows, where all objects of these are of the class: what is found there costs no count of a reference.
    var lastRows: Borrowed<RowTable>?
    var lastClass: ObjectIdentifier?
    /// The store's count of preparations that it belongs to.
    var lastVersion = 0
    /// Objects that are to be read again, by a find too.
    var expired: Set<ObjectIdentifier> = [] {
        didSet { if expired.isEmpty != oldValue.isEmpty { noteLastRows() } }
    }
    /// How often others have changed the database, as far as this session has seen.
    var epoch: UInt32 = 0
    /// How many triggers the connection's statements run, as far as the session has looked, and whether any of them is
    /// not the library's.
    var knownTriggerCount = 0
    var runsTriggers = false
    /// SQLite's number of the database's state that `epoch` belongs to.
    var knownVersion: UInt32?
    /// What is committed, or will be with the call under way, and is not told yet.
    var pending = ChangeLog() { didSet { hasNews = true } }
    /// The objects that are to hear of a rollback.
    var rolledBack: [PersistentObject] = [] { didSet { hasNews = true } }
    /// What is to be called when it is.
    var closures: [() -> Void] = [] { didSet { hasNews = true } }
    /// What is to be forgotten when what is under way has ended.
    var leaving: [PersistentObject] = [] { didSet { isSpecial.store(true, ordering: .relaxed) } }
    /// What observers are told of when the call under way has ended; each leaves as a special one then.
    var observedChanges = ObservedChanges() { didSet { isSpecial.store(true, ordering: .relaxed) } }
    /// Whether there may be any of these: each call asks, and the run time watches each access to these.
    var hasNews = false
    var isTelling = false
    /// How often the user's methods have made something to tell while they were told of something else.
    var tellingRounds = TellingRounds()
    /// Whether `didRollback` methods are being called.
    var isTellingRollback = false
    /// What is being told, by object.
    var told: [ObjectIdentifier: [PropertyChange]] = [:]
    /// What the last save has changed.
    var lastSave: SavedChanges?
    /// The innermost transaction of the user's that is under way.
    var level: TransactionLevel? { didSet { inverses.level = level } }
    private let isEnded = Atomic<Bool>(false)
    /// Whether it has ended, shares its connection or is watched: all that other sessions pay for that at each call.
    let isSpecial: Atomic<Bool>
    /// Nil where it has its connection for itself.
    let share: ConnectionShare?
    /// Whether it is its turn to use a connection that it shares.
    var hasTurn = false
    var hasConnection = true
    var isWriting = false
    /// The step of `migrate` that is under way.
    var migration: (name: String, progress: ((SchemaProgress) throws -> Void)?)?
    /// Classes whose tables are being changed, by conversions of the user's.
    var convertedClasses: Set<ObjectIdentifier> = []
    let isSaving = Atomic<Bool>(false)
    /// Whether a `reading { }` of the user's is under way, and what had been run when it began.
    let isReading = Atomic<Bool>(false)
    var runsAtReading: [Int] = []
    /// When what is done is to have ended; nil for no limit.
    var limit: TimeLimit?
    /// Objects that only weak references refer to; kept until the next fetch, so that there is time to use them.
    var heldTargets: [PersistentObject] = []
    /// Objects that left the collections that own them, which the save under way has asked before it deletes them.
    var askedOrphans = AskedObjects()
    /// What it knows of the rows that the transaction under way writes, where somebody listens.
    var eventNotes = EventNotes()
    /// Whether subscribers want to know what the transaction under way does to which objects.
    var tellsEvents = false
    /// What commits of other sessions have done to rows; nil where all counts as stale after them.
    var staleRows: StaleRows?
    /// How often commits of others have made all stale.
    var surpriseCount = 0
    /// Who is told of each statement that it runs.
    var statementListeners: [StatementListener] = []
    let inverses = InverseAgreement()
    var heldLinks: HeldLinks { inverses.held }
    /// The unsaved edits of objects that have ended.
    var pendingEdits = PendingEdits()
    /// New objects that the next `saveChanges()` takes along.
    var added: [PersistentObject] = []
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
    /// The last entry of the history that there was before the transaction under way; nil where that is not known.
    var entryBefore: Int64?
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
    var notices = GraphNotices()
    /// How many statements the connection had run for others.
    let runsBefore: Int
    /// What can be undone; nil while nothing is recorded.
    var undoHistory: UndoHistory? { didSet { spaces.noteDepartures(in: undoHistory?.departed) } }
    /// The observers of what can be undone; nil if no such property was read.
    var undoObservers: UndoObservers?
    /// Also while there is none.
    var chosenUndoLimit = UndoLimit()
    /// Whether it is another session's reader, which keeps none of its objects.
    let isReader: Bool
    private var ownReader: Session?
    /// Whose reader it is: that one owns it, and it is used inside of that one only.
    private let reading: Borrowed<Session>?

    /// - Parameter share: A connection for several sessions, which counts this one already.
    init(_ store: Store, on share: ConnectionShare?) throws {
        self.store = store
        self.share = share
        number = Session.lastNumber.add(1, ordering: .relaxed).newValue
        if let share { connection = share.connection } else { connection = try store.takeWatchedConnection() }
        watch = (connection as? WatchedConnection)?.watcher as? StatementWatch
        isSpecial = Atomic(share != nil || watch != nil)
        calls = connection.calls
        author = store.configuration.author
        runsBefore = connection.statementRunCount
        isReader = false
        reading = nil
        try store.sessions.add(self)
    }

    /// A session that only reads, through another one's connection.
    private init(readingFor session: Session) {
        store = session.store
        share = nil
        connection = session.connection
        watch = session.watch
        // It is the same to users.
        number = session.number
        isSpecial = Atomic(watch != nil)
        calls = connection.calls
        runsBefore = session.runsBefore
        isReader = true
        reading = Borrowed(session)
    }

    /// A session on the same connection, for objects that are not to be in this one's maps.
    func reader() -> Session {
        if let ownReader { return ownReader }
        let reader = Session(readingFor: self)
        ownReader = reader
        return reader
    }

    deinit { giveBackConnection() }

    /// Ends the session: its objects keep their values and cannot be saved any more.
    ///
    /// A call that is under way, on another thread or further up this one, finishes as if the session were open;
    /// the connection is free for others when the session goes.
    ///
    /// - Parameter isHere: Whether it is called where the session's objects are used.
    func end(isHere: Bool = false) {
        isEnded.store(true, ordering: .relaxed)
        isSpecial.store(true, ordering: .relaxed)
        if store.hub.isWatched { store.hub.finish(self) }
        whileAlone {
            if isHere || inverses.held.areHere { letGoOfLinks() }
            giveBackConnection()
        }
    }

    /// Whether no call is possible any more.
    var hasEnded: Bool { isEnded.load(ordering: .relaxed) }

    func giveBackConnection() {
        guard hasConnection else { return }
        hasConnection = false
        stopLearningOfCommits()
        if !isReader { store.sessions.remove(self) }
        // Others may be using the connection: statements end in their turn.
        var retired: [AnyObject] = []
        if share != nil {
            retired = [spaces]
            if let ownReader { retired.append(ownReader) }
            if let lastSpace { retired.append(lastSpace) }
        }
        ownReader = nil
        undoHistory = nil
        undoObservers = nil
        for identity in allIdentities { identity.sessionDidEnd() }
        reportLostEdits()
        lastSave = nil
        spaces = ClassSpaces()
        dropHeldTargets()
        lastSpace = nil
        lastClass = nil
        if let share {
            guard share.leave(retiring: retired) else { return }
            share.dropRetired()
        }
        guard !isReader else { return }
        connection.trace(nil)
        connection.limits.limit = nil
        store.give(back: connection)
    }

    /// Throws where no call is possible any more.
    func checkIsOpen() throws {
        guard hasEnded else { return }
        throw StoreError(
            .sessionEnded,
            store.sessions.isClosed
                ? "the store is closed, and its sessions have ended"
                : "the session has ended, objects and calls need one that is open")
    }

    /// Brings the tables of the class, and of all that it links to, to what the classes say.
    func prepareTable(of map: ClassMap) throws {
        // A reader's would wait for the transaction that it reads in.
        if let reading { return try reading.object.prepareTable(of: map) }
        guard !store.classes.isPrepared(map, for: self) else { return }
        watch?.begin("", of: nil, in: "", named: "Store.prepare(\(map.name))", number)
        defer { _ = watch?.end() }
        try outsideReading { try prepareTables(of: [map]) }
    }
}

extension Session {
    /// Forgets all objects: the identity maps go, and with them what says which object stands for which row.
    func forgetObjects() throws {
        guard !isWriting, level == nil else {
            throw StoreError(.misuse, "the session cannot be reset while it saves or in a transaction")
        }
        for identity in allIdentities { identity.forgotten.store(true, ordering: .relaxed) }
        letGoOfLinks()
        for identity in allIdentities { identity.sessionDidForget() }
        _ = pendingEdits.close()
        pendingEdits = PendingEdits()
        added = []
        expired = []
        lastSave = nil
        spaces = ClassSpaces()
        dropHeldTargets()
        notices = GraphNotices()
        lastSpace = nil
        lastClass = nil
    }
}

@available(*, unavailable, message: "a session belongs to one isolation domain; open one where you need it")
extension Session: Sendable {}
