import Observation
import PersistentObjectsTesting
import TestSupport
import Testing

@testable import PersistentObjects

/// `LiveQuery`, the observable list for view models.
@Suite(.hangLimit, .onSQLite("other transactions of the server count as commits of others")) @MainActor
struct LiveListTests {
    typealias Plant = Watched.Plant

    private func tall() -> Query<Plant> { Plant.where { $0.height > 3 }.order(by: \.name) }

    /// Counts the notifications of an observer.
    @MainActor private final class Observer {
        private(set) var count = 0
        let look: () -> Void

        init(_ look: @escaping () -> Void) {
            self.look = look
            observe()
        }

        private func observe() {
            withObservationTracking(look) { [weak self] in
                MainActor.assumeIsolated { self?.count += 1 }
                Task { @MainActor in self?.observe() }
            }
        }
    }

    @Test func `a LiveQuery has the objects found and follows changes`() async throws {
        try await withSession { session, _ in
            let (ann, bob) = (Plant("a", 5), Plant("b", 5))
            try session.save([ann, bob, Plant("c", 1)])
            let live = LiveQuery(tall())
            #expect(!session.store.hub.isWatched)
            #expect(live.results == [ann, bob] && live.error == nil && live.isWatching)
            #expect(live.results[0] === ann && live.lastUpdate?.isFirst == true)
            let cid = try #require(try Plant.where { $0.name == "c" }.first())
            cid.height = 9
            try cid.save()
            await wait { live.results.count == 3 }
            #expect(live.results[2] === cid && live.lastUpdate?.inserted == [2])
            ann.name = "z"
            try ann.save()
            await wait { live.results.last === ann }
            #expect(live.lastUpdate?.moved == [.init(from: 0, to: 2)])
            try bob.delete()
            await wait { live.results.count == 2 }
            #expect(live.results == [cid, ann] && live.lastUpdate?.deleted == [0])
        }
    }

    @Test func `commits of other sessions arrive`() async throws {
        try await withSession { session, _ in
            let ann = Plant("a", 5)
            try ann.save()
            let live = LiveQuery(tall())
            expect(live.results, [ann])
            try await session.store.perform { _ in
                let ann = try #require(try Plant.query.first())
                ann.note = "dry"
                try ann.save()
                try Plant("b", 5).save()
            }
            await wait { live.results.count == 2 }
            #expect(ann.note == "dry" && live.results.map(\.name) == ["a", "b"])
        }
    }

    @Test func `observers are notified of changes of the list and of its rows`() async throws {
        try await withSession { session, _ in
            let (ann, cid) = (Plant("a", 5), Plant("c", 1))
            try session.save([ann, cid])
            let live = LiveQuery(tall())
            let results = Observer { _ = live.results }
            let errors = Observer { _ = live.error }
            await settle()
            expect(results.count, 0)
            // The list keeps the same objects.
            ann.note = "dry"
            try ann.save()
            await wait { results.count == 1 }
            #expect(live.lastUpdate?.changed == [0] && live.results == [ann])
            await settle()
            // A change of an object outside the list does not notify.
            cid.note = "wet"
            try cid.save()
            await settle()
            expect(results.count, 1)
            try Plant("b", 7).save()
            await wait { results.count == 2 }
            #expect(results.count == 2 && errors.count == 0)
        }
    }

    @Test func `a new query replaces the old one`() async throws {
        try await withSession { session, _ in
            let (ann, bob, cid) = (Plant("a", 5), Plant("b", 5), Plant("c", 1))
            try session.save([ann, bob, cid])
            let live = LiveQuery(tall())
            live.query = Plant.query.order(by: \.name)
            expect(live.results, [ann, bob, cid])
            live.query = Plant.where { $0.name.isIn(["b", "c"]) }
            #expect(live.results == [bob, cid] && live.lastUpdate?.deleted == [0])
            expect(live.lastUpdate?.isFirst, false)
            let results = Observer { _ = live.results }
            bob.name = "x"
            try bob.save()
            await wait { live.results.count == 1 }
            expect(live.results, [cid])
            await settle()
            let before = results.count
            // Only the first query would find this object.
            ann.height = 8
            try ann.save()
            await settle()
            expect(results.count, before)
        }
    }

