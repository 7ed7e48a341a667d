import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `close()`: no call reads or writes afterwards, in any session.
@Suite(.hangLimit)
struct CloseTests {
    final class Person: PersistentObject {
        @TaskLocal static var whenSaved: Hook?
        override class var tableName: String { "closed_person" }
        var age = 0

        override func didSave() { try? Person.whenSaved?() }
    }

    private static func expectEnded(_ use: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try use() }
        expect(error?.code, .sessionEnded, sourceLocation: sourceLocation)
    }

    private static func age(_ file: TemporaryStore) throws -> String {
        try file.sqlite("SELECT group_concat(age) FROM closed_person")
    }

    @Test func `closing the store ends its open sessions`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { session in
            let person = Person()
            try person.save()
            store.close()
            person.age = 9
            Self.expectEnded { try person.save() }
            Self.expectEnded { _ = try Person.count() }
            Self.expectEnded { _ = try session.rows("SELECT age FROM closed_person") }
            Self.expectEnded { try session.transaction {} }
            #expect(person.age == 9 && person.hasChanges, "objects keep their values")
        }
        #expect(try Self.age(file) == "0")
        let error = #expect(throws: StoreError.self) { try store.withSession { _ in } }
        #expect(error?.message == "The store is closed")
    }

    @Test func `closing the store ends the session of a perform`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try await store.perform { session in
            let person = Person()
            try person.save()
            store.close()
            person.age = 9
            Self.expectEnded { try person.save() }
            Self.expectEnded { try session.saveChanges() }
        }
        try expect(Self.age(file), "0")
    }

    @Test func `a transaction in which the store is closed is rolled back, in memory too`() throws {
        for swallows in [true, false] {
            let file = try TemporaryStore()
            let store = try file.open()
            try store.withSession { session in
                let person = Person()
                try person.save()
                Self.expectEnded {
                    try session.transaction {
                        person.age = 5
                        try person.save()
                        store.close()
                        person.age = 6
                        if swallows { try? person.save() } else { try person.save() }
                    }
                }
                #expect(person.age == 0 && !session.isInTransaction)
            }
            try expect(Self.age(file), "0")
        }
    }

    @Test func `closing the store in a hook lets the current call finish`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { _ in
            let person = Person()
            person.age = 3
            try Person.$whenSaved.withValue(Hook { store.close() }) { try person.save() }
            #expect(!person.hasChanges)
            Self.expectEnded { try person.reload() }
        }
        try expect(Self.age(file), "3")
    }

    @Test func `closing the store on another thread lets the current call finish`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let session = try Session(store)
        let person = Person()
        let hook = Hook {
            let end = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                store.close()
                end.signal()
            }
            end.wait()
        }
        try Person.$whenSaved.withValue(hook) { try session.save([person]) }
        try expect(Self.age(file), "0")
        Self.expectEnded { try person.save() }
        Self.expectEnded { try session.saveChanges() }
    }

    @Test func `closing the store ends streams, updates and events`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try await store.withSession { session in
            let person = Person()
            try session.save([person, Person()])
            var stream = Person.query.stream().makeAsyncIterator()
            var updates = Person.query.updates().makeAsyncIterator()
            var changes = session.updates(of: person).makeAsyncIterator()
            var events = store.events.makeAsyncIterator()
            _ = try await (updates.next(), changes.next())
            store.close()
            #expect(try await updates.next() == nil)
            #expect(try await changes.next() == nil)
            #expect(await events.next() == nil)
            let error = await #expect(throws: StoreError.self) { _ = try await stream.next() }
            expect(error?.code, .sessionEnded)
        }
    }

    @Test func `sessions that ended are not kept by the store`() throws {
        let store = try Store.inMemory()
        for _ in 0..<20 { try store.withSession { _ in try Person().save() } }
        #expect(store.sessions.close().isEmpty)
    }
}
