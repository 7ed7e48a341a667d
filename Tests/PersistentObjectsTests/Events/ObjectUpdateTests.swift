import TestSupport
import Testing

@testable import PersistentObjects

/// Updates of one watched object.
@Suite(.hangLimit)
struct ObjectUpdateTests {
    typealias Person = HeardEvents.Person

    @Test(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
    func `the object is refreshed after each commit that changes it, and its deletion ends the updates`() async throws {
        try await withSession { session, _ in
            let (joe, ann) = (Person("Joe"), Person("Ann"))
            try session.save([joe, ann])
            var updates = session.updates(of: joe).makeAsyncIterator()
            let first = try #require(try await updates.next())
            #expect(first.isFirst && first.object === joe && first.properties == [])
            ann.age = 1
            joe.age = 2
            try session.save([joe, ann])
            try await expect(updates.next()?.properties, ["age"])

            joe.name = "Edited"
            let id = try #require(joe.persistentID)
            try await session.store.perform { _ in
                let joe = try #require(try Person.find(id))
                joe.age = 3
                try joe.save()
                joe.tags = ["a"]
                try joe.save(.silently)
            }
            try await expect(updates.next()?.properties, ["age", "tags"])
            #expect(joe.age == 3 && joe.tags == ["a"] && joe.name == "Edited")

            try session.execute("UPDATE heard_person SET age = 4")
            let fourth = try #require(try await updates.next())
            #expect(fourth.properties == nil && joe.age == 4 && !fourth.isDeleted)

            try session.execute("DELETE FROM heard_person WHERE id = ?", joe)
            try await expect(updates.next()?.isDeleted, true)
            #expect(joe.isDeleted)
            #expect(try await updates.next() == nil)
        }
    }

    @Test func `an object without a row or of another session throws`() async throws {
        try await withSession { session, _ in
            var updates = session.updates(of: Person()).makeAsyncIterator()
            await #expect { _ = try await updates.next() } throws: { ($0 as? StoreError)?.code == .misuse }
            #expect(try await updates.next() == nil)
            let joe = Person("Joe")
            try joe.save()
            try await session.store.withSession { other in
                var updates = other.updates(of: joe).makeAsyncIterator()
                await #expect { _ = try await updates.next() } throws: { ($0 as? StoreError)?.code == .otherSession }
            }
        }
    }

    @Test func `the updates end with the session and with the task`() async throws {
        let store = try Store.inMemory()
        var updates = try await store.withSession { session in
            let joe = Person("Joe")
            try joe.save()
            var updates = session.updates(of: joe).makeAsyncIterator()
            _ = try await updates.next()
            joe.age = 1
            try joe.save()
            return updates
        }
        #expect(try await updates.next() == nil)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        var begun = stream.makeAsyncIterator()
        let task = Task {
            try await store.withSession { session in
                let joe = Person("Joe")
                try joe.save()
                for try await _ in session.updates(of: joe) { continuation.yield() }
            }
        }
        await begun.next()
        task.cancel()
        try await task.value
        #expect(!store.hub.isWatched)
    }
}
