import ModelRuns
import TestSupport
import Testing

/// The checker of histories, on which `endurance isolation` relies: which anomalies it must detect, and which
/// histories it must accept.
struct HistoryTests {
    typealias Step = History.Step

    /// Returns the lines of an operation in the format of a history file.
    private static func op(
        _ id: Int, _ steps: String, _ outcome: History.Outcome = .done, undo: Int? = nil, at time: ClosedRange<Int>
    ) -> String {
        let kind = undo.map { "undo:\($0)" } ?? "steps"
        let begin = "> \(id) \(time.lowerBound) \(kind) \(steps)\n"
        return outcome == .unknown ? begin : begin + "\(outcome.rawValue) \(id) \(time.upperBound) \(steps)\n"
    }

    private static func kinds(_ lines: [String]) throws -> Set<Anomaly.Kind> {
        Set(try History([lines.joined()]).anomalies.map(\.kind))
    }

    // MARK: - Anomalies that must be detected

    static let wrong: [(kinds: Set<Anomaly.Kind>, lines: [String])] = [
        ([.lostAppend], [op(1, "a1:1", at: 0...1), op(2, "a1:2", at: 2...3), "= 1 2\n"]),
        // A failed undo does not remove anything.
        ([.lostAppend], [op(1, "a1:1", at: 0...1), op(2, "", .failed, undo: 1, at: 2...3), "= 1\n"]),
        ([.tornAppend], [op(1, "a1:1 a2:2", .unknown, at: 0...1), "= 1 1\n", "= 2\n"]),
        (
            [.tornAppend],
            [op(1, "a1:1 a2:2", at: 0...1), op(2, "", .unknown, undo: 1, at: 2...3), "= 1 1\n", "= 2\n"]
        ),
        ([.failedAppend], [op(1, "a1:1", .failed, at: 0...1), "= 1 1\n"]),
        // The append of an inner transaction that was rolled back, in a committed transaction.
        ([.failedAppend], [op(1, "a1:1 ( a1:2 !", at: 0...1), "= 1 1,2\n"]),
        ([.failedAppend], [op(1, "( ( a1:2 ) ! a1:1", at: 0...1), "= 1 2,1\n"]),
        ([.failedAppend], [op(1, "a1:1", .failed, at: 0...5), op(2, "r1:1", at: 1...2), "= 1\n"]),
        ([.undoneAppend], [op(1, "a1:1", at: 0...1), op(2, "", undo: 1, at: 2...3), "= 1 1\n"]),
        ([.duplicate], [op(1, "a1:1", at: 0...1), "= 1 1,1\n"]),
        ([.stranger], ["= 1 7\n"]),
        ([.stranger, .lostAppend], [op(1, "a1:1", at: 0...1), "= 1\n", "= 2 1\n"]),
        (
            [.incompatibleOrder],
            [op(1, "a1:1", at: 0...9), op(2, "a1:2", at: 0...9), op(3, "r1:2", at: 0...9), "= 1 1,2\n"]
        ),
        ([.unrepeatableRead], [op(1, "a1:1", at: 0...9), op(2, "r1: r1:1", at: 0...9), "= 1 1\n"]),
        ([.unrepeatableRead], [op(1, "a1:1 r1:", at: 0...9), "= 1 1\n"]),
        ([.unrepeatableRead], [op(1, "a1:1 ( a1:2 ! r1:1,2", at: 0...9), "= 1 1\n"]),
        // A read of an operation that was interrupted and whose append is not there.
        ([.dirtyRead], [op(1, "a1:1", .unknown, at: 0...9), op(2, "r1:1", at: 3...4), "= 1\n"]),
        (
            [.intermediateRead, .singleAntiDependency],
            [op(1, "a1:1 a1:2", at: 0...9), op(2, "r1:1", at: 1...8), "= 1 1,2\n"]
        ),
        ([.staleRead, .timeCycle], [op(1, "a1:1", at: 0...1), op(2, "r1:", at: 2...3), "= 1 1\n"]),
        (
            [.staleRead, .timeCycle],
            [op(1, "a1:1", at: 0...1), op(2, "", undo: 1, at: 2...3), op(3, "r1:1", at: 4...5), "= 1\n"]
        ),
        (
            [.writeCycle],
            [op(1, "a1:1 a2:2", at: 0...9), op(2, "a1:3 a2:4", at: 0...9), "= 1 1,3\n", "= 2 4,2\n"]
        ),
        (
            [.informationCycle],
            [op(1, "a1:1 r2:2", at: 0...9), op(2, "a2:2 r1:1", at: 0...9), "= 1 1\n", "= 2 2\n"]
        ),
        // A lost update: both operations have read the same list.
        (
            [.singleAntiDependency],
            [op(1, "r1: a1:1", at: 0...9), op(2, "r1: a1:2", at: 0...9), "= 1 1,2\n"]
        ),
        // Read skew: one list was read before a transaction, and the other after it.
        (
            [.singleAntiDependency],
            [op(1, "a1:1 a2:2", at: 0...9), op(2, "r1: r2:2", at: 0...9), "= 1 1\n", "= 2 2\n"]
        ),
        // Read skew around an undo.
        (
            [.singleAntiDependency],
            [
                op(1, "a1:1 a2:2", at: 0...1), op(2, "a1:3 r2:2 a2:4", at: 2...3), op(3, "", undo: 1, at: 4...9),
                op(4, "r1:1,3 r2:4", at: 4...9), "= 1 3\n", "= 2 4\n",
            ]
        ),
        // Write skew.
        (
            [.antiDependencyCycle],
            [op(1, "r1: a2:1", at: 0...9), op(2, "r2: a1:2", at: 0...9), "= 1 2\n", "= 2 1\n"]
        ),
        // Two readers see two transactions in opposite orders.
        (
            [.antiDependencyCycle],
            [
                op(1, "a1:1", at: 0...9), op(2, "a2:2", at: 0...9), op(3, "r1:1 r2:", at: 0...9),
                op(4, "r1: r2:2", at: 0...9), "= 1 1\n", "= 2 2\n",
            ]
        ),
        // An operation that ends before another begins precedes it, even without a read of either.
        ([.timeCycle], [op(1, "a1:1", at: 0...1), op(2, "a1:2", at: 2...3), "= 1 2,1\n"]),
    ]

