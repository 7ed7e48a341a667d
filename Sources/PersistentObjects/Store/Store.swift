// Store: one database, with its settings, its connections and its writers' queue. It knows the engine, and must not
// know sessions, except that they end with the store.

internal import Foundation
@_spi(Locks) internal import StoreEngine

/// A database: its location, its configuration, and the connections to it.
///
/// ```swift
/// let store = try Store("people.sqlite")
/// try store.withSession { session in
///     print(try Person.count())
/// }
/// ```
///
/// A store can be used from any thread or task; sessions and objects belong to one isolation domain.
public final class Store: Sendable {
    let location: StoreLocation
    let engine: any Engine
    private let queue = Locked(WriterQueue())
    let lostEdits: LostEditsSink
    let classes = StoredClasses()
    let performs = PerformPlaces()
    let threads = StoreThreads()
    /// The steps of `migrate` that the program has registered, in order.
    let migrations = Locked<[String]>([])
    let hub = EventHub()
    let scanReports = ScanReports()
    private let settings: Locked<StoreSettings>
    let connections: Locked<ConnectionPool>
    /// The sessions of the store, which are in a layer above it.
    let dependent: any StoreDependent
    #if canImport(Darwin)
        private let pressure = Locked<MemoryPressure?>(nil)
    #endif
    /// A folder that is deleted with the store.
    private let temporaryFolder: TemporaryFolder?

    init(
        location: StoreLocation, configuration: Configuration, temporaryFolder: TemporaryFolder? = nil,
        engine: any Engine = StandardEngine.current, _ dependent: any StoreDependent
    ) {
        self.location = location
        self.engine = engine
        self.dependent = dependent
        self.temporaryFolder = temporaryFolder
        settings = Locked(StoreSettings(engine.isServer ? configuration.onServer : configuration))
        lostEdits = LostEditsSink(configuration)
        connections = Locked(ConnectionPool(location))
        #if canImport(Darwin)
            pressure.withLock { $0 = MemoryPressure { [weak self] in self?.releaseMemory() } }
        #endif
    }

    func openFirstConnection() throws {
        guard case .memory = location else { return give(back: try takeConnection()) }
        let anchor = try engine.open(location, options: connectionOptions)
        // A database in memory exists as long as any connection to it.
        connections.withLock { $0.anchor = ConnectionBox(anchor) }
    }

    deinit { close() }

    /// The file's path; nil for a store in memory or on a server.
    public var path: String? {
        if case .file(let path) = location { path } else { nil }
    }

    /// Whether the store is read-only, as configured; see ``Configuration/isReadOnly``.
    public var isReadOnly: Bool { connectionOptions.file.isReadOnly }

    /// The store's configuration.
    ///
    /// Settings that concern connections (durability, timeouts, permissions, functions, collations, everything about
    /// the file) apply to sessions opened after a change; if a setting is invalid, opening the next session throws.
    public var configuration: Configuration {
        get { settings.withLock { $0.configuration } }
        set {
            let new = engine.isServer ? newValue.onServer : newValue
            // Values held by its closures are released outside the lock.
            _ = settings.withLock { exchange(&$0, with: StoreSettings(new, after: $0)) }
            lostEdits.configure(newValue)
        }
    }

    /// Ends all sessions and closes the connections.
    ///
    /// After that, using the store, its sessions or their objects throws `sessionEnded`. A call in progress on another
    /// thread, or around this call, finishes as if the store were open; `close()` does not wait for it. A transaction
    /// consists of many calls: a transaction in progress is rolled back and throws. Events, streams and updates finish.
    /// Objects keep their values.
    ///
    /// A store that was used outside `withSession` lives until it is closed.
    ///
    /// ```swift
    /// store.close()
    /// ```
    public func close() {
        dependent.storeWillClose()
        hub.finish()
        connections.withLock { $0.close() }
    }
}

// Connections.
extension Store {
    var connectionOptions: ConnectionOptions { settings.withLock { $0.options } }

    /// The receiver of statement profiles; nil if there is none.
    var statementSink: StatementSink? { settings.withLock { $0.statements } }

    /// The encrypted values of properties; nil without a keyring.
    var sealed: SealedValues? { settings.withLock { $0.sealed } }

    var schemaSettings: SchemaSettings { settings.withLock { $0.schema } }

    /// The time that a write waits for another write, in milliseconds. Read by each write.
    var busyTimeout: Int32 { settings.withLock { $0.options.busyTimeout } }

    /// The number of `perform` calls that run at once.
    var concurrency: Int { settings.withLock { max(1, $0.configuration.concurrency) } }

    /// An idle connection, or a new one.
    func takeConnection() throws -> any Connection {
        try ProcessCopy.check()
        if case .memory = location, writers.isHeld(on: RunningThread.id) {
            throw StoreError(
                .misuse,
                "This session would deadlock: it is opened inside a transaction or save of another session, and a "
                    + "store in memory cannot be read by other sessions before that ends")
        }
        let options = connectionOptions
        let (idle, file) = try connections.withLock { (pool) throws(StoreError) in
            (try pool.take(options), pool.file)
        }
        if let idle, let connection = ready(idle) { return connection }
        let made: any Connection
        do { made = try open(options, expecting: file) } catch {
            guard let other = try awaitConnection(after: error, options) else { throw error }
            return other
        }
        connections.withLock { pool in
            pool.idle.didOpen()
            guard pool.file == nil, let file = made.fileIdentity else { return }
            pool.file = file
            // Nothing has been written yet, because every connection is opened here.
            queue.withLock { $0 = SharedWriters.queue(of: file, or: $0) }
        }
        return made
    }

    /// Opens a connection, which may have to wait for other writers or for the disk. If the task is cancelled in the
    /// meantime, it throws `CancellationError`, like any other call.
    func open(_ options: ConnectionOptions, expecting file: FileIdentity?) throws -> any Connection {
        do { return try engine.open(location, options: options, expecting: file) } catch {
            throw error.code == .cancelled ? CancellationError() : error
        }
    }

    /// Closes idle connections; the next session opens the file that is then at the path.
    func forgetConnections() {
        let idle = connections.withLock { pool in
            pool.file = nil
            return pool.idle.takeAll()
        }
        // They are closed outside the lock.
        withExtendedLifetime(idle) {}
    }

    /// The queue of writers, which take turns; shared by all stores of the file in this process.
    var writers: WriterQueue { queue.withLock { $0 } }

    /// Releases the memory of connections that no session uses.
    func releaseIdleMemory() {
        let idle = connections.withLock { $0.idle.takeAll() }
        for box in idle {
            box.connection.releaseMemory()
            give(back: box.connection)
        }
    }

    func give(back connection: any Connection) {
        let box = ConnectionBox((connection as? WatchedConnection)?.inner ?? connection)
        let limit = ConnectionPool.limit(concurrency)
        let surplus = connections.withLock { $0.put(box, limit) }
        // It is closed outside the lock.
        withExtendedLifetime(surplus) {}
    }
}

/// An object that ends with a store, which knows it only by this protocol.
protocol StoreDependent: AnyObject, Sendable {
    /// Ends everything that still uses the store's connections.
    func storeWillClose()
    /// Releases memory that is not in use.
    func releaseMemory()
}
