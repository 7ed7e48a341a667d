import TestSupport
import Testing

@testable import PersistentObjects

/// `last()` and `findLastBy` return the last object of an order.
struct LastTests {
    class Runner: PersistentObject {
        override class var tableName: String { "runner" }
        override class var defaultScope: Condition { Runner.condition { $0.time != 99 } }
        var name = ""
        var time: Int?
    }

    private func withRunners(_ body: (Session) throws -> Void) throws {
        try withTemporarySession { session, _ throws in
            let times: [(String, Int?)] = [("a", 3), ("b", nil), ("a", 5), ("b", 5), ("a", 99)]
            let runners = times.map { name, time in
                let runner = Runner()
                (runner.name, runner.time) = (name, time)
                return runner
            }
            try session.save(runners)
            try withExtendedLifetime(runners) { try body(session) }
        }
    }

    @Test func `last returns the last element of all`() throws {
        try withRunners { session throws in
            let all = Runner.query
            let queries = [
                all, all.order(by: \.time), all.order(by: \.time, .descending), all.order(by: \.name).order(by: \.time),
                all.order(nilLast: true) { $0.time }, all.order(.descending, nilLast: false) { $0.time },
                all.limit(2), all.offset(1), all.order(by: \.time).limit(3), all.limit(0), all.offset(9),
                all.where { $0.name == "b" }, all.where { $0.name == "x" },
            ]
            for (place, query) in queries.enumerated() { #expect(try query.last() === query.all().last, "\(place)") }
            try expect(Runner.last()?.id, 4)
        }
    }

    @Test func `last reads one row through the id index`() throws {
        try withRunners { session throws in
            try session.reset()
            let sql = try statements(of: session) { _ = try Runner.last() }
            #expect(sql.count == 1 && sql[0].contains("ORDER BY \"runner\".\"id\" DESC") && sql[0].contains("LIMIT"))
        }
    }

    @Test func `findLastBy finds the last object for any value, including nil`() throws {
        try withRunners { _ throws in
            try expect(Runner.findLastBy.name("a")?.id, 3)
            try expect(Runner.findLastBy.time(nil)?.id, 2)
            try expect(Runner.findLastBy.time(atLeast: 5)?.id, 4)
            #expect(try Runner.findLastBy.name("x") == nil)
        }
    }

    @Test func `findLastBy works in a class without a default scope`() throws {
        final class Plain: PersistentObject {
            override class var tableName: String { "plain" }
            var name = ""
        }
        try withTemporarySession { session, _ throws in
            try session.save([Plain(), Plain()])
            #expect(try Plain.findLastBy.name("")?.id == 2 && Plain.findFirstBy.name("")?.id == 1)
        }
    }
}
