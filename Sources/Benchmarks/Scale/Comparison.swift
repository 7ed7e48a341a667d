/// A work in a few lines: two closures and what they are held to.
///
/// Its two sides need not be the library and hand-written code: where the
/// question is how a cost grows, the other side is the library too.
struct Comparison: Work {
    let name: String
    let group: Group
    let budget: Budget
    let fixture: Fixture
    private let count: @Sendable (Int) -> Int
    private let oursSide: @Sendable (Trial) throws -> Measurement
    private let floorSide: @Sendable (Trial) throws -> Measurement

    /// - Parameter count: The number of operations of the stretch in a table with that many rows.
    init(
        _ name: String, _ group: Group, _ budget: Budget, on fixture: Fixture,
        operations count: @escaping @Sendable (Int) -> Int = { $0 },
        ours: @escaping @Sendable (Trial) throws -> Measurement,
        floor: @escaping @Sendable (Trial) throws -> Measurement
    ) {
        (self.name, self.group, self.budget, self.fixture, self.count) = (name, group, budget, fixture, count)
        (oursSide, floorSide) = (ours, floor)
    }

    func operations(rows: Int) -> Int { max(1, count(rows)) }
    /// Both sides must give the same.
    func expected(rows: Int) -> Tally? { nil }
    func ours(_ trial: Trial) throws -> Measurement { try oursSide(trial) }
    func floor(_ trial: Trial) throws -> Measurement { try floorSide(trial) }
}

extension Measurement {
    /// Times `body`, whose answer must be the same on both sides.
    static func timing(_ body: () throws -> Int) rethrows -> Measurement {
        let (sum, time) = try Stopwatch.time(body)
        var tally = Tally()
        tally.count = sum
        return Measurement(amount: time, tally: tally)
    }
}
