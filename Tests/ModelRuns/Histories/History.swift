/// The operations of processes on append-only lists with unique values, and the final lists.
///
/// It does not depend on stores, so a history can be checked by itself, as in Jepsen.
public struct History: Sendable {
    /// A step of an operation.
    public enum Step: Equatable, Sendable {
        case read(list: Int, [Int])
        case append(list: Int, value: Int)
        /// The start or the end of an inner transaction.
        case begin, commit, rollback
    }

    public enum Kind: Equatable, Sendable {
        /// Steps in one transaction, or on one state.
        case steps
        /// An undo of another operation's appends.
        case undo(of: Int)
    }

    /// The outcome of an operation: it was acknowledged, or it was refused or rolled back, or its process ended before.
    public enum Outcome: Character, Sendable {
        case done = "+", failed = "-", unknown = "?"
    }

    public struct Operation: Equatable, Sendable {
        public var id: Int
        public var kind: Kind
        /// A name for readers of the history, of one word.
        public var name = "steps"
        /// The planned steps if the outcome is unknown; otherwise the executed steps.
        public var steps: [Step]
        public var outcome: Outcome
        /// Times on one clock for all processes. An operation that did not end has `Int.max`.
        public var began: Int, ended: Int

        public init(
            _ id: Int, _ steps: [Step], _ outcome: Outcome, kind: Kind = .steps, from began: Int, to ended: Int = .max
        ) {
            (self.id, self.kind, self.steps, self.outcome) = (id, kind, steps, outcome)
            (self.began, self.ended) = (began, ended)
        }
    }

    public var operations: [Operation]
    /// The final lists.
    public var lists: [Int: [Int]]

    public init(_ operations: [Operation], lists: [Int: [Int]]) {
        (self.operations, self.lists) = (operations, lists)
    }
}

extension History.Operation {
    /// Whether any of its appends are kept.
    public var keepsAppends: Bool { !appends.isEmpty }

    /// The first read of each list, without its own values.
    var reads: [(list: Int, values: [Int])] {
        var own: Set<Int> = [], seen: Set<Int> = [], found: [(list: Int, values: [Int])] = []
        for case .append(_, let value) in steps { own.insert(value) }
        for case .read(let list, let values) in steps where seen.insert(list).inserted {
            found.append((list, values.filter { !own.contains($0) }))
        }
        return found
    }

    /// Its appends, without those that inner transactions have rolled back.
    var appends: [(list: Int, value: Int)] {
        var levels: [[(list: Int, value: Int)]] = [[]]
        for step in steps {
            switch step {
            case .read: break
            case .append(let list, let value): levels[levels.count - 1].append((list, value))
            case .begin: levels.append([])
            case .commit where levels.count > 1: levels[levels.count - 2] += levels.removeLast()
            case .rollback where levels.count > 1: levels.removeLast()
            case .commit, .rollback: break
            }
        }
        return levels.flatMap { $0 }
    }
}
