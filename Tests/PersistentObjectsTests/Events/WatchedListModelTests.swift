import Foundation
import PersistentObjectsTesting
import TestSupport
import Testing

@testable import PersistentObjects

/// Random commits with watched lists that are long enough to be patched: after each pause, the list that the updates
/// describe equals the list that SQL returns.
@Suite(.hangLimit, .onSQLite("PostgreSQL does not tell which rows a transaction writes yet")) @MainActor
struct WatchedListModelTests {
    typealias Bird = WatchedList.Bird
    typealias Owl = WatchedList.Owl
    typealias Nest = WatchedList.Nest
    typealias Ring = WatchedList.Ring

    /// A watched list: the objects of the last update, and the list that all updates together describe.
    private final class Watcher {
        let name: String
        /// Compares the list with a fresh query; nil if they are equal.
        var difference: () throws -> String? = { nil }
        var problem: String?
        var task: Task<Void, Never>?

        init(_ name: String) { self.name = name }
    }

    private func watch<T: Persistent>(
        _ name: String, _ query: Query<T>, _ areEqual: @escaping (T, T) -> Bool
    ) -> Watcher {
        let watcher = Watcher(name)
        var objects: [T] = []
        var ids: [Int64] = []
        watcher.difference = {
            let fresh = try query.untracked().all()
            guard ids == fresh.map(\.object.rowID) else { return "\(ids) instead of \(fresh.map(\.object.rowID))" }
            if let place = ids.indices.first(where: { !areEqual(objects[$0], fresh[$0]) }) {
                return "other values in \(ids[place])"
            }
            // The objects are those that a query returns. An evicted object stays until the next update.
            let areSame = try zip(objects, query.all()).allSatisfy {
                $0.object === $1.object || $0.object.lifecycle == .untracked
            }
            return areSame ? nil : "other objects"
        }
        watcher.task = Task {
            do {
                for try await update in query.updates() {
                    let new = update.objects.map(\.object.rowID)
                    if !update.isFirst {
                        for place in (update.deleted + update.moved.map(\.from)).sorted(by: >) { ids.remove(at: place) }
                        for place in (update.inserted + update.moved.map(\.to)).sorted() {
                            ids.insert(new[place], at: place)
                        }
                        if ids != new { watcher.problem = "\(new) after an update to \(ids)" }
                    }
                    (objects, ids) = (update.objects, new)
                }
            } catch { watcher.problem = "\(error)" }
        }
        return watcher
    }

    private static func areEqual(_ a: Bird, _ b: Bird) -> Bool {
        a.name == b.name && a.nick == b.nick && a.size == b.size && a.weight == b.weight && a.isRare == b.isRare
            && a.seen == b.seen && a.price == b.price && a.data == b.data && (a as? Owl)?.hunts == (b as? Owl)?.hunts
    }

    private static func areEqual(_ a: Ring, _ b: Ring) -> Bool { a.label == b.label && a.rank == b.rank }

    private func watchers() -> [Watcher] {
        func birds<T: Bird>(_ name: String, _ query: Query<T>) -> Watcher { watch(name, query, Self.areEqual) }
        let all = Bird.query
        return [
            birds("all", all), birds("name", all.order(by: \.name)), birds("owls", Owl.query.order(by: \.size)),
            birds("sizes", Bird.where { $0.size > 0 }.order(by: \.size, .descending).order(by: \.name)),
            birds("nick", all.order(nilLast: true) { $0.nick }.order(.descending, nilLast: false) { $0.weight }),
            birds("first", all.order(by: \.weight).limit(70)), birds("rare", Bird.where { $0.isRare }.limit(80)),
            birds("caseless", all.order(ignoringCase: true) { $0.name }), birds("price", all.order(by: \.price)),
            birds("few", Bird.where { $0.size == 3 && $0.name < "b" }),
            birds("day", Bird.where { $0.seen != nil }.order(by: \.seen, .descending)),
            birds("offset", all.order(by: \.size).offset(5).limit(70)),
            birds("nest", Bird.where { $0.nest.place == "x" }),
            birds("hunts", Owl.where { $0.hunts != nil }.order { $0.hunts }),
            birds("expired", Bird.onlyDeleted.order(by: \.name)),
            watch("rings", Ring.query.order(by: \.rank), Self.areEqual),
            watch("ranks", Ring.where { $0.rank > 1 }, Self.areEqual),
        ]
    }

    /// Makes one random change, which fails if another session deleted the row, or if it meets an evicted object.
    private func change(_ session: Session, _ random: inout SeededGenerator) throws {
        do { try tryChange(session, &random) } catch let error as StoreError
            where error.code == .rowGone || error.code == .misuse
        {
            for bird in try Bird.withDeleted.all() where bird.hasChanges { bird.revert() }
            try session.refresh()
        }
    }

