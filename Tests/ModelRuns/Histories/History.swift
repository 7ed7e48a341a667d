/// What processes have done to lists that are appended to, each value once, and what the lists were in the end.
///
/// It knows nothing of stores: what it says is judged by itself, as Jepsen does.
public struct History: Sendable {
    /// What was done inside an operation, in order.
    public enum Step: Equatable, Sendable {
        case read(list: Int, [Int])
        case append(list: Int, value: Int)
        /// An inner transaction, and how it ended.
        case begin, commit, rollback
    }

    public enum Kind: Equatable, Sendable {
        /// Steps in one transaction, or in one state.
        case steps
        /// Takes back what another operation has appended.
        case undo(of: Int)
    }

    /// What became of an operation: it was acknowledged, or refused or rolled back, or its process ended before either.
    public enum Outcome: Character, Sendable {
        case done = "+", failed = "-", unknown = "?"
    }

    public struct Operation: Equatable, Sendable {
        public var id: Int
        public var kind: Kind
        /// What whoever reads the history calls it: one word.
        public var name = "steps"
        /// What it was to do where the outcome is unknown, else what it has done.
        public var steps: [Step]
        public var outcome: Outcome
        /// On one clock for all processes; an operation that did not come to its end has `Int.max`.
        public var began: Int, ended: Int

        public init(
            _ id: Int, _ steps: [Step], _ outcome: Outcome, kind: Kind = .steps, from began: Int, to ended: Int = .max
        ) {
            (self.id, self.kind, self.steps, self.outcome) = (id, kind, steps, outcome)
            (self.began, self.ended) = (began, ended)
        }
    }

    public var operations: [Operation]
    /// What each list is in the end.
    public var lists: [Int: [Int]]

    public init(_ operations: [Operation], lists: [Int: [Int]]) {
        (self.operations, self.lists) = (operations, lists)
    }
}

extension History.Operation {
    /// Whether anything is left of what it appends.
    public var keepsAppends: Bool { !appends.isEmpty }

    /// What it has read of lists before it appended to them: the values of others.
    var reads: [(list: Int, values: [Int])] {
        var own: Set<Int> = [], seen: Set<Int> = [], found: [(list: Int, values: [Int])] = []
        for case .append(_, let value) in steps { own.insert(value) }
        for case .read(let list, let values) in steps where seen.insert(list).inserted {
            found.append((list, values.filter { !own.contains($0) }))
        }
        return found
    }

    /// What it appends, less what its inner transactions have taken back.
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
