import Observation
import PersistentObjects
import TestSupport
import Testing

/// `@Inverse` and `@Lazy` in `@Observable` classes: reads are tracked, and changes notify observers.
@MainActor struct ObservedLinkTests {
    private func withOwner(
        _ body: (Session, ObservedOwner, ObservedItem, Observers<ObservedOwner>) throws -> Void
    ) throws {
        try withTemporarySession { session, _ in
            let (owner, item) = (ObservedOwner(), ObservedItem())
            item.owner = owner
            try item.save()
            try body(session, owner, item, Observers(owner, ObservedOwner.reads))
        }
    }

    @Test func `setting an inverse and changing it in place notify observers`() throws {
        try withOwner { _, owner, item, observers in
            owner.items = []
            expect(observers.told(), ["items"])
            owner.items.append(item)
            #expect(observers.told() == ["items"] && owner.items == [item])
            owner.name = "x"
            expect(observers.told(), ["name"])
        }
    }

    @Test func `reading an inverse for the first time notifies no observer`() throws {
        try withTemporarySession { session, _ in
            let (owner, item) = (ObservedOwner(), ObservedItem())
            item.owner = owner
            try item.save()
            try owner.reload()
            #expect(!owner.$items.isLoaded)
            let observers = Observers(owner, ObservedOwner.reads)
            #expect(owner.$items.isLoaded && owner.items == [item] && observers.told() == [])
        }
    }

    @Test func `an inverse with a condition notifies observers when its content may have changed`() throws {
        try withOwner { session, owner, item, _ in
            let observers = Observers(owner, ObservedOwner.greatReads)
            #expect(owner.great.isEmpty && observers.told() == [])
            item.name = "x"
            try item.save()
            expect(observers.told(), [])
            item.n = 9
            expect(observers.told(), [])
            try item.save()
            #expect(observers.told() == ["great"] && owner.great == [item])
            try item.delete()
            #expect(observers.told() == ["great"] && owner.great.isEmpty)
        }
    }

    @Test func `an inverse notifies observers when another session adds an object`() throws {
        try withOwner { session, owner, item, observers in
            let id = try #require(owner.id)
            try session.inAnother {
                let second = ObservedItem()
                second.owner = try ObservedOwner.find(id)
                try second.save()
            }
            _ = try ObservedItem.all()
            let told = observers.told()
            #expect(owner.items.count == 2 && told.contains("items") && !told.contains("name"))
        }
    }

    @Test func `deletions and rollbacks notify observers of an inverse`() throws {
        try withOwner { session, owner, item, observers in
            try session.transaction {
                try item.delete()
                session.rollBack()
            }
            #expect(owner.items == [item] && observers.told() == ["items"])
            try item.delete()
            #expect(owner.items.isEmpty && observers.told() == ["items"])
        }
    }

    @Test func `reverting an inverse notifies observers`() throws {
        try withOwner { _, owner, item, observers in
            owner.items = []
            _ = observers.told()
            owner.revert()
            #expect(owner.items == [item] && observers.told() == ["items"])
        }
    }

    @Test func `setting, reverting and reloading a lazy value notify observers`() throws {
        try withTemporarySession { session, _ in
            let item = ObservedItem()
            item.photo = [1]
            try item.save()
            let observers = Observers(item, ["photo": { _ = $0.photo }, "n": { _ = $0.n }])
            item.photo = [2]
            expect(observers.told(), ["photo"])
            item.photo?.append(3)
            expect(observers.told(), ["photo"])
            item.revert()
            #expect(item.photo == [1] && observers.told() == ["photo"])
            let id = try #require(item.id)
            try session.inAnother {
                let other = try #require(try ObservedItem.find(id))
                other.photo = [9]
                try other.save()
            }
            try item.reload()
            #expect(item.photo == [9] && observers.told() == ["photo"])
        }
    }

    @Test func `a lazy reference notifies observers only when another session sets it`() throws {
        try withTemporarySession { session, _ in
            let (item, owner) = (ObservedItem(), ObservedOwner())
            try session.save([item, owner])
            let observers = Observers(item, ["lender": { _ = $0.lender }, "n": { _ = $0.n }])
            let (id, ownerID) = (try #require(item.id), try #require(owner.id))
            for name in ["n", "lender"] {
                try session.inAnother {
                    let other = try #require(try ObservedItem.find(id))
                    if name == "n" { other.n += 1 } else { other.lender = try ObservedOwner.find(ownerID) }
                    try other.save()
                }
                _ = try ObservedItem.all()
                expect(observers.told(), [name])
            }
            #expect(item.lender === owner)
        }
    }

    @Test func `the inverse of a new object is observed once the object is added to the session`() throws {
        try withTemporarySession { session, _ in
            let owner = ObservedOwner()
            try session.add(owner)
            let observers = Observers(owner, ObservedOwner.reads)
            owner.items.append(ObservedItem())
            expect(observers.told(), ["items"])
            try session.saveChanges()
            #expect(owner.items.count == 1 && owner.items[0].owner === owner && observers.told() == [])
        }
    }

    @Test func `an unloaded inverse still notifies observers when its content changes`() throws {
        try withTemporarySession { session, _ in
            let (owner, item) = (ObservedOwner(), ObservedItem())
            item.owner = owner
            try item.save()
            let observers = Observers(owner, ["items": { _ = $0.items.count }])
            // The inverse is not read for some time.
            var count = 0
            while owner.$items.isLoaded, count < 100_000 {
                _ = try ObservedItem.all()
                count += 1
            }
            try #require(!owner.$items.isLoaded)
            expect(observers.told(), [])
            item.owner = nil
            try item.save()
            #expect(observers.told() == ["items"] && owner.items.isEmpty)
        }
    }
}
