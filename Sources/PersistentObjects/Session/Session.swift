internal import StoreEngine
internal import Synchronization

/// One unit of work on a store: an identity map, and the connection that it reads and writes through.
///
/// A session belongs to one isolation domain, as its objects do. Using it from
/// two threads at once is an error. Get one from `store.withSession`.
public final class Session {
    /// The store.
    public let store: Store
    let connection: SQLiteConnection
    private let gate = SessionGate()
    private var spaces = ClassSpaces()
    /// The class used last, since most calls in a row are about one class.
    private var lastSpace: ClassSpace?
    private var lastClass: ObjectIdentifier?
    /// The store's count of preparations that it belongs to.
    private var lastVersion = 0
    /// How often others have changed the database, as far as this session has seen.
    private(set) var epoch: UInt32 = 0
    /// SQLite's number of the database's state that `epoch` belongs to.
    private var knownVersion: UInt32?
    private let isEnded = Atomic<Bool>(false)
    private var hasConnection = true
    private var isWriting = false
    private let isSaving = Atomic<Bool>(false)
    /// Objects that only weak references refer to; kept until the next fetch, so that there is time to use them.
    var heldTargets: [PersistentObject] = []
    let inverses = InverseAgreement()
    var notices = GraphNotices()
    /// What can be undone; nil while nothing is recorded.
    var undoHistory: UndoHistory? { didSet { spaces.noteDepartures(in: undoHistory?.departed) } }
    /// Also while there is none.
    var chosenUndoLimit = UndoLimit()
    /// Whether it is another session's reader, which keeps none of its objects.
    let isReader: Bool
    private var ownReader: Session?

    init(_ store: Store) throws(StoreError) {
        self.store = store
        connection = try store.takeConnection()
        isReader = false
    }

    /// A session that only reads, through another one's connection.
    private init(readingFor session: Session) {
        store = session.store
        connection = session.connection
        isReader = true
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
    func end() {
        isEnded.store(true, ordering: .relaxed)
        guard gate.enterAlone() else { return }
        giveBackConnection()
        gate.leave()
    }

    private func giveBackConnection() {
        guard hasConnection else { return }
        hasConnection = false
        ownReader = nil
        undoHistory = nil
        for identity in allIdentities { identity.sessionDidEnd() }
        spaces = ClassSpaces()
        heldTargets = []
        lastSpace = nil
        lastClass = nil
        if !isReader { store.give(back: connection) }
    }

    /// Calls `body` as the only user of the session.
    @inline(__always)
    func enter<R>(_ body: () throws -> R) throws -> R {
        guard gate.enter() else {
            throw StoreError(
                .overlappingUse, "the session is in use on another thread; give each thread or task its own session")
        }
        defer { gate.leave() }
        guard !isEnded.load(ordering: .relaxed) else {
            throw StoreError(.sessionEnded, "the session has ended, objects and calls need one that is open")
        }
        guard !Examination.isUnderWay else {
            throw StoreError(.misuse, "an initialiser or getter uses the store while its class is being examined")
        }
        return try body()
    }

    /// Calls `body`, which saves, as the only user of the session.
    ///
    /// Not only the writing runs the user's `encode(to:)`, finding what has changed does too: a save in there would
    /// come here again without end.
    @inline(__always)
    func enterToSave<R>(_ body: () throws -> R) throws -> R {
        try enter {
            guard !isSaving.load(ordering: .relaxed) else { throw Session.savesWhileSaving }
            isSaving.store(true, ordering: .relaxed)
            defer { isSaving.store(false, ordering: .relaxed) }
            return try body()
        }
    }

    private static var savesWhileSaving: StoreError {
        StoreError(.misuse, "the session is saving: an encode(to:) or initialiser must not save")
    }

    /// The identity map and statements of a class, its table made or updated.
    @inline(__always)
    func space(of type: PersistentObject.Type) throws -> ClassSpace {
        if lastClass == ObjectIdentifier(type), let lastSpace, lastVersion == store.classes.version {
            return lastSpace
        }
        let space = try spaces.space(of: type, self)
        lastSpace = space
        lastClass = ObjectIdentifier(type)
        lastVersion = spaces.version
        return space
    }

    /// What the session has of a hierarchy; nil where none of its classes was used in it.
    func usedHierarchy(of root: PersistentObject.Type) -> HierarchySpace? { spaces.hierarchy(of: root) }

    /// The space of the class that an object is of.
    func space(of object: PersistentObject) throws -> ClassSpace { try space(of: type(of: object)) }

    /// The identity maps of all classes used so far.
    var allIdentities: [IdentityMap] { spaces.allIdentities }

    /// Brings the tables of the class, and of all that it links to, to what the classes say.
    func prepareTable(of map: ClassMap) throws {
        guard !store.classes.isPrepared(map) else { return }
        // What it writes is no work of the user's.
        try withoutUndo { try SchemaPreparation(map, store.classes).run(in: self) }
    }
}

// Transactions.
extension Session {
    /// Runs `body` in a transaction that may write; where it throws the database is as before.
    func write<R>(_ body: () throws -> R) throws -> R {
        guard !isWriting else { throw Session.savesWhileSaving }
        let timeout = store.connectionOptions.busyTimeout
        guard store.writers.enter(timeout: timeout) else {
            throw StoreError(.busy, "another session of this process was writing for \(timeout) ms; save again")
        }
        isWriting = true
        defer {
            isWriting = false
            store.writers.leave()
        }
        try connection.begin()
        do {
            try undoHistory?.didBegin()
            noteDataVersion()
            let result = try body()
            try commit()
            knownVersion = connection.dataVersion
            return result
        } catch {
            connection.rollback()
            throw error
        }
    }

    /// Whatever is in memory may differ from the database: the next query that meets an object reads it again.
    func noteAllStale() { epoch &+= 1 }

    /// Forgets all objects: the identity maps go, and with them what says which object stands for which row.
    func forgetObjects() throws {
        guard !isWriting else { throw Session.savesWhileSaving }
        for identity in allIdentities { identity.sessionDidForget() }
        spaces = ClassSpaces()
        heldTargets = []
        notices = GraphNotices()
        lastSpace = nil
        lastClass = nil
    }

    /// Sees whether others have changed the database since; call it inside a transaction or while on a row.
    @inline(__always)
    func noteDataVersion() {
        let version = connection.dataVersion
        if version == knownVersion { return }
        if knownVersion != nil { epoch &+= 1 }
        knownVersion = version
    }
}

@available(*, unavailable, message: "a session belongs to one isolation domain; open one where you need it")
extension Session: Sendable {}
