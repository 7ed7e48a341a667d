@_spi(Locks) internal import StoreEngine

/// Faults in the connections of a `LoggingEngine`: the n-th call of a kind fails, once.
package final class EngineFaults: Sendable {
    package enum Kind: Sendable, CaseIterable {
        /// A call fails as if the disk could not be read.
        case call
        /// A statement rejects a value.
        case binding
        /// A column returns a value of another kind than it stores.
        case value
        /// A column returns NULL.
        case missing
    }

    /// SQLite's result code for an input or output error.
    static let code: Int32 = 10

    private struct State {
        var kind: Kind?
        var left = 0
    }

    private let state = Locked(State())

    package init() {}

    /// Makes the n-th call of this kind from now on fail, counted from 1.
    package func arm(_ kind: Kind, _ number: Int) {
        state.withLock { $0 = State(kind: kind, left: number) }
    }

    /// Ends the faults.
    ///
    /// - Returns: Whether a fault occurred.
    @discardableResult
    package func disarm() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.left <= 0
        }
    }

    func isDue(_ kind: Kind) -> Bool {
        state.withLock { state in
            guard state.kind == kind else { return false }
            state.left -= 1
            return state.left == 0
        }
    }

    /// A value of another kind.
    static func strange(_ cell: Cell) -> Cell { cell.storageClass == .blob ? Cell(-1.5) : Cell(blob: nil, count: 0) }
}
