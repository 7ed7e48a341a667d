@_spi(Locks) internal import StoreEngine

/// Idle connections, and the sessions that wait for a connection.
///
/// They belong to one store, or to all stores of a server that have named a schema.
final class IdleConnections: Sendable {
    private struct State {
        /// The most recently used connection is last.
        var boxes: [ConnectionBox] = []
        var waiters: [ConnectionWaiter] = []
        var hasOpened = false
    }

    private let state = Locked(State())

    /// Removes and returns a connection, preferably one that works for the schema; nil if there is none.
    ///
    /// The stores of a server can have different options, so their connections are compared with the wanted ones.
    func take(_ options: ConnectionOptions, for schema: String?) -> ConnectionBox? {
        state.withLock { state in
            guard let schema else { return state.boxes.popLast() }
            let place =
                state.boxes.lastIndex { $0.suits(options) && $0.schemaName == schema }
                ?? state.boxes.firstIndex { $0.suits(options) }
            return place.map { state.boxes.remove(at: $0) }
        }
    }

    /// Removes and returns all connections.
    func takeAll() -> [ConnectionBox] { state.withLock { exchange(&$0.boxes, with: []) } }

    /// Gives a connection to the first session that waits for such a connection, or keeps it.
    ///
    /// - Returns: A connection that is one too many, to be closed outside locks.
    func put(_ box: ConnectionBox, _ limit: Int) -> ConnectionBox? {
        state.withLock { state in
            if let place = state.waiters.firstIndex(where: { box.suits($0.options) }) {
                state.waiters.remove(at: place).receive(box)
                return nil
            }
            state.boxes.append(box)
            return state.boxes.count > limit ? state.boxes.removeFirst() : nil
        }
    }

    /// Whether a connection was opened before.
    var hasOpened: Bool { state.withLock { $0.hasOpened } }

    func didOpen() { state.withLock { $0.hasOpened = true } }

    func add(_ waiter: ConnectionWaiter) { state.withLock { $0.waiters.append(waiter) } }

    /// Removes a waiter, and returns the connection that it has received and not taken.
    func remove(_ waiter: ConnectionWaiter) -> ConnectionBox? {
        state.withLock { state in
            state.waiters.removeAll { $0 === waiter }
            return waiter.take()
        }
    }

    /// Takes the connection that a waiter has received.
    func received(by waiter: ConnectionWaiter) -> ConnectionBox? { state.withLock { _ in waiter.take() } }

    /// Whether a waiter is the next to get a connection.
    func isNext(_ waiter: ConnectionWaiter) -> Bool { state.withLock { $0.waiters.first === waiter } }
}

extension IdleConnections {
    private struct Weakly {
        weak var connections: IdleConnections?
    }

    private static let shared = Locked<[String: Weakly]>([:])

    /// The connections that a store of a location uses.
    ///
    /// The stores of a server that have named a schema share connections, so that a program with hundreds of such stores
    /// needs only as many connections as it uses at a time.
    static func of(_ location: StoreLocation) -> IdleConnections {
        guard case .server(let address, .some) = location else { return IdleConnections() }
        return shared.withLock { shared in
            if let known = shared[address]?.connections { return known }
            shared = shared.filter { $0.value.connections != nil }
            let made = IdleConnections()
            shared[address] = Weakly(connections: made)
            return made
        }
    }
}
