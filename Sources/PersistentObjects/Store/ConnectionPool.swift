internal import Dispatch
@_spi(Locks) internal import StoreEngine

/// The connections of a store, which are expensive to open.
struct ConnectionPool {
    private(set) var idle: IdleConnections
    /// The schema that the store has named, whose idle connections it shares with other stores.
    private let schema: String?
    private var options: ConnectionOptions?
    private var isClosed = false
    /// Keeps a database in memory alive.
    var anchor: ConnectionBox?
    /// The file that the first connection opened. Another file at the same path is not the store.
    var file: FileIdentity?

    init(_ location: StoreLocation) {
        idle = IdleConnections.of(location)
        if case .server(_, let schema) = location { self.schema = schema } else { schema = nil }
    }

    /// The number of idle connections to keep: one for each concurrent `perform`, and some for other sessions.
    static func limit(_ concurrency: Int) -> Int { max(4, concurrency + 2) }

    mutating func take(_ wanted: ConnectionOptions) throws(StoreError) -> ConnectionBox? {
        guard !isClosed else { throw StoreError(.sessionEnded, "The store is closed") }
        if options != wanted {
            options = wanted
            if schema == nil { _ = idle.takeAll() }
        }
        return idle.take(wanted, for: schema)
    }

    /// - Returns: A connection that is one too many, to be closed outside the lock.
    func put(_ box: ConnectionBox, _ limit: Int) -> ConnectionBox? {
        guard !isClosed, !box.connection.isInTransaction else { return box }
        return idle.put(box, limit)
    }

    mutating func close() {
        isClosed = true
        idle = IdleConnections()
        anchor = nil
    }
}

/// A session that waits for a connection, because the server accepts no further ones.
final class ConnectionWaiter: @unchecked Sendable {  // a lock protects the connection
    /// The options of the connection that it waits for.
    let options: ConnectionOptions
    private let signal = DispatchSemaphore(value: 0)
    private var box: ConnectionBox?

    init(_ options: ConnectionOptions) { self.options = options }

    /// Called under the lock of the idle connections.
    func receive(_ box: ConnectionBox) {
        self.box = box
        signal.signal()
    }

    /// Takes the received connection. Called under the lock of the idle connections.
    func take() -> ConnectionBox? { exchange(&box, with: nil) }

    /// Waits until a connection was received, or the time has passed.
    func wait(_ milliseconds: Int) { _ = signal.wait(timeout: .now() + .milliseconds(milliseconds)) }
}

/// Passes a connection from one session to the next; one session has it at a time.
final class ConnectionBox: @unchecked Sendable {  // one session uses it at a time
    let connection: any Connection
    init(_ connection: any Connection) { self.connection = connection }

    private var shared: (any SharedConnection)? { connection as? any SharedConnection }

    /// The schema of a server for whose store it works.
    var schemaName: String? { shared?.schemaName }

    /// Whether a store with these options can use it. Files have no connections to choose from.
    func suits(_ options: ConnectionOptions) -> Bool { shared.map { $0.options == options } ?? true }
}

extension Store {
    /// The interval at which a waiting session tries to open a connection, in milliseconds.
    private static let timeBetweenTries = 50

    /// Waits for a connection if a server that accepted one before accepts no further one: it has reached its limit,
    /// or it is restarting. Sessions get the connections in the order in which they began to wait.
    ///
    /// - Returns: Nil if the wait would be pointless, or has lasted for `busyTimeout`.
    func awaitConnection(after error: any Error, _ options: ConnectionOptions) throws -> (any Connection)? {
        let idle = connections.withLock { $0.idle }
        guard engine.isServer, (error as? StoreError)?.code == .cannotOpen, idle.hasOpened else { return nil }
        let waiter = ConnectionWaiter(options)
        idle.add(waiter)
        defer {
            // A connection that arrives at the last moment goes to the next session.
            if let late = idle.remove(waiter) { give(back: late.connection) }
        }
        let end = ContinuousClock.now + .milliseconds(Int(options.busyTimeout))
        while ContinuousClock.now < end {
            waiter.wait(Store.timeBetweenTries)
            let isNext = idle.isNext(waiter)
            let received = idle.received(by: waiter)
            let box = try received ?? connections.withLock { (pool) throws(StoreError) in try pool.take(options) }
            if let connection = box.flatMap(ready) { return connection }
            if Task.isCancelled { throw CancellationError() }
            // Another program may have closed a connection.
            if isNext || received != nil, let made = try? open(options, expecting: nil) { return made }
            // The received connection could not be used.
            if received != nil { idle.add(waiter) }
        }
        return nil
    }

    /// The connection, which works for the store's schema from here on; nil if it cannot, and must be closed.
    func ready(_ box: ConnectionBox) -> (any Connection)? {
        guard case .server(_, let schema?) = location, let connection = box.connection as? any SharedConnection else {
            return box.connection
        }
        do { try connection.enter(schema) } catch { return nil }
        return connection
    }
}
