#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Dept: PersistentObject {
        override class var tableName: String { "dept" }
        @Unique var name = ""
        var real: Double?
        var number: Decimal?
        var bytes: [UInt8]?
        @Inverse(\Emp.dept, onDelete: .cascade) var people: [Emp]
    }

    private final class Emp: PersistentObject {
        override class var tableName: String { "emp" }
        var name = ""
        var dept: Dept?
        weak var boss: Emp?
        var list: [String] = []
        var codes: Set<Int> = []
        var marks: [String: Double] = [:]
    }

    /// Undoing and redoing random edits on a server restores each row to the bit.
    @Suite(.onPostgres("UndoRandomTests tests files")) struct ServerUndoRandomTests {
        /// The number of edits of each run: `PO_TEST_UNDO_EDITS`, or 40.
        private static let edits = ProcessInfo.processInfo.environment["PO_TEST_UNDO_EDITS"].flatMap { Int($0) } ?? 40

        private struct Run {
            let session: Session
            var random: SeededGenerator
            var number = 0

            mutating func some<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }

            mutating func next() -> Int {
                number += 1
                return number
            }

            /// All rows, as the server shows them.
            func dump() throws -> [String] {
                let tables = ["dept", "emp", "emp_list", "emp_codes", "emp_marks"]
                let parts = tables.map { "SELECT '\($0) ' || \"\($0)\"::text FROM \($0)" }
                return try session.rows(parts.joined(separator: " UNION ALL ") + " ORDER BY 1").map { try $0.value(0) }
            }

            mutating func dept() -> Dept {
                let dept = Dept()
                dept.name = "d\(next())"
                dept.real = some([
                    0.1, 1e300, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude, 9_007_199_254_740_992, nil,
                ])
                dept.number = some(
                    ["12345678901234567890123456789012345678", "0.10", "-1e-100", "7"].map { Decimal(string: $0) } + [
                        nil
                    ])
                dept.bytes = some([[0, 255, UInt8(number % 256)], [], nil])
                return dept
            }

            mutating func emp(_ depts: [Dept], _ people: [Emp]) -> Emp {
                let emp = Emp()
                emp.name = some(["é\u{1F600}", "\u{1}\t\\\"", "null", "{a,b}", ""])
                emp.dept = depts.randomElement(using: &random)
                emp.boss = people.randomElement(using: &random)
                fill(emp)
                return emp
            }

            mutating func fill(_ emp: Emp) {
                emp.list = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    "l\(Int.random(in: 0...3, using: &random))"
                }
                emp.codes = Set((0..<3).map { _ in Int.random(in: 0...5, using: &random) })
                emp.marks = ["a": Double(next()), some(["b", "c"]): -0.0]
            }

            mutating func edit() throws {
                let (depts, people) = (try Dept.all(), try Emp.all())
                let third = Int.random(in: 0..<3, using: &random)
                switch Int.random(in: 0..<13, using: &random) {
                case 0: try session.save([dept(), dept()])
                case 1: try session.save((0..<3).map { _ in emp(depts, people) })
                case 2:
                    for emp in people where Bool.random(using: &random) { fill(emp) }
                    try session.saveChanges()
                case 3: try depts.randomElement(using: &random)?.delete()
                case 4: try people.randomElement(using: &random)?.delete()
                case 5:
                    guard depts.count > 1 else { return }
                    let (one, other) = (depts[0], depts[depts.count - 1])
                    (one.name, other.name) = (other.name, one.name)
                    try session.save([one, other])
                case 6:
                    // Shifts the elements of arrays, and adds the first, in one commit.
                    try session.transaction {
                        try session.execute(
                            "UPDATE emp_list SET position = position + 1000 WHERE owner_id % 3 = ?", third)
                        try session.execute(
                            """
                            INSERT INTO emp_list (owner_id, position, value) \
                            SELECT id, 0, 'first' FROM emp WHERE id % 3 = ?
                            """, third)
                    }
                case 7: try session.execute("DELETE FROM dept WHERE id % 3 = ?", third)
                case 8:
                    try session.execute(
                        "UPDATE emp SET boss_id = (SELECT max(id) FROM emp), name = name || 'x' WHERE id % 3 = ?", third
                    )
                case 9: try session.execute("DELETE FROM emp WHERE id % 3 = ?", third)
                case 10:
                    try session.execute("UPDATE dept SET real = -real, number = number * -1 WHERE id % 3 = ?", third)
                case 11:
                    for person in people { person.boss = people.randomElement(using: &random) }
                    try session.save(people + [emp(depts, people)])
                default:
                    try session.transaction {
                        for _ in 0..<3 { try edit() }
                    }
                }
                if session.level == nil { try session.refresh() }
            }
        }

        @Test(arguments: [1, 2, 3])
        func `random edits are undone and redone to the bit`(seed: UInt64) throws {
            try withTemporarySession { session, _ in
                try session.store.prepare(Dept.self, Emp.self)
                var run = Run(session: session, random: SeededGenerator(seed: seed))
                try session.save((0..<3).map { _ in run.dept() })
                session.recordsUndo = true
                var state = try run.dump()
                var done = 0
                for _ in 0..<Self.edits {
                    do { try run.edit() } catch let error as StoreError where error.code == .notUnique {
                        // A shift can meet a position that is taken.
                        try session.revert()
                        try expect(run.dump(), state)
                        continue
                    }
                    let after = try run.dump()
                    if after == state { continue }
                    done += 1
                    #expect(try session.undo(), "seed \(seed)")
                    try #require(run.dump() == state, "seed \(seed), edit \(done)")
                    if Int.random(in: 0..<4, using: &run.random) == 0 { continue }
                    #expect(try session.redo(), "seed \(seed)")
                    try #require(run.dump() == after, "seed \(seed), edit \(done)")
                    state = after
                }
                #expect(done > Self.edits / 3, "\(done)")
                // All levels, one after the other.
                let last = try run.dump()
                var count = 0
                while session.canUndo {
                    try session.undo()
                    count += 1
                }
                for _ in 0..<count { try session.redo() }
                try expect(run.dump(), last)
                #expect(session.classes.allIdentities.compactMap { $0.brokenInvariant() } == [])
            }
        }
    }
#endif
