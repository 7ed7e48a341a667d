import TestSupport
import Testing

@testable import PersistentObjects

/// The sessions in which watched queries run, and the events that end them.
@Suite(.hangLimit)
struct LiveQueryEndTests {
    typealias Person = HeardEvents.Person

    @Test func `a background session can watch an object`() async throws {
        let store = try Store.inMemory()
        let ages = try await store.perform { session in
            let joe = Person("Joe")
            try joe.save()
            var ages: [Int] = []
            for try await update in session.updates(of: joe) {
                ages.append(update.object.age)
                if ages.count == 3 { break }
                try store.withSession { _ in
                    let joe = try #require(try Person.all().first)
                    joe.age += 1
                    try joe.save()
                }
            }
            return ages
        }
        expect(ages, [0, 1, 2])
    }

    @Test func `cancelling the task ends the updates`() async throws {
        let store = try Store.inMemory()
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        var counts = stream.makeAsyncIterator()
        let task = Task {
            try await store.withSession { _ in
                for try await people in Person.query.updates() { continuation.yield(people.count) }
                return "ended"
            }
        }
        await expect(counts.next(), 0)
        try store.withSession { _ in try Person().save() }
        await expect(counts.next(), 1)
        task.cancel()
        try await expect(task.value, "ended")
        #expect(!store.hub.isWatched)
    }

    @Test func `the end of the session or of the store ends the updates`() async throws {
        let store = try Store.inMemory()
        var updates = try store.withSession { _ in
            try Person().save()
            return Person.query.updates().makeAsyncIterator()
        }
        await #expect(throws: StoreError.self) { _ = try await updates.next() }
        #expect(try await updates.next() == nil)
        var (first, second) = try await store.withSession { _ in
            var updates = Person.query.updates().makeAsyncIterator()
            let first = try await updates.next()
            try Person().save()
            return (updates, first?.count)
        }
        #expect(second == 1)
        second = nil
        #expect(try await first.next() == nil)
        try await store.withSession { _ in
            var updates = Person.query.updates().makeAsyncIterator()
            _ = try await updates.next()
            store.close()
            #expect(try await updates.next() == nil)
        }
    }

    @Test func `a query that cannot run throws once and ends`() async throws {
        try await withSession { _, _ async throws in
            var updates = Person.where { $0.name == "a" }.order(by: \.computed).updates().makeAsyncIterator()
            await #expect(throws: (any Error).self) { _ = try await updates.next() }
            #expect(try await updates.next() == nil)
        }
    }

    @Test @MainActor func `updates stay on the main actor`() async throws {
        let store = try Store.inMemory()
        try await store.withSession { session in
            try Person("Ann").save()
            var names: [[String]] = []
            for try await people in Person.query.order(by: \.name).updates() {
                names.append(people.map(\.name))
                if names.count == 2 { break }
                try await store.perform { _ in try Person("Bob").save() }
            }
            expect(names, [["Ann"], ["Ann", "Bob"]])
        }
    }
}

extension HeardEvents.Person {
    fileprivate var computed: String { name + "!" }
}
