import PersistentObjectsTesting
import TestSupport
import Testing

@testable import PersistentObjects

/// Closures that receive the updates of a query.
@Suite(.hangLimit, .onSQLite("other transactions of the server count as commits of others"))
struct QueryClosureTests {
    typealias Plant = Watched.Plant

    private func tall() -> Query<Plant> { Plant.where { $0.height > 3 }.order(by: \.name) }

    @MainActor @Test func `the closure runs on the main actor with the session's objects`() async throws {
        try await withSession { session, _ in
            let ann = Plant("a", 5)
            try ann.save()
            var found: [[Plant]] = []
            var token: EventToken? = tall().onUpdate { found.append($0.objects) }
            await wait { found.count == 1 }
            let bob = Plant("b", 5)
            try bob.save()
            await wait { found.count == 2 }
            expect(found, [[ann], [ann, bob]])
            token?.cancel()
            try Plant("c", 5).save()
            await settle()
            #expect(found.count == 2 && !session.store.hub.isWatched)
            token = nil
        }
    }

    @MainActor @Test func `cancelling or releasing the token ends the subscription at once`() async throws {
        try await withSession { session, _ in
            try Plant("a", 5).save()
            var calls = 0
            var token: EventToken? = tall().onUpdate { _ in calls += 1 }
            await wait { calls == 1 }
            // The commit is reported, but the closure has not run yet.
            try Plant("b", 5).save()
            withExtendedLifetime(token) {}
            token = nil
            await settle()
            #expect(calls == 1 && !session.store.hub.isWatched)
            // Cancelled before its first call.
            token = tall().onUpdate { _ in calls += 1 }
            token?.cancel()
            await settle()
            expect(calls, 1)
        }
    }

    @MainActor @Test func `errors go to the closure, or to onNote if there is none`() async throws {
        let file = try TemporaryStore()
        let notes = Recorder<String>()
        var configuration = Store.Configuration()
        configuration.onNote = { notes.add($0) }
        let store = try file.open(configuration: configuration)
        try await store.withSession { _ in
            var errors: [any Error] = []
            var calls = 0
            let query = tall().order(by: \.shout)
            let token = query.onUpdate { _ in
                calls += 1
            } onError: {
                errors.append($0)
            }
            await wait { !errors.isEmpty }
            #expect(errors.count == 1 && calls == 0)
            let other = query.onUpdate { _ in calls += 1 }
            await wait { !notes.all.isEmpty }
            #expect(notes.all.contains { $0.contains("Plant") } && calls == 0)
            withExtendedLifetime((token, other)) {}
        }
    }

    @MainActor @Test func `closing the store ends the subscription without an error`() async throws {
        try await withSession { session, _ in
            var (calls, errors) = (0, 0)
            let token = tall().onUpdate { _ in
                calls += 1
            } onError: { _ in
                errors += 1
            }
            await wait { calls == 1 }
            session.store.close()
            await settle()
            #expect(calls == 1 && errors == 0)
            withExtendedLifetime(token) {}
        }
    }

    actor Keeper {
        var names: [[String]] = []
        var token: EventToken?

        func begin(_ store: Store) {
            token = Plant.query.order(by: \.name).onUpdate { plants in
                self.preconditionIsolated()
                self.names.append(plants.map(\.name))
            }
        }

        func end() { token = nil }
    }

    @Test func `an actor's closure runs on the actor`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        // The surrounding session belongs to another isolation.
        try await store.withSession { _ in
            try Plant("a").save()
            let keeper = Keeper()
            await keeper.begin(store)
            while await keeper.names.count < 1 { await Task.yield() }
            try await store.perform { _ in try Plant("b").save() }
            while await keeper.names.count < 2 { await Task.yield() }
            await expect(keeper.names, [["a"], ["a", "b"]])
            await keeper.end()
        }
    }

    @Test func `outside actors the closure has a separate session`() async throws {
        try await withSession { session, _ in
            let ann = Plant("a")
            try ann.save()
            let names = Recorder<[String]>()
            let seen = Recorder<ObjectIdentifier>()
            let token = Plant.query.onUpdate { plants in
                names.add(plants.map(\.name))
                for plant in plants { seen.add(ObjectIdentifier(plant)) }
            }
            while names.all.isEmpty { await Task.yield() }
            try Plant("b").save()
            while names.all.count < 2 { await Task.yield() }
            expect(names.all, [["a"], ["a", "b"]])
            #expect(!seen.all.contains(ObjectIdentifier(ann)))
            withExtendedLifetime(token) {}
            token.cancel()
        }
    }
}

extension Watched.Plant {
    fileprivate var shout: String { name + "!" }
}
