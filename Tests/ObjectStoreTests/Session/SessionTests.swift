import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The session that a call uses, and calls that are refused.
struct SessionTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
    }

    /// A class with its own store.
    final class Elsewhere: PersistentObject {
        static let file = try? TemporaryStore()
        static let ownStore = try? file?.open()
        override class var tableName: String { "elsewhere" }
        override class var store: Store? { ownStore }
        var name = ""
    }

    @discardableResult
    private static func save(_ name: String) throws -> Person {
        let person = Person()
        person.name = name
        try person.save()
        return person
    }

    @Test func `calls use the session of the innermost withSession`() throws {
        let files = try [TemporaryStore(), TemporaryStore()]
        let stores = try files.map { try $0.open() }
        try stores[0].withSession { outer in
            try Self.save("first")
            try stores[1].withSession { _ in
                try Self.save("second")
                try expect(Person.all().map(\.name), ["second"])
                try stores[0].withSession { again in
                    let names = try Person.all().map(\.name)
                    #expect(again !== outer && names == ["first"])
                }
                try expect(outer.object(for: PersistentID<Person>(1))?.name, "first")
            }
            try expect(Person.all().map(\.name), ["first"])
        }
        try expect(files.map { try $0.sqlite("SELECT name FROM person") }, ["first", "second"])
    }

    private class Plant: PersistentObject {
        override class var tableName: String { "plant" }
        var name = ""
    }

    private final class Tree: Plant { var height = 0 }

    @Test func `the spaces of a hierarchy's classes stay the same, in any order of use`() throws {
        try withTemporarySession { session, _ in
            try session.save([Plant(), Tree()])
            let spaces = (try session.space(of: Plant.self), try session.space(of: Tree.self))
            for _ in 0..<3 {
                #expect(try session.space(of: Plant.self) === spaces.0 && session.space(of: Tree.self) === spaces.1)
            }
        }
    }

    @Test func `an asynchronous session is bound across awaits, and in child tasks`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let names = try await store.withSession { session in
            try Self.save("before")
            await Task.yield()
            try await Task.sleep(for: .milliseconds(1))
            try Self.save("after")
            async let child = Self.names()
            let names = try await child
            #expect(try Person.find(1)?.name == "before" && session.store === store)
            return names
        }
        expect(names, ["before", "after"])
    }

    private static func names() async throws -> [String] { try Person.all().map(\.name) }

    @Test func `withSession returns its closure's result and rethrows its error`() async throws {
        struct Failure: Error, Equatable { let number: Int }
        let file = try TemporaryStore()
        let store = try file.open()
        #expect(try store.withSession { _ in 5 } == 5)
        #expect(
            try await store.withSession { _ in
                await Task.yield()
                return "text"
            } == "text")
        #expect(throws: Failure(number: 1)) { try store.withSession { _ in throw Failure(number: 1) } }
        await #expect(throws: Failure(number: 2)) {
            try await store.withSession { _ in
                await Task.yield()
                throw Failure(number: 2)
            }
        }
        #expect(try store.withSession { _ in try Person.count() } == 0)
    }

    @Test func `a class with its own store uses that store, whatever session is open`() throws {
        defer { if let folder = Elsewhere.file?.folder { try? FileManager.default.removeItem(at: folder) } }
        let own = try #require(Elsewhere.ownStore)
        try withTemporarySession { _, file in
            try Self.save("here")
            let object = Elsewhere()
            object.name = "there"
            try object.save()
            #expect(try Elsewhere.find(object.id ?? 0) === object && Elsewhere.count() == 1)
            #expect(try file.sqlite("SELECT name FROM sqlite_schema WHERE name = 'elsewhere'").isEmpty)
            try own.withSession { _ in
                let all = try Elsewhere.all()
                #expect(all.map(\.name) == ["there"] && all[0] !== object)
            }
        }
        try expect(Elsewhere.file?.sqlite("SELECT name FROM elsewhere"), "there")
    }

    @Test func `an ended session refuses all calls, and its objects keep their values`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        var kept: (Session, Person)?
        try store.withSession { session in kept = (session, try Self.save("kept")) }
        let (session, person) = try #require(kept)
        person.name = "edited"
        let uses: [() throws -> Void] = [
            { try session.save([person]) }, { try session.save([Person()]) }, { try session.save([]) },
            { try session.saveChanges() }, { try session.delete([person]) },
            { _ = try session.object(for: PersistentID<Person>(1)) }, { try person.save() }, { try person.reload() },
            { try person.delete() },
        ]
        for use in uses {
            let error = #expect(throws: StoreError.self) { try use() }
            #expect(error?.code == .sessionEnded)
        }
        #expect(person.name == "edited" && person.changes.map(\.name) == ["name"] && person.id == 1)
        #expect(!person.isNew && !person.isDeleted && person.description == #"Person #1 { name: "edited" }"#)
        try store.withSession { _ in
            try #require(try Person.find(PersistentID<Person>(1))).name = "other"
            try person.copy().save()
        }
        person.revert()
        #expect(person.name == "kept")
        #expect(try file.sqlite("SELECT name FROM person") == "kept\nedited")
    }

    @Test func `an object of another session is refused`() throws {
        try withTemporarySession { session, file in
            let person = try Self.save("mine")
            person.name = "edited"
            try session.store.withSession { inner in
                for use in [{ try inner.save([person]) }, { try inner.delete([person]) }] {
                    let error = #expect(throws: StoreError.self) { try use() }
                    #expect(error?.code == .otherSession && error?.className == "Person" && error?.rowID == 1)
                }
                #expect(try file.sqlite("SELECT name FROM person") == "mine")
                try person.save()
            }
            #expect(try file.sqlite("SELECT name FROM person") == "edited", "its own session saves it")
        }
    }

    @Test func `a list with an object of an ended session is refused`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        var kept: Person?
        try store.withSession { _ in kept = try Self.save("kept") }
        let person = try #require(kept)
        person.name = "edited"
        try store.withSession { session in
            #expect(throws: StoreError.self) { try session.save([Person(), person]) }
            #expect(throws: StoreError.self) { try session.delete([person]) }
        }
        #expect(try file.sqlite("SELECT name FROM person") == "kept")
    }

    @Test func `a task that outlives withSession gets an error`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let task = try store.withSession { _ in
            try Self.save("one")
            return Task { () -> StoreError.Code? in
                for await _ in gate { break }
                do {
                    _ = try Person.count()
                    return nil
                } catch let error as StoreError { return error.code }
            }
        }
        opener.yield()
        try await expect(task.value, .sessionEnded)
    }

    @Test func `a session that ended leaves its connection to the next session`() throws {
        try withTemporaryStore { store, _ in
            let first = try store.withSession { ObjectIdentifier($0.connection) }
            let second = try store.withSession { ObjectIdentifier($0.connection) }
            expect(first, second)
            try store.withSession { outer in
                try store.withSession { inner in #expect(outer.connection !== inner.connection) }
            }
        }
    }

    @Test
    func `a PersistentID identifies class and row, can be encoded as JSON, and works in another task`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let id = try store.withSession { _ in try #require(try Self.save("far").persistentID) }
        #expect(id.description == "Person #1" && id == PersistentID(1) && id != PersistentID(2))
        let json = try JSONEncoder().encode([id])
        let back = try JSONDecoder().decode([PersistentID<Person>].self, from: json)
        #expect(back == [id] && Set(back).contains(id))
        let name = try await Task.detached { try await store.perform { _ in try Person.find(back[0])?.name } }.value
        expect(name, "far")
    }
}
