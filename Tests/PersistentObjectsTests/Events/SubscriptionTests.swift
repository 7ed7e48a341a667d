import Synchronization
import TestSupport
import Testing

@testable import PersistentObjects

/// Subscriptions: waiting, ending, and closures.
@Suite(.hangLimit)
struct SubscriptionTests {
    typealias Person = HeardEvents.Person

    @Test(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
    func `a waiting subscriber wakes for each commit`() async throws {
        let store = try Store.inMemory()
        try store.prepare(Person.self)
        let events = store.events
        let reader = Task {
            var ids: [Int64] = []
            for await event in events {
                ids.append(event.id?.value ?? 0)
                if ids.count == 3 { break }
            }
            return ids
        }
        for _ in 1...3 {
            try store.withSession { _ in try Person().save() }
            await Task.yield()
        }
        await expect(reader.value, [1, 2, 3])
    }

    @Test func `cancelling the task and closing the store end a subscription`() async throws {
        let store = try Store.inMemory()
        let (first, second) = (store.events, store.events)
        let cancelled = Task { for await _ in first { Issue.record("there is none") } }
        let closed = Task { for await _ in second { Issue.record("there is none") } }
        cancelled.cancel()
        await cancelled.value
        store.close()
        await closed.value
        for await _ in store.events { Issue.record("there is none") }
    }

    @Test func `releasing the store ends a subscription`() async throws {
        var store: Store? = try Store.inMemory()
        let events = try #require(store).events
        store = nil
        for await _ in events { Issue.record("there is none") }
    }

    @Test(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet")) @MainActor
    func `a closure runs on the actor of the surrounding code until it is cancelled`() async throws {
        final class Screen {
            var lines: [String] = []
        }
        let store = try Store.inMemory()
        try store.prepare(Person.self)
        let screen = Screen()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        var calls = stream.makeAsyncIterator()
        let token = store.onChange { event in
            screen.lines.append("\(event)")
            continuation.yield()
        }
        try store.withSession { _ in try Person().save() }
        // The closure never runs in the middle of this code.
        #expect(screen.lines.isEmpty)
        await calls.next()
        expect(screen.lines, ["Person #1 inserted"])
        token.cancel()
        try store.withSession { _ in try Person().save() }
        var others = store.events.makeAsyncIterator()
        try store.withSession { _ in try Person().save() }
        _ = await others.next()
        expect(screen.lines.count, 1)
    }

    @Test(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
    func `releasing the token ends the subscription`() async throws {
        let store = try Store.inMemory()
        try store.prepare(Person.self)
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        var calls = stream.makeAsyncIterator()
        do {
            let token = try store.withSession { _ in
                let token = Person.onChange { continuation.yield("\($0)") }
                try Person().save()
                return token
            }
            await expect(calls.next(), "Person #1 inserted")
            withExtendedLifetime(token) {}
        }
        #expect(!store.hub.isWatched)
    }

    @Test(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
    func `a new subscriber receives no changes made for a cancelled one`() async throws {
        let store = try Store.inMemory()
        let events = try store.withSession { session throws in
            let token = store.onChange { _ in }
            try session.transaction {
                try Person().save()
                token.cancel()
            }
            let events = store.events
            try Person().save()
            return events
        }
        var heard = events.makeAsyncIterator()
        await expect(heard.next()?.description, "Person #2 inserted")
    }

    @Test @MainActor func `a cancelled or released token unsubscribes at once, before its task runs`() throws {
        let store = try Store.inMemory()
        try store.prepare(Person.self)
        for cancels in [true, false] {
            var token: EventToken? = store.onChange { _ in Issue.record("it was cancelled") }
            try store.withSession { _ in try Person().save() }
            #expect(store.hub.isWatched)
            if cancels { token?.cancel() } else { token = nil }
            // The closure belongs to the main actor, on which this test runs.
            #expect(!store.hub.isWatched)
            withExtendedLifetime(token) {}
        }
    }

    @Test func `unread events are dropped with a cancelled subscription`() async throws {
        let store = try Store.inMemory()
        try store.prepare(Person.self)
        let subscription = EventSubscription(store, .all)
        try store.withSession { _ in try Person().save() }
        subscription.cancel()
        #expect(await subscription.next(isolation: nil) == nil)
    }

    @Test @MainActor func `a cancelled task that waits for updates unsubscribes at once`() async throws {
        let store = try Store.inMemory()
        try store.prepare(Person.self)
        try await store.withSession { session in
            let person = Person()
            try person.save()
            for isQuery in [true, false] {
                let task = Task { @MainActor in
                    if isQuery {
                        for try await _ in Person.query.updates() {}
                    } else {
                        for try await _ in session.updates(of: person) {}
                    }
                }
                while !store.hub.isWatched { await Task.yield() }
                task.cancel()
                #expect(!store.hub.isWatched, "it cannot have had a turn yet")
                try await task.value
            }
        }
    }

    @Test(.onSQLite("PostgreSQL does not tell which rows a transaction writes yet"))
    func `onChange of an object receives only its changes`() async throws {
        let store = try Store.inMemory()
        let (stream, continuation) = AsyncStream.makeStream(of: [String]?.self)
        var calls = stream.makeAsyncIterator()
        let token = try store.withSession { session in
            let (joe, ann) = (Person("Joe"), Person("Ann"))
            try session.save([joe, ann])
            let token = joe.onChange { continuation.yield($0.properties) }
            (joe.age, ann.name) = (1, "A")
            try session.save([joe, ann])
            return token
        }
        await expect(calls.next(), ["age"])
        withExtendedLifetime(token) {}
    }

    @Test func `unread events are merged for each object, and become one unknown change above the limit`() throws {
        let map = try ClassMap.map(of: Person.self)
        func event(_ id: Int, _ names: [String]?) -> RowEvent {
            RowEvent(map, Int64(id), .updated, names, isSilent: false)
        }
        var buffer = EventBuffer()
        for index in 0..<EventBuffer.limit { buffer.add(event(index % 3, ["age"])) }
        buffer.add(event(2, ["name"]))
        let first = buffer.takeAll() ?? []
        expect(first.map(\.id), [0, 1, 2])
        expect(first.map(\.properties), [["age"], ["age"], ["age", "name"]])
        for index in 0...EventBuffer.limit { buffer.add(event(index, nil)) }
        expect(buffer.take()?.kind, .unknown)
        #expect(buffer.take() == nil)
        // Events that were read no longer count.
        for index in 0..<3 * EventBuffer.limit {
            buffer.add(event(index, []))
            expect(buffer.take()?.id, Int64(index))
        }
        // They are not stored either if another event always follows.
        buffer.add(event(0, []))
        for index in 1...5 * EventBuffer.limit {
            buffer.add(event(index, []))
            expect(buffer.take()?.id, Int64(index - 1))
        }
        #expect(buffer.storedCount < 2000)
    }

    @Test func `a token keeps neither an ended session nor its file open`()
        throws
    {
        let file = try TemporaryStore()
        let store = try file.open()
        var token: EventToken?
        weak var ended: Session?
        try store.withSession { session in
            try Person("Ann").save()
            token = store.onChange { _ in }
            store.onChange { _ in }.cancel()
            ended = session
        }
        #expect(ended == nil)
        store.close()
        // No task that waits for this thread can run at this point.
        expect(openFiles(in: file.folder) ?? [], [])
        token?.cancel()
    }

    @Test func `a closure called after its session ended throws sessionEnded and uses no other session`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let (codes, told) = AsyncStream.makeStream(of: StoreError.Code?.self)
        let token = try store.withSession { _ in
            try Person("Ann").save()
            return store.onChange { _ in
                do {
                    _ = try Person.count()
                    told.yield(nil)
                } catch { told.yield((error as? StoreError)?.code) }
            }
        }
        try store.withSession { _ in try Person("Bob").save() }
        var iterator = codes.makeAsyncIterator()
        await expect(iterator.next(), .some(.sessionEnded))
        token.cancel()
        store.close()
    }

    @Test func `two events of one object are combined`() throws {
        let map = try ClassMap.map(of: Person.self)
        func kinds(_ first: RowEvent.Kind, _ second: RowEvent.Kind) -> RowEvent.Kind? {
            RowEvent(map, 1, first, [], isSilent: false)
                .followed(by: RowEvent(map, 1, second, [], isSilent: false))?.kind
        }
        #expect(kinds(.inserted, .updated) == .inserted && kinds(.inserted, .deleted) == nil)
        #expect(kinds(.updated, .updated) == .updated && kinds(.updated, .deleted) == .deleted)
        expect(kinds(.deleted, .inserted), .updated)
    }
}
