import TestSupport
import Testing

@testable import PersistentObjects

/// New objects that a session is told of.
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

    @Test func `saveChanges saves what was added and what it leads to, once`() throws {
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

    @Test func `what is saved by itself is not saved again`() throws {
        try withTemporarySession { session, _ in
            let item = Item(1)
            try session.add(item)
            try item.save()
            try session.saveChanges()
            #expect(try Item.count() == 1 && session.memory.added.isEmpty)
        }
    }

    @Test func `a failed save leaves it added`() throws {
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

    @Test func `after a rollback it is added still`() throws {
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

    @Test func `deleted objects and those of other sessions are refused`() throws {
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

    @Test func `a background session takes new objects too`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try await store.perform { session in
            try session.add(Item(4))
            try session.saveChanges()
        }
        try expect(file.sqlite("SELECT n FROM item"), "4")
    }
}
