import TestSupport
import Testing

@testable import PersistentObjects

/// New objects that are added to a session.
struct AddTests {
    final class Item: PersistentObject {
        override class var tableName: String { "item" }
        var n = 0
        var next: Item?
        convenience init(_ n: Int) {
            self.init()
            self.n = n
        }
    }

    @Test func `saveChanges saves added objects and the objects they refer to, each once`() throws {
        try withTemporarySession { session, file in
            try {
                let item = Item(1)
                item.next = Item(2)
                try session.add(item)
                try session.add([item, Item(3)])
                item.n = 10
            }()
            try expect(Item.count(), 0)
            try session.saveChanges()
            try expect(file.sqlite("SELECT n FROM item ORDER BY n"), "2\n3\n10")
            #expect(session.memory.added.isEmpty)
            try session.saveChanges()
            #expect(try Item.count() == 3 && session.counts.live == 0)
        }
    }

    @Test func `an added object that was saved is not saved again`() throws {
        try withTemporarySession { session, _ in
            let item = Item(1)
            try session.add(item)
            try item.save()
            try session.saveChanges()
            #expect(try Item.count() == 1 && session.memory.added.isEmpty)
        }
    }

    @Test func `after a failed save, the object is still added`() throws {
        try withTemporarySession { session, file in
            _ = try Item.count()
            _ = try file.sqlite(
                "CREATE TRIGGER no BEFORE INSERT ON item WHEN NEW.n < 0 BEGIN SELECT RAISE(ABORT, 'no'); END")
            let item = Item(-1)
            try session.add(item)
            #expect(throws: StoreError.self) { try session.saveChanges() }
            #expect(item.isNew)
            item.n = 1
            try session.saveChanges()
            expect(item.id, 1)
        }
    }

    @Test func `after a rollback, the object is still added`() throws {
        try withTemporarySession { session, _ in
            let item = Item(1)
            try session.add(item)
            try session.transaction {
                try session.saveChanges()
                expect(item.id, 1)
                session.rollBack()
            }
            #expect(item.isNew)
            try session.transaction { try session.saveChanges() }
            #expect(try Item.count() == 1 && session.memory.added.isEmpty)
        }
    }

    @Test func `adding a deleted object or an object of another session is refused`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let item = Item(1)
                try item.save()
                try store.withSession { other in
                    _ = #expect(throws: StoreError.self) { try other.add(item) }
                }
                try item.delete()
                let error = #expect(throws: StoreError.self) { try session.add(item) }
                #expect(error?.code == .objectIsDeleted)
            }
        }
    }

    @Test func `objects can be added to a background session`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try await store.perform { session in
            try session.add(Item(4))
            try session.saveChanges()
        }
        try expect(file.sqlite("SELECT n FROM item"), "4")
    }
}
