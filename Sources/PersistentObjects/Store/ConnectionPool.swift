internal import Dispatch
@_spi(Locks) internal import StoreEngine

/// Idle connections, which are expensive to open, and the sessions that wait for a connection.
struct ConnectionPool {
    private var idle: [ConnectionBox] = []
    private var waiters: [ConnectionWaiter] = []
    private var options: ConnectionOptions?
    private var isClosed = false
    /// Whether a connection was opened before.
    var hasOpened = false
    /// Keeps a database in memory alive.
    var anchor: ConnectionBox?
    /// The file that the first connection opened. Another file at the same path is not the store.
    var file: FileIdentity?

    /// The number of idle connections to keep: one for each concurrent `perform`, and some for other sessions.
    static func limit(_ concurrency: Int) -> Int { max(4, concurrency + 2) }

    mutating func take(_ wanted: ConnectionOptions) throws(StoreError) -> ConnectionBox? {
        guard !isClosed else { throw StoreError(.sessionEnded, "The store is closed") }
        if options != wanted {
            options = wanted
            idle = []
        }
        return idle.popLast()
    }

    /// Removes and returns the idle connections.
    mutating func takeAll() -> [ConnectionBox] {
        defer { idle = [] }
        return idle
    }

    mutating func put(_ box: ConnectionBox, _ limit: Int) {
        guard !isClosed, !box.connection.isInTransaction else { return }
        guard waiters.isEmpty else { return waiters.removeFirst().receive(box) }
        if idle.count < limit { idle.append(box) }
    }

    mutating func add(_ waiter: ConnectionWaiter) { waiters.append(waiter) }

    mutating func remove(_ waiter: ConnectionWaiter) { waiters.removeAll { $0 === waiter } }

    /// Whether a waiter is the next to get a connection.
    func isNext(_ waiter: ConnectionWaiter) -> Bool { waiters.first === waiter }

    mutating func close() {
        isClosed = true
        idle = []
        anchor = nil
    }
}

/// A session that waits for a connection, because the server accepts no further ones.
final class ConnectionWaiter: @unchecked Sendable {  // the pool's lock protects the connection
    private let signal = DispatchSemaphore(value: 0)
    private var box: ConnectionBox?

    /// Called under the pool's lock.
    fileprivate func receive(_ box: ConnectionBox) {
        self.box = box
        signal.signal()
    }

    /// Takes the received connection. Called under the pool's lock.
    func take() -> ConnectionBox? { exchange(&box, with: nil) }

    /// Waits until a connection was received, or the time has passed.
    func wait(_ milliseconds: Int) { _ = signal.wait(timeout: .now() + .milliseconds(milliseconds)) }
}

/// Passes a connection from one session to the next; one session has it at a time.
final class ConnectionBox: @unchecked Sendable {  // one session uses it at a time
    let connection: any Connection
    init(_ connection: any Connection) { self.connection = connection }
}

extension Store {
    /// The interval at which a waiting session tries to open a connection, in milliseconds.
    private static let timeBetweenTries = 50

    /// Waits for a connection if a server that accepted one before accepts no further one: it has reached its limit,
    /// or it is restarting. Sessions get the connections in the order in which they began to wait.
    ///
    /// - Returns: Nil if the wait would be pointless, or has lasted for `busyTimeout`.
    func awaitConnection(after error: any Error, _ options: ConnectionOptions) throws -> (any Connection)? {
        guard engine.isServer, (error as? StoreError)?.code == .cannotOpen, connections.withLock({ $0.hasOpened })
        else { return nil }
        let waiter = ConnectionWaiter()
        connections.withLock { $0.add(waiter) }
        defer {
            // A connection that arrives at the last moment goes to the next session.
            let late = connections.withLock { pool in
                pool.remove(waiter)
                return waiter.take()
            }
            if let late { give(back: late.connection) }
        }
        let end = ContinuousClock.now + .milliseconds(Int(options.busyTimeout))
        while ContinuousClock.now < end {
            waiter.wait(Store.timeBetweenTries)
            let (box, isNext) = try connections.withLock { (pool) throws(StoreError) in
                if let box = waiter.take() { return (Optional(box), false) }
                return (try pool.take(options), pool.isNext(waiter))
            }
            if let box { return box.connection }
            if Task.isCancelled { throw CancellationError() }
            // Another program may have closed a connection.
            if isNext, let made = try? open(options, expecting: nil) { return made }
        }
        return nil
    }
}
