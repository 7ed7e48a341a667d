import TestSupport
import Testing

@testable import PersistentObjects

/// The changes of an array's rows, applied to an in-memory table.
@Suite struct PositionPlanTests {
    /// The rows by position; each position exists once.
    struct Table {
        var rows: [Int64: Int] = [:]

        init(_ values: [Int], positions: [Int64]? = nil) {
            for (index, value) in values.enumerated() {
                rows[positions?[index] ?? Int64(index + 1) * PositionPlan.step] = value
            }
        }

        var positions: [Int64] { rows.keys.sorted() }
        var values: [Int] { positions.compactMap { rows[$0] } }

        mutating func run(_ plan: PositionPlan, _ new: [Int]) {
            for range in plan.deletes { rows = rows.filter { !range.contains($0.key) } }
            for move in plan.moves {
                #expect(rows[move.to] == nil, "a row comes to where another is")
                let row = rows.removeValue(forKey: move.from)
                #expect(row != nil, "a row is moved that is not there")
                rows[move.to] = row
            }
            for update in plan.updates {
                #expect(rows[update.position] != nil)
                rows[update.position] = new[update.index]
            }
            for insert in plan.inserts {
                #expect(rows[insert.position] == nil)
                rows[insert.position] = new[insert.index]
            }
        }
    }

