/// A work that consists of two closures and a budget.
///
/// Its sides need not be the library and hand-written code. To measure the growth of a cost, both sides use the
/// library.
struct Comparison: Work {
    let name: String
    let group: Group
    let budget: Budget
    let fixture: Fixture
    private let count: @Sendable (Int) -> Int
    private let oursSide: @Sendable (Trial) throws -> Measurement
    private let floorSide: @Sendable (Trial) throws -> Measurement

    /// - Parameter count: Returns the number of operations for a number of rows.
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
    /// Nil, because both sides must have the same result.
    func expected(rows: Int) -> Tally? { nil }
    func ours(_ trial: Trial) throws -> Measurement { try oursSide(trial) }
    func floor(_ trial: Trial) throws -> Measurement { try floorSide(trial) }
}

extension Measurement {
    /// Times `body`, whose result must be the same on both sides.
    static func timing(_ body: () throws -> Int) rethrows -> Measurement {
        let (sum, time) = try Stopwatch.time(body)
        var tally = Tally()
        tally.count = sum
        return Measurement(amount: time, tally: tally)
    }
}
