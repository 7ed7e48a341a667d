import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Long statements end when their task is cancelled, or when `queryTimeout` is exceeded.
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

    /// An expression that never returns; `began()` is called when its evaluation starts.
    private static let never =
        "(WITH RECURSIVE n(i) AS (SELECT began() UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n)"

    /// Runs `body` in a task that is cancelled as soon as its statement starts. The statement itself cancels the
    /// task, because tests that block threads must not need another task.
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

    @Test func `cancelling the task interrupts an endless statement in perform`() async throws {
        let file = try TemporaryStore()
        try await cancelling(file) { store async throws in
            await #expect(throws: CancellationError.self) {
                try await store.perform { try $0.rows("SELECT \(Self.never)").count }
            }
            // Another session on the same connection.
            #expect(try store.withSession { try $0.rows("SELECT 1")[0][0] } == .integer(1))
        }
    }

    @Test
    func `cancelling the task interrupts an endless statement in both forms of withSession`() async throws {
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
    func `cancelling the task ends its wait for a connection that another process blocks`() async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(busyTimeout: .seconds(60), journal: .rollback))
        // It holds the only open connection, so each other session must open a connection.
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

    @Test func `a cancelled write changes nothing, and the task can save afterwards`() async throws {
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
    func `a cancelled transaction is rolled back in memory and in the file`(isWriting: Bool) async throws {
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

    @Test func `a save of many objects can be cancelled`() async throws {
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

    @Test func `many short calls of a cancelled task are completed`() async throws {
        try await cancelling(TemporaryStore()) { store async throws in
            // Creating tables and comparing all rows can take long on a busy machine.
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

    @Test func `a query that exceeds the timeout is interrupted, and the error states the timeout`() throws {
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

    @Test func `saves of many objects, schema changes and waiting do not exceed the query timeout`() throws {
        let file = try TemporaryStore()
        // With a timeout of zero, any statement that runs until SQLite's first progress check is interrupted.
        let store = try file.open(configuration: .init(queryTimeout: .zero))
        try store.withSession { session throws in
            let people = (0..<500).map { Person("\($0)") }
            try session.save(people)
            for person in people { person.age = 1 }
            // Released objects would have to be read again.
            try withExtendedLifetime(people) { try session.saveChanges() }
            #expect(throws: StoreError.self) { try Person.all() }
            #expect(try session.rows("SELECT max(id) FROM person")[0][0] == .integer(500))
        }
    }

    @Test func `a validator's pattern that needs too many steps is an error of the save`() throws {
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
