import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Stores on another engine than SQLite: the calls of the engine, and the errors for missing capabilities.
struct EngineSeamTests {
    final class Person: PersistentObject {
        override class var tableName: String { "seam_person" }
        var name = ""
        var age: Int?
        var picture: [UInt8] = []
        var boss: Person?
        var tags: [String] = []
    }

    final class Page: PersistentObject {
        override class var tableName: String { "seam_page" }
        @Searchable var title = ""
    }

    private func withStore<R>(
        lacking: Capabilities = [], _ configuration: Store.Configuration = .init(),
        _ body: (Store, Recorder<String>) throws -> R
    ) throws -> R {
        let calls = Recorder<String>()
        let file = try TemporaryStore()
        let engine = LoggingEngine(lacking: lacking, calls: calls)
        return try withExtendedLifetime(file) {
            try body(try Store(file.path, configuration: configuration, engine: engine), calls)
        }
    }

    private func withSession<R>(
        lacking: Capabilities = [], _ body: (Session, Recorder<String>) throws -> R
    ) throws -> R {
        try withStore(lacking: lacking) { store, calls throws in
            try store.withSession { session throws in try body(session, calls) }
        }
    }

    private func error(_ body: () throws -> Void) -> StoreError? {
        do { try body() } catch { return error as? StoreError }
        return nil
    }

    /// The recorded calls without the preparation of statements, which happens once.
    private func asked(_ calls: Recorder<String>) -> [String] {
        calls.take().filter { !$0.hasPrefix("prepare") }
    }

    private func people(_ count: Int) -> [Person] {
        (0..<count).map { number in
            let person = Person()
            person.name = "P\(number)"
            person.age = number % 2 == 0 ? number : nil
            person.picture = [UInt8](repeating: UInt8(number % 256), count: number % 5)
            person.tags = ["é", "x\0y"]
            return person
        }
    }

    @Test func `stores use the engine that the test environment specifies`() throws {
        let wanted = ProcessInfo.processInfo.environment["PO_TEST_ENGINE"]
        let store = try Store.inMemory()
        expect(store.engine.name, wanted == "logging" ? "Logging" : "SQLite")
        let name = try store.withSession { session throws in session.connection.engineName }
        expect(name, store.engine.name)
    }

    // MARK: Calls

    @Test func `a save is one transaction with one batch`() throws {
        try withSession { session, calls throws in
            try session.save(people(3))
            _ = calls.take()
            let all = try Person.all()
            all[0].name = "Q"
            all[2].name = "R"
            let new = people(2)
            new[0].boss = all[1]
            _ = calls.take()
            try session.save(all + new)
            let asked = asked(calls)
            #expect(asked.first == "begin" && asked.last == "commit")
            expect(asked.filter { $0.hasPrefix("insert") }, ["insert 2"])
            expect(asked.filter { $0.hasPrefix("update") }, ["update 2"])
            expect(asked.count { $0.hasPrefix("step UPDATE") }, 2)
        }
    }

    @Test func `a fetch without rows is one statement with one step`() throws {
        try withSession { session, calls throws in
            try session.save(people(3))
            try session.reset()
            _ = calls.take()
            let found = try Page.all()
            #expect(found.isEmpty)
            let asked = asked(calls)
            expect(asked.count { $0.hasPrefix("step SELECT") && $0.contains("FROM \"seam_page\"") }, 1)
        }
    }

    @Test func `values of all kinds are read through cells`() throws {
        try withStore { store, _ throws in
            try store.withSession { session throws in
                let people = people(700)
                people[5].boss = people[699]
                try session.save(people)
            }
            try store.withSession { _ throws in
                let all = try Person.all()
                expect(all.count, 700)
                for (number, person) in all.enumerated() {
                    #expect(person.name == "P\(number)" && person.age == (number % 2 == 0 ? number : nil))
                    #expect(person.picture.count == number % 5 && person.tags == ["é", "x\0y"])
                }
                #expect(all[5].boss === all[699])
                try expect(Person.findByName("P7").map(\.id), [all[7].id])
            }
        }
    }

    @Test func `a row that a trigger rejects is an error with the class, as on SQLite`() throws {
        try withSession { session, _ throws in
            try session.save(people(1))
            try session.execute(
                "CREATE TRIGGER \"no\" BEFORE INSERT ON \"seam_person\" WHEN new.name = 'P7' BEGIN "
                    + "SELECT RAISE(ABORT, 'not this one'); END")
            let new = people(30)
            let error = error { try session.save(new) }
            #expect(error?.className == "Person" && error?.message.contains("not this one") == true)
            #expect(new.allSatisfy { $0.id == nil })
        }
    }

    // MARK: Missing capabilities

    @Test func `without undo, recordsUndo stays off and undo throws the reason`() throws {
        try withSession(lacking: .undo) { session, _ throws in
            session.recordsUndo = true
            #expect(!session.recordsUndo)
            let error = error { try session.undo() }
            expect(error?.code, .unsupported)
            expect(error?.message, "The engine Logging cannot record what transactions change, which undo requires")
        }
    }

    @Test func `without search, a searchable class is refused with class and property`() throws {
        try withSession(lacking: .search) { session, _ throws in
            let error = error { _ = try Page.all() }
            #expect(error?.code == .unsupported && error?.className == "Page" && error?.property == "title")
            expect(error?.message, "The engine Logging has no full-text search")
            try session.save(people(1))
            try expect(Person.count(), 1)
        }
    }

    @Test func `without functions or collations, a store that declares them is refused with their names`() throws {
        var configuration = Store.Configuration()
        configuration.functions = [SQLFunction("one") { _ in .integer(1) }]
        let function = error { try withStore(lacking: .functions, configuration) { _, _ in } }
        #expect(function?.code == .unsupported && function?.property == "one")
        expect(function?.message, "The engine Logging cannot call functions of the program")
        configuration.functions = []
        configuration.collations = [SQLCollation("c") { _, _ in .orderedSame }]
        let collation = error { try withStore(lacking: .collations, configuration) { _, _ in } }
        #expect(collation?.code == .unsupported && collation?.property == "c")
        expect(collation?.message, "The engine Logging cannot sort by collations of the program")
    }

    @Test func `without explanations, explain throws`() throws {
        try withSession(lacking: .explanation) { _, _ throws in
            let error = error { _ = try Person.query.explain() }
            #expect(error?.code == .unsupported && error?.className == "Person")
            expect(error?.message, "The engine Logging cannot explain how it finds the rows of a query")
        }
    }

    @Test func `without a row log, each commit is an unknown event`() async throws {
        let file = try TemporaryStore()
        let store = try Store(file.path, engine: LoggingEngine(lacking: .rowLog))
        var events = store.events.makeAsyncIterator()
        try store.withSession { session throws in
            try session.save(people(1))
            try session.save(people(1))
        }
        let event = await events.next()
        expect(event?.kind, .unknown)
        store.close()
    }

    @Test func `if the engine does not report the tables read, updates run the query after each commit`() async throws {
        let file = try TemporaryStore()
        let store = try Store(file.path, engine: LoggingEngine(lacking: .tablesRead))
        try await store.withSession { session async throws in
            try session.save(people(1))
            var updates = Person.query.updates().makeAsyncIterator()
            let first = try await updates.next()
            expect(first?.count, 1)
            try session.save(people(1))
            let second = try await updates.next()
            expect(second?.count, 2)
        }
        store.close()
    }
}
