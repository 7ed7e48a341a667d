import Observation
import PersistentObjects
import TestSupport
import Testing

/// Observers are notified after a call has ended and may use the store.
@MainActor struct ObserverCallTests {
    /// An object that an observer can access from its closure.
    @MainActor private final class Held {
        let item: ObservedItem
        let session: Session
        var seen: [Int] = []
        var failure: (any Error)?

        init(_ item: ObservedItem, _ session: Session) { (self.item, self.session) = (item, session) }

        func observe(_ body: @escaping @MainActor (Held) throws -> Void) {
            withObservationTracking {
                _ = item.n
            } onChange: {
                MainActor.assumeIsolated {
                    do { try body(self) } catch { self.failure = error }
                }
            }
        }
    }

    private func withHeld(_ body: (Session, Held) throws -> Void) throws {
        try withTemporarySession { session, _ in
            let item = ObservedItem()
            try item.save()
            try body(session, Held(item, session))
        }
    }

    private func set(_ n: Int, _ item: ObservedItem, _ session: Session) throws {
        let id = try #require(item.id)
        try session.inAnother {
            let other = try #require(try ObservedItem.find(id))
            other.n = n
            try other.save()
        }
    }

    @Test func `an observer sees the new value and can use the store`() throws {
        try withHeld { session, held in
            held.observe { held in
                held.seen.append(held.item.n)
                held.seen.append(try ObservedItem.where { $0.n == 9 }.count())
                try held.session.transaction {
                    held.item.name = "set by the observer"
                    try held.item.save()
                }
                held.seen.append(try held.session.rows("SELECT 1").count)
            }
            try set(9, held.item, session)
            _ = try ObservedItem.all()
            #expect(held.failure == nil && held.seen == [9, 1, 1] && !held.item.hasChanges)
        }
    }

    @Test func `an observer can reload the same object`() throws {
        try withHeld { session, held in
            held.observe { held in
                held.seen.append(held.item.n)
                try held.item.reload()
            }
            try set(9, held.item, session)
            try held.item.reload()
            #expect(held.failure == nil && held.seen == [9])
        }
    }

    @Test func `observers are notified after the transaction, not during it`() throws {
        try withHeld { session, held in
            held.observe { held in held.seen.append(held.session.isInTransaction ? -1 : held.item.n) }
            try set(9, held.item, session)
            try session.transaction {
                _ = try ObservedItem.all()
                #expect(held.item.n == 9 && held.seen.isEmpty)
            }
            expect(held.seen, [9])
        }
    }

    @Test func `a failed transaction notifies observers of the values that it read`() throws {
        try withHeld { session, held in
            held.observe { held in held.seen.append(held.item.n) }
            try set(9, held.item, session)
            #expect(throws: StoreError.self) {
                try session.transaction {
                    _ = try ObservedItem.all()
                    _ = try session.rows("SELECT nonsense FROM nowhere")
                }
            }
            #expect(held.item.n == 9 && held.seen == [9])
        }
    }

    @Test func `observation does not retain an object`() throws {
        try withTemporarySession { session, _ in
            weak var weakItem: ObservedItem?
            let id: Int64
            do {
                let item = ObservedItem()
                try item.save()
                id = try #require(item.id)
                weakItem = item
                withObservationTracking {
                    _ = item.n
                } onChange: {
                }
                try set(9, item, session)
                try item.reload()
            }
            #expect(weakItem == nil)
            try expect(ObservedItem.find(id)?.n, 9)
        }
    }

    @Test func `updates of a query notify the observers of its objects`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try await store.withSession { session in
            let item = ObservedItem()
            try item.save()
            let observers = Observers(item, ObservedItem.reads)
            let id = try #require(item.id)
            var hasChanged = false
            for try await items in ObservedItem.where({ $0.n >= 0 }).updates() {
                if items.first?.n == 9 { break }
                guard !hasChanged else { continue }
                hasChanged = true
                try session.inAnother {
                    let other = try #require(try ObservedItem.find(id))
                    other.n = 9
                    try other.save()
                }
            }
            #expect(item.n == 9 && observers.told() == ["n"])
        }
    }
}
