import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Long statements end when their task is cancelled, and behind `queryTimeout`.
struct CancellationTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
        var tags: [String] = []

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    /// A number that never comes; `began()` is called when somebody begins to wait for it.
    private static let never =
        "(WITH RECURSIVE n(i) AS (SELECT began() UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n)"

    /// Runs `body` in a task, which is cancelled as soon as the statement in it has begun: by the statement itself, since
    /// tests that block threads must not need another one.
    private func cancelling<R: Sendable>(
        _ file: TemporaryStore, _ body: @Sendable @escaping (Store) async throws -> R
    ) async throws -> R {
        let began = SQLFunction("began", argumentCount: 0) { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .integer(1)
        }
        let store = try file.open(configuration: .init(lostEdits: .ignore, functions: [began]))
        return try await Task { try await body(store) }.value
    }

    @Test func `cancelling ends an endless statement of perform`() async throws {
        let file = try TemporaryStore()
        try await cancelling(file) { store async throws in
            await #expect(throws: CancellationError.self) {
                try await store.perform { try $0.rows("SELECT \(Self.never)").count }
            }
            // The session of another call, on the same connection.
            #expect(try store.withSession { try $0.rows("SELECT 1")[0][0] } == .integer(1))
        }
    }

    @Test func `cancelling ends an endless statement of withSession, synchronous or not`() async throws {
        try await cancelling(TemporaryStore()) { store async throws in
            try store.withSession { session throws in
                #expect(throws: CancellationError.self) { try session.rows("SELECT \(Self.never)") }
                #expect(try session.rows("SELECT 1")[0][0] == .integer(1))
            }
        }
        try await cancelling(TemporaryStore()) { store async throws in
            try await store.withSession { session async throws in
                await Task.yield()
                #expect(throws: CancellationError.self) { try session.rows("SELECT \(Self.never)") }
                #expect(try session.rows("SELECT 1")[0][0] == .integer(1))
            }
        }
    }

    @Test(.onSQLite("on a server opening waits for nobody's transaction"))
    func `opening a connection that waits for another process ends with the task`() async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(busyTimeout: .seconds(60), journal: .rollback))
        // It has the connection that there is, so all others open one.
        let session = try Session(store)
        try session.use { try Person("Joe").save() }
        let other = try SQLiteProcess(file.path)
        try other.run("BEGIN EXCLUSIVE;")
        let ways: [@Sendable () async throws -> Void] = [
            { try store.withSession { _ in } }, { try await store.withSession { _ in await Task.yield() } },
            { try await store.perform { _ in } }, { try Session(store).close() }, { _ = try store.statistics() },
        ]
        for way in ways {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await way()
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        try other.run("COMMIT;")
        #expect(try store.withSession { _ in try Person.count() } == 1)
        session.close()
    }

    @Test func `a write that is cancelled changes nothing, and the task can save afterwards`() async throws {
        let file = try TemporaryStore()
        try await cancelling(file) { store async throws in
            try store.withSession { session throws in
                let joe = Person("Joe")
                try joe.save()
                joe.age = 5
                let sql = "UPDATE person SET name = 'changed', age = \(Self.never)"
                #expect(throws: CancellationError.self) { try session.execute(sql) }
                #expect(!session.isInFileTransaction && joe.changes.map(\.name) == ["age"])
                #expect(try file.sqlite("SELECT name, age FROM person") == "Joe|0")
                joe.name = "stopped"
                try joe.save()
            }
        }
        #expect(try file.sqlite("SELECT name, age FROM person") == "stopped|5")
    }

    @Test(arguments: [true, false])
    func `a transaction that is cancelled takes back memory and file`(isWriting: Bool) async throws {
        let file = try TemporaryStore()
        try await cancelling(file) { store async throws in
            try store.withSession { session throws in try Self.checkTransaction(session, isWriting) }
        }
        try expect(file.sqlite("SELECT group_concat(name), sum(age) FROM person"), "Joe,Ann|0")
    }

    private static func checkTransaction(_ session: Session, _ isWriting: Bool) throws {
        let joe = Person("Joe")
        joe.tags = ["a"]
        try joe.save()
        let ann = Person("Ann")
        #expect(throws: CancellationError.self) {
            try session.transaction {
                joe.tags.append("b")
                try session.save([joe, ann])
                try session.transaction {
                    joe.age = 7
                    try joe.save()
                    if isWriting { try session.execute("UPDATE person SET age = \(never)") }
                    _ = try session.rows("SELECT \(never)")
                }
            }
        }
        #expect(ann.isNew && joe.age == 0 && joe.tags == ["a"] && !joe.hasChanges)
        #expect(!session.isInFileTransaction)
        try session.transaction { try ann.save() }
    }

    @Test func `a save of many objects is cancelled too`() async throws {
        let file = try TemporaryStore()
        let count = try await cancelling(file) { store async throws in
            try store.withSession { session throws in
                _ = try? session.rows("SELECT \(Self.never)")
                let people = (0..<100_000).map { Person("\($0)") }
                #expect(throws: CancellationError.self) { try session.save(people) }
                #expect(people.allSatisfy { $0.isNew })
                return try Person.count()
            }
        }
        #expect(count == 0)
    }

    @Test func `many short calls of a task that was cancelled are all done`() async throws {
        try await cancelling(TemporaryStore()) { store async throws in
            // Making the tables and looking through all rows are not that short on a machine that has much else to do.
            try store.prepare(Person.self)
            try store.withSession { session throws in
                _ = try? session.rows("SELECT \(Self.never)")
                let people = (0..<300).map { Person("\($0)") }
                for person in people { try person.save() }
                for person in people { person.tags = ["a", "b"] }
                for person in people { try person.save() }
                try expect(Person.count(), 300)
            }
        }
    }

    @Test func `a query that runs for longer than the timeout is ended, and says so`() throws {
        let file = try TemporaryStore()
        let began = SQLFunction("began", argumentCount: 0) { _ in .integer(1) }
        let store = try file.open(configuration: .init(queryTimeout: .milliseconds(30), functions: [began]))
        try store.withSession { session throws in
            try Person("Joe").save()
            let error = try #require(throws: StoreError.self) {
                _ = try Person.findByCriteria("WHERE \(Self.never) > 0")
            }
            #expect(error.code == .timedOut && error.className == "Person" && error.sql?.contains("began()") == true)
            #expect(error.message.contains("query timeout of 0.03 seconds"))
            let sql = "UPDATE person SET age = \(Self.never)"
            #expect(throws: StoreError.self) { try session.execute(sql) }
            #expect(try Person.find(1)?.age == 0)
            try Person("Ann").save()
            #expect(try Person.count() == 2)
        }
    }

    @Test func `saves of many objects, changes of tables and waiting are no long statements`() throws {
        let file = try TemporaryStore()
        // Whatever goes on for longer than one look of SQLite's takes too long.
        let store = try file.open(configuration: .init(queryTimeout: .zero))
        try store.withSession { session throws in
            let people = (0..<500).map { Person("\($0)") }
            try session.save(people)
            for person in people { person.age = 1 }
            // Objects that had ended would have to be read again.
            try withExtendedLifetime(people) { try session.saveChanges() }
            #expect(throws: StoreError.self) { try Person.all() }
            #expect(try session.rows("SELECT max(id) FROM person")[0][0] == .integer(500))
        }
    }

    @Test func `a validator's pattern that would take for ever is an error of the save`() throws {
        try withTemporarySession { _, _ throws in
            let word = Word()
            word.text = String(repeating: "a", count: 40) + "b"
            let error = try #require(throws: StoreError.self) { try word.save() }
            #expect(error.code == .misuse && error.message.contains("The pattern needs too many steps"))
            word.text = "aaa"
            try word.save()
        }
    }

    final class Word: PersistentObject {
        var text = ""
        override func validate(_ problems: inout Problems) { problems.require(\Word.text, matches: "(a|aa)+") }
    }
}
