internal import StoreEngine
internal import Synchronization

/// What goes wrong in the connections of a `LoggingEngine`: the n-th of a kind from now on, once.
package final class EngineFaults: Sendable {
    package enum Kind: Sendable, CaseIterable {
        /// A call fails as on a disk that does not read.
        case call
        /// A value is not taken for a statement.
        case binding
        /// A column gives a value of another kind than it holds.
        case value
        /// A column gives no value.
        case missing
    }

    /// SQLite's code for an error of input or output.
    static let code: Int32 = 10

    private struct State {
        var kind: Kind?
        var left = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// From now on the n-th of this kind goes wrong; the first is 1.
    package func arm(_ kind: Kind, _ number: Int) {
        state.withLock { $0 = State(kind: kind, left: number) }
    }

    /// From now on all goes well.
    ///
    /// - Returns: whether something has gone wrong.
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
