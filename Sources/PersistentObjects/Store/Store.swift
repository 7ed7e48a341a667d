internal import Foundation
internal import StoreEngine

/// One database: where it is, how it behaves, and the connections to it.
///
/// ```swift
/// let store = try Store("people.sqlite")
/// try store.withSession { session in
///     print(try Person.count())
/// }
/// ```
///
/// A store can be used from anywhere; sessions and objects belong to one
/// isolation domain.
public final class Store: Sendable {
    let location: StoreLocation
    let writers = WriterQueue()
    let lostEdits: LostEditsSink
    let classes = StoredClasses()
    let executor = StoreExecutor()
    let hub = EventHub()
    private let settings: Locked<StoreSettings>
    private let connections: Locked<ConnectionPool>
    let sessions = OpenSessions()
    let tasks = TaskSessions()
    private let main = Locked<MainSession>(.notOpen)
    /// A folder that goes away with the store.
    private let temporaryFolder: TemporaryFolder?

    private enum MainSession {
        case notOpen
        case open(SessionBox)
        case closed
    }

    init(location: StoreLocation, configuration: Configuration, temporaryFolder: TemporaryFolder? = nil) {
        self.location = location
        self.temporaryFolder = temporaryFolder
        settings = Locked(StoreSettings(configuration))
        lostEdits = LostEditsSink(configuration)
        connections = Locked(ConnectionPool())
    }

    /// Opens the store in a file; a file that is missing or empty becomes one.
    ///
    /// `:memory:` is no file, as in SQLite: it is a store in memory, each time
    /// another one, as `inMemory()` makes them. An empty path is refused: it is
    /// a setting that is missing.
    ///
    /// - Throws: `StoreError` where the path is a folder or in a missing
    ///   folder, or the file is no database, damaged, read-only, or another
    ///   program's.
    public convenience init(_ path: String, configuration: Configuration = .init()) throws {
        let location: StoreLocation =
            path == Store.memoryPath ? .newMemory : .file(path: Store.absolute(path))
        self.init(location: location, configuration: configuration)
        try openFirstConnection()
    }

    /// A store in memory, which is gone with the last reference to it.
    public static func inMemory(configuration: Configuration = .init()) throws -> Store {
        try Store(memoryPath, configuration: configuration)
    }

    private static let memoryPath = ":memory:"

    private func openFirstConnection() throws {
        guard case .memory = location else { return give(back: try takeConnection()) }
        let anchor = try SQLiteConnection(location, options: connectionOptions)
        // The database lives as long as any connection to it.
        connections.withLock { $0.anchor = ConnectionBox(anchor) }
    }

    /// A store in a file of its own in the system's temporary folder, which is deleted with the last reference to it.
    ///
    /// Its folder is the user's own: nobody else can look into it. Folders that
    /// processes have left that were killed go with the first temporary store
    /// of a later process of the same user.
    public static func temporary(configuration: Configuration = .init()) throws -> Store {
        try Store(in: TemporaryFolder(), configuration: configuration)
    }

    /// Opens the store in the file of a folder, which it holds.
    package convenience init(in folder: TemporaryFolder, configuration: Configuration) throws {
        self.init(location: .file(path: folder.storePath), configuration: configuration, temporaryFolder: folder)
        try openFirstConnection()
    }

    deinit { close() }

    /// The file's path; nil for a store in memory.
    public var path: String? {
        if case .file(let path) = location { path } else { nil }
    }

    /// How the store behaves.
    ///
    /// Durability, timeouts, permissions, functions and collations count for sessions opened after a change; one of
    /// them that cannot be is an error of the next session.
    public var configuration: Configuration {
        get { settings.withLock { $0.configuration } }
        set {
            // What its closures hold ends outside of the lock.
            _ = settings.withLock { exchange(&$0, with: StoreSettings(newValue)) }
            lostEdits.configure(newValue)
        }
    }

    /// Ends all sessions and closes the connections; what is done with the store, its sessions or their objects
    /// afterwards throws `sessionEnded`.
    ///
    /// A call that is under way on another thread, or around this one, ends as
    /// if the store were open; `close()` does not wait for it. A transaction is
    /// many calls: one that is under way is rolled back and throws. Events,
    /// streams and updates finish. Objects keep their values.
    ///
    /// A store that was used outside of `withSession` lives until it is closed.
    ///
    /// ```swift
    /// store.close()
    /// ```
    public func close() {
        let open = sessions.close()
        // The last reference to a session is not given up under the lock.
        let session = main.withLock { exchange(&$0, with: .closed) }
        withExtendedLifetime(session) { for session in open { session.end() } }
        tasks.close()
        hub.finish()
        connections.withLock { $0.close() }
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        // A later change of the current folder must not move the store.
        let folder = FileManager.default.currentDirectoryPath
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }
}