    @Test(arguments: wrong.indices)
    func `a history that isolated transactions cannot produce is detected and classified`(_ index: Int) throws {
        let (kinds, lines) = Self.wrong[index]
        try expect(Self.kinds(lines), kinds, "\(lines)")
    }

    @Test func `the examples cover each kind of anomaly`() {
        expect(Self.wrong.reduce(into: Set()) { $0.formUnion($1.kinds) }, Set(Anomaly.Kind.allCases))
    }

    @Test func `a cycle is described by its operations`() throws {
        let lines = [Self.op(1, "r1: a1:1", at: 0...9), Self.op(2, "r1: a1:2", at: 0...9), "= 1 1,2\n"]
        try expect(History([lines.joined()]).anomalies.map(\.text), ["#2 -rw-> #1 -ww-> #2"])
    }

    // MARK: - Histories that must be accepted

    static let right: [[String]] = [
        [],
        [op(1, "a1:1", at: 0...1), op(2, "r1:1 a1:2 r1:1,2", at: 2...3), "= 1 1,2\n"],
        // Concurrent reads, in either order.
        [op(1, "r1: a1:1", at: 0...9), op(2, "r1:1", at: 1...3), op(3, "r1:", at: 2...4), "= 1 1\n"],
        // An operation with an unknown outcome is there completely or not at all.
        [op(1, "a1:1 ( a2:2 !", .unknown, at: 0...1), op(2, "r1:1", at: 2...3), "= 1 1\n", "= 2\n"],
        [op(1, "a1:1", .unknown, at: 0...1), op(2, "r1:", at: 2...3), "= 1\n"],
        // A kill in the middle of a line.
        [op(1, "a1:1", at: 0...1), "= 1 1\n", "> 2 2 steps a1:"],
        // Inner transactions.
        [op(1, "a1:1 ( a1:2 r1:1,2 ( a1:3 r1:1,2,3 ! r1:1,2 ) r1:1,2", at: 0...1), "= 1 1,2\n"],
        [op(1, "r1: a1:1 r1:1", .failed, at: 0...1), op(2, "r1: a1:2", at: 2...3), "= 1 2\n"],
        // An undo, seen from before, during and after it; another operation appended meanwhile.
        [
            op(1, "a1:1 a1:2", at: 0...1), op(2, "r1:1,2 a1:3", at: 2...3), op(3, "", undo: 1, at: 4...9),
            op(4, "r1:1,2,3", at: 5...8), op(5, "r1:3", at: 5...8), op(6, "r1:3 a1:4", at: 10...11), "= 1 3,4\n",
        ],
        // An undo with an unknown outcome, done or not.
        [
            op(1, "a1:1 a2:2", at: 0...1), op(2, "", .unknown, undo: 1, at: 2...3), op(3, "r1:", at: 4...5), "= 1\n",
            "= 2\n",
        ],
        [op(1, "a1:1", at: 0...1), op(2, "", .unknown, undo: 1, at: 2...3), op(3, "r1:1", at: 4...5), "= 1 1\n"],
        // Time does not order overlapping operations.
        [op(1, "a1:1", at: 0...5), op(2, "a1:2", at: 4...9), "= 1 2,1\n"],
    ]

    @Test(arguments: right.indices)
    func `a history that serial transactions can produce is accepted`(_ index: Int) throws {
        let found = try History([Self.right[index].joined()]).anomalies
        #expect(found.isEmpty, "\(found)")
    }

    @Test(arguments: [
        "> 1 2\n", "> 1 2 undo:x\n", "+ 1 2\n", "> 1 2 steps x1:2\n", "hello\n", "= a 1\n", "> 1 2 steps r1:b\n",
    ])
    func `an invalid line is rejected`(_ line: String) {
        #expect(throws: History.Unreadable.self) { try History([line]) }
    }

    @Test func `written lines read back as the same operations`() throws {
        let steps: [Step] = [
            .read(list: 1, [5, 6]), .read(list: 2, []), .begin, .append(list: 1, value: 7), .commit, .rollback,
        ]
        let undo = History.Operation(3, [], .failed, kind: .undo(of: 2), from: 4, to: 5)
        let cut = History.Operation(4, steps, .unknown, from: 6)
        var done = History.Operation(2, steps, .done, from: 1, to: 8)
        done.name = "transaction"
        let text = [done, undo, cut].map { operation in
            History.line(before: operation) + (operation.outcome == .unknown ? "" : History.line(behind: operation))
        }
        let read = try History([text.joined() + History.line(list: 1, [5, 6, 7]) + History.line(list: 2, [])])
        #expect(read.operations == [done, undo, cut] && read.lists == [1: [5, 6, 7], 2: []])
    }
}
