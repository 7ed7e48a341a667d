import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Observers are notified of the values that a save sets or restores.
@MainActor struct ObserverSaveTests {
    private func withRecord(_ body: (Session, ObservedRecord, Observers<ObservedRecord>) throws -> Void) throws {
        try withTemporarySession { session, _ in
            let record = ObservedRecord()
            try body(session, record, Observers(record, ObservedRecord.reads))
        }
    }

    @Test func `a save notifies observers of dates and versions`() throws {
        try withRecord { session, record, observers in
            try record.save()
            expect(observers.told(), ["createdAt", "updatedAt"])
            record.text = "x"
            expect(observers.told(), ["text"])
            try record.save()
            #expect(record.version == 1 && observers.told() == ["updatedAt", "version"])
            try record.save()
            expect(observers.told(), [])
            let second = ObservedRecord()
            let others = Observers(second, ObservedRecord.reads)
            record.text = "y"
            _ = observers.told()
            try session.save([record, second])
            #expect(observers.told() == ["updatedAt", "version"] && others.told() == ["createdAt", "updatedAt"])
        }
    }

    @Test func `a failed save keeps the object unchanged and notifies no observer`() throws {
        try withRecord { session, record, observers in
            try record.save()
            record.text = "mine"
            let id = try #require(record.id)
            try session.inAnother {
                let other = try #require(try ObservedRecord.find(id))
                other.text = "theirs"
                try other.save()
            }
            _ = observers.told()
            let (updated, version) = (record.updatedAt, record.version)
            #expect(throws: StoreError.self) { try record.save() }
            #expect(record.text == "mine" && record.updatedAt == updated && record.version == version)
            #expect(observers.told() == [])
        }
    }

    @Test func `a rollback that makes an object new again notifies observers of its dates`() throws {
        try withRecord { session, record, observers in
            try session.transaction {
                try record.save()
                session.rollBack()
            }
            #expect(record.createdAt == nil && observers.told() == ["createdAt", "updatedAt"])
        }
    }

    @Test func `soft deletion and restore notify observers of deletedAt`() throws {
        try withRecord { _, record, observers in
            try record.save()
            _ = observers.told()
            try record.delete()
            #expect(record.deletedAt != nil && observers.told() == ["deletedAt"])
            try record.restore()
            #expect(record.deletedAt == nil && observers.told() == ["deletedAt"])
        }
    }

    @Test func `a save notifies observers of the other side`() throws {
        try withTemporarySession { session, _ in
            let (owner, item) = (ObservedOwner(), ObservedItem())
            try session.save([owner, item])
            let (owners, items) = (Observers(owner, ObservedOwner.reads), Observers(item, ObservedItem.reads))
            owner.items = [item]
            expect(owners.told(), ["items"])
            try owner.save()
            #expect(item.owner === owner && owners.told() == [] && items.told() == ["owner"])
            item.owner = nil
            expect(items.told(), ["owner"])
            try item.save()
            #expect(owner.items.isEmpty && owners.told() == ["items"] && items.told() == [])
        }
    }

    @Test func `an upsert notifies observers of the existing object`() throws {
        try withTemporarySession { session, _ in
            let circle = ObservedCircle()
            (circle.code, circle.color) = ("a", "red")
            try circle.save()
            let observers = Observers(circle, ObservedCircle.reads)
            let twin = ObservedCircle()
            (twin.code, twin.color) = ("a", "blue")
            let saved = try session.upsert(twin, on: \.code)
            #expect(saved === circle && circle.color == "blue" && observers.told() == ["color"])
        }
    }

    @Test func `a value written by a trigger notifies observers when it is read`() throws {
        try withTemporarySession { session, file in
            let item = ObservedItem()
            try item.save()
            if TestEngine.isPostgres {
                try session.execute(
                    """
                    CREATE FUNCTION seven() RETURNS trigger AS 'BEGIN NEW.n := 7; RETURN NEW; END' LANGUAGE plpgsql
                    """)
                try session.execute(
                    "CREATE TRIGGER seven BEFORE UPDATE ON observed_item FOR EACH ROW EXECUTE FUNCTION seven()")
            } else {
                try session.execute(
                    """
                    CREATE TRIGGER seven AFTER UPDATE OF name ON observed_item
                    BEGIN UPDATE observed_item SET n = 7 WHERE id = NEW.id; END
                    """)
            }
            let observers = Observers(item, ObservedItem.reads)
            item.name = "b"
            _ = observers.told()
            try item.save()
            try item.reload()
            #expect(item.n == 7 && observers.told() == ["n"])
        }
    }
}