    /// Makes one random change, as one commit of a session, or none.
    private func tryChange(_ session: Session, _ random: inout SeededGenerator) throws {
        func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        let highest = Int(try Bird.withDeleted.max(\.id) ?? 1)
        func bird() throws -> Bird? { try Bird.find(Int64(number(highest) + 1)) }
        switch number(22) {
        case 0, 1: try WatchedList.newBird(&random).save()
        case 2, 3: try bird()?.delete()
        case 4, 5, 6, 7, 8:
            guard let bird = try bird() else { return }
            WatchedList.change(bird, &random)
            try bird.save(number(4) == 0 ? .silently : [])
        case 9:
            for _ in 0..<number(8) { if let bird = try bird() { WatchedList.change(bird, &random) } }
            try session.saveChanges()
        case 10:
            let size = number(4)
            _ = try Bird.where { $0.size == 2 }.limit(3).update { $0.size = size }
        case 11:
            try session.execute("UPDATE listed_bird SET size = size - 1 WHERE id % 41 = 7 AND size BETWEEN 0 AND 9")
        case 12:
            // A savepoint whose changes are rolled back, next to changes that are committed.
            try session.transaction { () throws in
                if let bird = try bird() { WatchedList.change(bird, &random) }
                try session.saveChanges()
                try? session.transaction { () throws in
                    try WatchedList.newBird(&random).save()
                    try bird()?.delete()
                    if number(2) == 0 { session.rollBack() }
                }
                if number(4) == 0 { session.rollBack() }
            }
        case 13:
            // Rows that are inserted and deleted, and changed twice, in the same commit.
            try session.transaction { () throws in
                let bird = WatchedList.newBird(&random)
                try bird.save()
                WatchedList.change(bird, &random)
                try session.saveChanges()
                if number(2) == 0 { try bird.deleteForever() }
            }
        case 14:
            let nest = Nest()
            (nest.place, nest.guest) = (number(2) == 0 ? "x" : "y", try bird())
            try nest.save()
            if let bird = try bird() {
                bird.nest = nest
                try bird.save()
            }
        case 15: try Nest.query.first()?.delete()
        case 16: try bird()?.deleteForever()
        case 17: try Bird.onlyDeleted.first()?.restore()
        case 18:
            guard let bird = try bird() else { return }
            bird.mate = try self.other(&random, highest)
            try bird.save()
        case 19, 20:
            let key = "r\(number(90))"
            let ring = try Ring.find(key) ?? Ring(key: key)
            (ring.label, ring.rank) = (WatchedList.pick(WatchedList.texts, &random), number(4) == 0 ? nil : number(5))
            try ring.save()
        default: try Ring.query.order(by: \.rank).first()?.delete()
        }
    }

    private func other(_ random: inout SeededGenerator, _ highest: Int) throws -> Bird? {
        try Bird.find(Int64.random(in: 1...Int64(highest), using: &random))
    }

    private func fill(_ session: Session, _ random: inout SeededGenerator) throws {
        try session.save((0..<110).map { _ in WatchedList.newBird(&random) })
        for number in 0..<70 {
            let ring = try Ring(key: "r\(number)")
            ring.rank = number % 5
            try ring.save()
        }
        _ = try Nest.count()
    }

    @Test func `long watched lists equal the lists that SQL returns`() async throws {
        let seed = SeededGenerator.seeds(1)[0]
        try await withSession { session, file in
            var random = SeededGenerator(seed: seed)
            try fill(session, &random)
            let watchers = watchers()
            let otherProcess = try file.open()
            var held: [Bird] = []
            for step in 0..<(Scale.isFull ? 250 : Sanitizer.isThread ? 10 : 15) {
                for _ in 0..<Int.random(in: 1...79, using: &random) {
                    let kind = Int.random(in: 0..<12, using: &random)
                    let store = kind == 0 ? otherProcess : session.store
                    if kind > 4 {
                        try change(session, &random)
                    } else {
                        var copy = random
                        random = try store.withSession { session throws in
                            try change(session, &copy)
                            return copy
                        }
                    }
                    switch Int.random(in: 0..<60, using: &random) {
                    case 0: session.evict(try Bird.query.limit(3).all())
                    case 1: held = try Bird.query.limit(50).all()
                    case 2: try session.refresh()
                    default: if kind > 10 { await Task.yield() }
                    }
                }
                // Commits of the other store are noticed here.
                _ = try Bird.count()
                await settle()
                for watcher in watchers {
                    await wait { (try? watcher.difference()) == .some(nil) || watcher.problem != nil }
                    let difference = try watcher.difference()
                    expect(difference, nil, "\(watcher.name) in step \(step) of seed \(seed)")
                    expect(watcher.problem, nil, "\(watcher.name) in step \(step) of seed \(seed)")
                    if difference != nil || watcher.problem != nil { return }
                }
            }
            _ = held
            for watcher in watchers { watcher.task?.cancel() }
            await settle()
            #expect(!session.store.hub.hasReaders)
        }
    }
}
