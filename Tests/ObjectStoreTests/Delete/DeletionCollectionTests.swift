import TestSupport
import Testing

@testable import PersistentObjects

/// Delete rules of collections of references, in memory and in the file.
struct DeletionCollectionTests {
    final class Item: PersistentObject {
        override class var tableName: String { "item" }
        var name = ""
        @Inverse(\Box.owned) var owners: [Box]
    }

    final class Box: PersistentObject {
        override class var tableName: String { "box" }
        var items: [Item] = []
        var choice: Set<Item> = []
        var named: [String: Item] = [:]
        @OnDelete(.cascade) var owned: [Item] = []
        @OnDelete(.deny) var kept: [Item] = []
        @Lazy var later: [Item] = []
        var words: [String] = []
    }

    private static func items(_ count: Int) -> [Item] {
        (0..<count).map { number in
            let item = Item()
            item.name = "I\(number)"
            return item
        }
    }

    @Test func `a deleted object is removed from arrays, sets and dictionaries`() throws {
        try withTemporarySession { session, file in
            let items = Self.items(3)
            let box = Box()
            box.items = [items[0], items[1], items[0], items[2]]
            box.choice = [items[0], items[1]]
            box.named = ["a": items[0], "b": items[1]]
            try session.save([box])
            try items[0].delete()
            #expect(box.items == [items[1], items[2]] && box.choice == [items[1]] && box.named == ["b": items[1]])
            #expect(!box.hasChanges)
            try expect(file.sqlite("SELECT value_id FROM box_items ORDER BY position"), "2\n3")
            try expect(file.sqlite("SELECT value_id FROM box_choice"), "2")
            try expect(file.sqlite("SELECT key, value_id FROM box_named"), "b|2")
            box.items.append(items[1])
            try box.save()
            try expect(file.sqlite("SELECT value_id FROM box_items ORDER BY position"), "2\n3\n2")
        }
    }

    @Test func `edits of a collection are kept when an element is deleted`() throws {
        try withTemporarySession { session, file in
            let items = Self.items(3)
            let box = Box()
            box.items = items
            try session.save([box])
            let new = Item()
            box.items = [new, items[2], items[1], items[0]]
            try items[1].delete()
            #expect(box.items == [new, items[2], items[0]] && box.changes.map(\.name) == ["items"])
            try box.save()
            try expect(file.sqlite("SELECT value_id FROM box_items ORDER BY position"), "4\n3\n1")
        }
    }

    @Test
    func `the rows of an owner's collections are deleted with it, and elements that it does not own stay`() throws {
        try withTemporarySession { session, file in
            let items = Self.items(2)
            let box = Box()
            box.items = items
            box.words = ["a", "b"]
            try session.save([box])
            try box.delete()
            #expect(box.items == items && items.allSatisfy { !$0.isDeleted })
            let counts = "SELECT (SELECT count(*) FROM box_items) + (SELECT count(*) FROM box_words)"
            try expect(file.sqlite(counts), "0")
            try expect(file.sqlite("SELECT count(*) FROM item"), "2")
        }
    }

    @Test func `a collection that owns its elements cascades to them, and they leave other collections too`() throws {
        try withTemporarySession { session, file in
            let items = Self.items(3)
            let boxes = [Box(), Box()]
            boxes[0].owned = [items[0], items[1]]
            boxes[1].owned = [items[1], items[2]]
            boxes[1].items = [items[0], items[2]]
            try session.save(boxes)
            expect(items[1].owners, boxes)
            try boxes[0].delete()
            expect(items.map(\.isDeleted), [true, true, false])
            #expect(boxes[1].owned == [items[2]] && boxes[1].items == [items[2]] && !boxes[1].hasChanges)
            expect(boxes[0].owned, [items[0], items[1]])
            try expect(file.sqlite("SELECT group_concat(id) FROM item"), "3")
            try expect(file.sqlite("SELECT owner_id, value_id FROM box_owned"), "2|3")
        }
    }

    @Test func `an inverse of a collection drops a deleted owner`() throws {
        try withTemporarySession { session, _ in
            let items = Self.items(1)
            let other = Box()
            let box = Box()
            try session.save(items)
            box.later = items
            other.kept = items
            try session.save([box, other])
            expect(items[0].owners, [])
            box.owned = items
            try box.save()
            expect(items[0].owners, [box])
            box.owned = []
            box.owned = items
            other.kept = []
            try other.save()
            try session.delete([box])
            #expect(items[0].isDeleted)
        }
    }

    @Test func `an owner with elements whose rule is deny cannot be deleted without them`() throws {
        try withTemporarySession { session, file in
            let items = Self.items(2)
            let box = Box()
            box.kept = items
            try session.save([box])
            let error = #expect(throws: StoreError.self) { try session.delete([box, items[0]]) }
            expect(error?.code, .deletionDenied)
            expect(
                error.map(String.init(describing:)),
                "Box.kept #1: The object cannot be deleted while it contains Item #2, because the property's "
                    + "delete rule is .deny. Nothing was deleted. Delete both, or remove the element first")
            #expect(box.kept == items && !box.isDeleted && !items[0].isDeleted && !box.hasChanges)
            // An element can be deleted.
            try items[0].delete()
            expect(box.kept, [items[1]])
            try session.delete([items[1], box])
            #expect(box.isDeleted && items[1].isDeleted)
            try expect(file.sqlite("SELECT (SELECT count(*) FROM item), (SELECT count(*) FROM box)"), "0|0")
        }
    }

    @Test func `a lazy collection that is not loaded is later read without the deleted object`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let box = Box()
                box.later = Self.items(3)
                try session.save([box])
            }
            try store.withSession { _ in
                let box = try #require(try Box.find(1))
                try #require(try Item.find(2)).delete()
                #expect(!box.$later.isLoaded && box.later.map(\.id) == [1, 3] && !box.hasChanges)
            }
        }
    }
}