    @Test func `sections are in the order of the query`() async throws {
        try await withSession { session, _ in
            try session.save([Plant("b1", 2), Plant("a1", 1), Plant("a2", 2), Plant("b2", 1)])
            let live = LiveQuery(Plant.query.order(by: \.name))
            let sections = live.sections { $0.name.prefix(1) }
            #expect(sections.map(\.key) == ["a", "b"] && sections.map(\.id) == ["a", "b"])
            expect(sections.map { $0.map(\.name) }, [["a1", "a2"], ["b1", "b2"]])
            let heights = live.sections(by: \.height)
            #expect(heights.map(\.key) == [1, 2] && heights[0].map(\.name) == ["a1", "b2"])
            let observer = Observer { _ = live.sections(by: \.height) }
            try Plant("c", 3).save()
            await wait { observer.count == 1 }
            expect(live.sections(by: \.height).map(\.key), [1, 2, 3])
            live.query = Plant.where { $0.height > 8 }
            #expect(live.sections(by: \.height).isEmpty)
        }
    }

    @Test func `a LiveQuery ends when it is released, and stop pauses it until refresh`() async throws {
        try await withSession { session, _ in
            try Plant("a", 5).save()
            var live: LiveQuery<Plant>? = LiveQuery(tall())
            weak let weakly = live
            expect(live?.results.count, 1)
            await settle()
            #expect(session.store.hub.isWatched)
            live = nil
            #expect(weakly == nil)
            await settle()
            #expect(!session.store.hub.isWatched)

            let other = LiveQuery(tall())
            expect(other.results.count, 1)
            let watching = Observer { _ = other.isWatching }
            other.stop()
            #expect(!other.isWatching && watching.count == 1)
            try Plant("b", 5).save()
            await settle()
            #expect(other.results.count == 1 && !session.store.hub.isWatched)
            other.refresh()
            #expect(other.results.count == 2 && other.isWatching && other.lastUpdate?.inserted == [1])
            let never = LiveQuery(tall())
            never.stop()
            #expect(never.results.isEmpty && !never.isWatching)
        }
    }

    @Test(.onSQLite("PostgreSQL takes no such value"))
    func `an error is reported, the results stay, and the query recovers`()
        async throws
    {
        final class Seed: PersistentObject {
            override class var tableName: String { "watched_seed" }
            var kind = Kind.small
            enum Kind: String { case small, big }
        }
        try await withSession { session, _ in
            let seed = Seed()
            try seed.save()
            let live = LiveQuery(Seed.query)
            expect(live.results, [seed])
            let observer = Observer { _ = live.error }
            try session.execute("UPDATE watched_seed SET kind = 'odd'")
            await wait { live.error != nil }
            #expect(live.error != nil && live.results == [seed] && live.isWatching && observer.count == 1)
            // A query that starts with an error has no results.
            let late = LiveQuery(Seed.query)
            #expect(late.error != nil && late.results.isEmpty && late.lastUpdate == nil)
            try session.execute("UPDATE watched_seed SET kind = 'big'")
            await wait { live.error == nil && late.error == nil }
            #expect(live.error == nil && seed.kind == .big && live.lastUpdate?.changed == [0])
            #expect(late.results == [seed] && late.lastUpdate?.isFirst == true)
        }
    }

    @Test func `a query that cannot run reports an error, and a valid query replaces it`() async throws {
        try await withSession { session, _ in
            try Plant("a", 5).save()
            let live = LiveQuery(Plant.query.order(by: \.shout))
            #expect(live.results.isEmpty && live.error != nil && !live.isWatching)
            live.query = tall()
            #expect(live.results.count == 1 && live.error == nil && live.isWatching)
        }
    }

    @Test func `closing the store ends a LiveQuery`() async throws {
        try await withSession { session, _ in
            try Plant("a", 5).save()
            let live = LiveQuery(tall())
            expect(live.results.count, 1)
            session.store.close()
            await wait { !live.isWatching }
            #expect(live.results.count == 1 && live.error == nil && !live.isWatching)
            live.refresh()
            #expect(live.error != nil && live.results.count == 1)
        }
    }

    @Test func `a view model that holds a LiveQuery is released`() async throws {
        @MainActor final class Model {
            let live = LiveQuery(Plant.query)
            var count: Int { live.results.count }
        }
        try await withSession { session, _ in
            try Plant("a", 5).save()
            var model: Model? = Model()
            weak let weakly = model
            expect(model?.count, 1)
            try Plant("b", 5).save()
            await settle()
            expect(model?.count, 2)
            model = nil
            await settle()
            #expect(weakly == nil && !session.store.hub.isWatched)
        }
    }
}

extension Watched.Plant {
    fileprivate var shout: String { name + "!" }
}