    /// The plan as the writer makes it, with only the positions that it reads.
    private static func plan(_ old: [Int], _ new: [Int], _ positions: [Int64]) -> PositionPlan? {
        let shorter = min(old.count, new.count)
        var prefix = 0
        while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] { suffix += 1 }
        let matching = ArrayMatching(
            old: Array(old[prefix..<old.count - suffix]), new: Array(new[prefix..<new.count - suffix]))
        let changed = old.count - prefix - suffix
        let known =
            suffix == 0 && prefix > 0
            ? prefix - 1..<old.count : prefix == 0 && suffix > 0 ? 0..<changed + 1 : 0..<old.count
        return PositionPlan(
            .init(
                prefix: prefix, suffix: suffix, matching: matching, positions: Array(positions[known]),
                firstKnown: known.lowerBound, oldCount: old.count))
    }

    private static func counts(_ old: [Int], _ new: [Int]) throws -> [Int] {
        var table = Table(old)
        let plan = try #require(Self.plan(old, new, table.positions))
        table.run(plan, new)
        expect(table.values, new)
        return [plan.deletes.count, plan.moves.count, plan.updates.count, plan.inserts.count]
    }

    private static let many = Array(0..<1000)

    @Test func `only changed elements are written`() throws {
        let many = Self.many
        try expect(Self.counts(many, many + [7]), [0, 0, 0, 1])
        try expect(Self.counts(many, [7] + many), [0, 0, 0, 1])
        try expect(Self.counts(many, many[..<500] + [7] + many[500...]), [0, 0, 0, 1])
        try expect(Self.counts(many, Array(many.dropLast())), [1, 0, 0, 0])
        try expect(Self.counts(many, Array(many.dropFirst())), [1, 0, 0, 0])
        try expect(Self.counts(many, Array(many[..<500] + many[501...])), [1, 0, 0, 0])
        try expect(Self.counts(many, Array(many[..<200] + many[700...])), [1, 0, 0, 0], "neighbours go at once")
        try expect(Self.counts(many, Array(many[..<500] + [7] + many[501...])), [0, 0, 1, 0])
        try expect(Self.counts(many, many), [0, 0, 0, 0])
        try expect(Self.counts([], many), [0, 0, 0, 1000])
        try expect(Self.counts(many, []), [1, 0, 0, 0])
    }

    @Test(arguments: [(0, 999), (999, 0), (3, 990), (990, 3), (500, 501), (501, 500), (0, 1), (999, 998)])
    func `a move updates one position`(from: Int, to: Int) throws {
        var new = Self.many
        new.insert(new.remove(at: from), at: to)
        try expect(Self.counts(Self.many, new), [0, 1, 0, 0])
    }

    @Test func `equal elements are matched one to one`() throws {
        try expect(Self.counts([1, 1, 1], [1, 1]), [1, 0, 0, 0])
        try expect(Self.counts([1, 1], [1, 1, 1]), [0, 0, 0, 1])
        try expect(Self.counts([1, 2, 1, 3], [2, 1, 3]), [1, 0, 0, 0])
        try expect(Self.counts([1, 2, 1, 2], [2, 1, 2, 1])[0], 0)
    }

    @Test func `repeated insertions in one gap move few rows`() throws {
        var values = Self.many
        var table = Table(values)
        var moved = 0
        let count = Scale.isFull ? 2000 : 500
        for next in 0..<count {
            let old = values
            values.insert(10_000 + next, at: 500)
            let plan = try #require(Self.plan(old, values, table.positions))
            moved += plan.moves.count
            table.run(plan, values)
            expect(plan.inserts.count, 1)
        }
        expect(table.values, values)
        #expect(moved < count * 20, "\(moved) rows made room for \(count)")
    }

    @Test func `rows without gaps between their positions are spread out`() throws {
        for (old, new) in [([1, 2, 3, 4], [1, 9, 2, 3, 4]), ([1, 2, 3, 4], [4, 3, 2, 1]), ([1, 2, 3], [1, 3, 2])] {
            var table = Table(old, positions: (0..<old.count).map { Int64($0) })
            let plan = try #require(Self.plan(old, new, table.positions))
            table.run(plan, new)
            expect(table.values, new)
        }
    }

    @Test func `if no positions are left at either end, there is no plan`() {
        #expect(Self.plan([1, 2], [1, 2, 3], [5, .max]) == nil)
        #expect(Self.plan([1, 2], [3, 1, 2], [.min, 5]) == nil)
        #expect(Self.plan([1, 2], [1, 3, 2], [.min, .max]) != nil)
    }

    @Test(arguments: SeededGenerator.seeds(40))
    func `random changes of random arrays produce the new array`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let symbols = Int.random(in: 1...30, using: &random)
        var values = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            Int.random(in: 0..<symbols, using: &random)
        }
        let isDense = seed % 3 == 0
        var table = Table(values, positions: isDense ? values.indices.map { Int64($0) } : nil)
        for _ in 0..<60 {
            let old = values
            for _ in 0..<Int.random(in: 1...6, using: &random) { Self.edit(&values, symbols, &random) }
            let plan = try #require(Self.plan(old, values, table.positions), "seed \(seed)")
            table.run(plan, values)
            expect(table.values, values, "seed \(seed)")
            #expect(plan.deletes.count + plan.moves.count + plan.updates.count + plan.inserts.count < 200)
        }
    }

    private static func edit(_ values: inout [Int], _ symbols: Int, _ random: inout SeededGenerator) {
        let element = Int.random(in: 0..<symbols, using: &random)
        guard let index = values.indices.randomElement(using: &random) else { return values.append(element) }
        let other = Int.random(in: 0..<values.count, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2: values.insert(element, at: index)
        case 3: values.append(element)
        case 4: values.remove(at: index)
        case 5: values[index] = element
        case 6: values.insert(values.remove(at: index), at: other)
        case 7: values.swapAt(index, other)
        case 8: values.removeSubrange(min(index, other)..<max(index, other))
        default: values.count < 30 ? values.shuffle(using: &random) : values.reverse()
        }
    }

    @Test(arguments: SeededGenerator.seeds(20))
    func `the largest possible number of different elements is kept`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let old = Array(0..<9)
        let new = Array(old.shuffled(using: &random).prefix(Int.random(in: 0...9, using: &random)))
        var best = 0
        for choice in 0..<1 << new.count {
            let chosen = new.indices.filter { choice >> $0 & 1 == 1 }.map { new[$0] }
            if zip(chosen, chosen.dropFirst()).allSatisfy({ $0 < $1 }) { best = max(best, chosen.count) }
        }
        expect(ArrayMatching(old: old, new: new).keptCount, best)
    }
}
