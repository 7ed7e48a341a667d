import ModelRuns

/// The plan of an operation.
struct IsolationPlan: Sendable {
    enum Kind {
        /// Reads in `reading { }`.
        case reading
        /// Reads and appends in `transaction { }`.
        case transaction
        /// One read outside both.
        case query
        /// One save of an object in memory.
        case save
        case undo
    }

    enum Rollback { case no, byError, byCall }

    var kind: Kind
    var steps: [History.Step] = []
    /// Whether and how the whole operation is rolled back.
    var rollback = Rollback.no
    var retries = 0
    var limit: Duration?
    /// The time after which the task is cancelled, in microseconds.
    var cancelsAfter: Int?
    var seed: UInt64

    /// A random plan for these lists. `value` returns a new value to append.
    init(_ lists: Range<Int>, _ random: inout Randomness, canUndo: Bool, _ value: () -> Int) {
        seed = random.next()
        func list() -> Int { Int.random(in: lists, using: &random) }
        switch random.below(100) {
        case 0..<8 where canUndo: kind = .undo
        case 0..<25:
            kind = .reading
            let some = (0..<2 + random.below(3)).map { _ in list() }
            steps = (some + some.shuffled(using: &random).prefix(2)).map { .read(list: $0, []) }
        case 25..<35:
            kind = .query
            steps = [.read(list: list(), [])]
        case 35..<55:
            kind = .save
            steps = [.append(list: list(), value: value())]
        default:
            kind = .transaction
            var depth = 0
            for _ in 0..<1 + random.below(6) {
                switch random.below(20) {
                case 0..<8: steps.append(.read(list: list(), []))
                case 8..<16: steps.append(.append(list: list(), value: value()))
                case 16..<18 where depth < 2:
                    steps.append(.begin)
                    depth += 1
                default:
                    guard depth > 0 else { continue }
                    steps.append(random.chance(0.5) ? .commit : .rollback)
                    depth -= 1
                }
            }
            for _ in 0..<depth { steps.append(random.chance(0.5) ? .commit : .rollback) }
            if random.chance(0.1) { rollback = random.chance(0.5) ? .byError : .byCall }
            if random.chance(0.2) { retries = 2 }
        }
        if random.chance(0.08) { limit = .microseconds(random.logarithmic(20_000)) }
        if random.chance(0.3) { cancelsAfter = random.logarithmic(5_000) }
    }
}