// Sessions.
extension Store {
    /// The session for calls outside `withSession`: a task's own where its code is in no actor, else the main one.
    func ownSession() throws -> Session {
        guard let task = RunningTask.outsideActors else { return try mainSession() }
        return try tasks.session(of: task, in: self)
    }

    /// The session of actors, and of what is in no task; opened at first use.
    func mainSession() throws -> Session {
        let known: SessionBox? = try main.withLock { main in
            switch main {
            case .open(let box): return box
            case .closed: throw StoreError(.sessionEnded, "the store is closed")
            case .notOpen: return nil
            }
        }
        if let known { return known.session }
        let made = SessionBox(try Session(self))
        // Another thread may have been first.
        let chosen: SessionBox? = main.withLock { main in
            switch main {
            case .open(let box): return box
            case .closed: return nil
            case .notOpen:
                main = .open(made)
                return made
            }
        }
        if chosen !== made { made.session.end() }
        guard let chosen else { throw StoreError(.sessionEnded, "the store is closed") }
        return chosen.session
    }

    /// Calls `body` with a new session; inside, `Person.find…` and the like use it.
    ///
    /// The session ends with `body`; objects of it keep their values, but for
    /// those of inverses, and cannot be saved any more.
    ///
    /// ```swift
    /// let count = try store.withSession { session in try Person.count() }
    /// ```
    public func withSession<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Session) throws -> R
    ) throws -> R {
        let session = try Session(self)
        defer { session.end(isHere: true) }
        return try CurrentSession.with(session) { try body(session) }
    }

    /// Calls the asynchronous `body` with a new session; inside, `Person.find…` and the like use it.
    public func withSession<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Session) async throws -> R
    ) async throws -> R {
        let session = try Session(self)
        defer { session.end(isHere: true) }
        return try await CurrentSession.with(session, isolation: isolation) { try await body(session) }
    }
}

// Connections.
extension Store {
    var connectionOptions: ConnectionOptions { settings.withLock { $0.options } }

    /// How long a write waits for another, in milliseconds. Asked by each write.
    var busyTimeout: Int32 { settings.withLock { $0.options.busyTimeout } }

    /// An idle connection, or a new one.
    func takeConnection() throws(StoreError) -> SQLiteConnection {
        if path == nil, writers.isHeld(on: SessionGate.thisThread) {
            throw StoreError(
                .misuse,
                "the session would wait for itself: it is opened inside a transaction or save of another session, and a "
                    + "store in memory cannot be read by others before that has ended")
        }
        let options = connectionOptions
        let (idle, file) = try connections.withLock { (pool) throws(StoreError) in
            (try pool.take(options), pool.file)
        }
        if let idle { return idle.connection }
        let made = try SQLiteConnection(location, options: options, expecting: file)
        connections.withLock { $0.file = $0.file ?? made.fileIdentity }
        return made
    }

    func give(back connection: SQLiteConnection) {
        let box = ConnectionBox(connection)
        connections.withLock { $0.put(box) }
    }
}

extension StoreLocation {
    /// A database in memory that no other store has.
    fileprivate static var newMemory: StoreLocation { .memory(name: UUID().uuidString) }
}

/// Idle connections, which are dear to open.
private struct ConnectionPool {
    private var idle: [ConnectionBox] = []
    private var options: ConnectionOptions?
    private var isClosed = false
    /// Keeps a database in memory alive.
    var anchor: ConnectionBox?
    /// The file that the first connection opened: another in its place is not the store.
    var file: FileIdentity?

    private static let limit = 4

    mutating func take(_ wanted: ConnectionOptions) throws(StoreError) -> ConnectionBox? {
        guard !isClosed else { throw StoreError(.sessionEnded, "the store is closed") }
        if options != wanted {
            options = wanted
            idle = []
        }
        return idle.popLast()
    }

    mutating func put(_ box: ConnectionBox) {
        guard !isClosed, idle.count < ConnectionPool.limit, !box.connection.isInTransaction else { return }
        idle.append(box)
    }

    mutating func close() {
        isClosed = true
        idle = []
        anchor = nil
    }
}

/// Hands a connection from one session to the next; one has it at a time.
final class ConnectionBox: @unchecked Sendable {  // used by whoever has it
    let connection: SQLiteConnection
    init(_ connection: SQLiteConnection) { self.connection = connection }
}

/// Carries a session to where its store or its task needs it; the session's gate sees to it that uses do not overlap.
final class SessionBox: @unchecked Sendable {
    let session: Session
    init(_ session: Session) { self.session = session }
}
