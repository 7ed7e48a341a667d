import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A class that becomes a subclass while a property of its superclass changes in the same version.
struct TwoChangesTests {
    enum Apart {
        class Root: PersistentObject {
            override class var tableName: String { "two_root" }
            var p = 5
            var q = "7"
            var list: Int64 = 2302
            var word = "3"
        }
        final class Item: PersistentObject {
            override class var tableName: String { "two_item" }
            var own = 1
        }
    }

    enum Joined {
        class Root: PersistentObject {
            override class var tableName: String { "two_root" }
            var p: Double?
            var q = 8
            var list: [Int64] = []
            var word: String?
        }
        final class Item: Root { var own = 1 }
    }

    @Test func `rows that join get the values of new objects, and other rows are converted`() throws {
        let file = try TemporaryStore()
        try StorageKinds.open(file) { store in
            try store.withSession { session throws in
                try session.save([Apart.Root()])
                let item = Apart.Item()
                item.own = 2
                try session.save([item])
            }
        }
        try StorageKinds.open(file) { store in
            // The superclass's table is prepared with the subclass.
            try store.prepare(Joined.Item.self)
            try store.withSession { _ throws in
                let all = try Joined.Root.query.order(by: \.id).all()
                expect(all.map(\.p), [5, nil])
                expect(all.map(\.q), [7, 8])
                expect(all.map(\.list), [[2302], []])
                expect(all.map(\.word), ["3", nil])
                expect(all.compactMap { ($0 as? Joined.Item)?.own }, [2])
            }
            try expect(store.schemaPlan(for: Joined.Root.self, Joined.Item.self).isEmpty, true)
            try expect(store.checkIntegrity().problems.isEmpty, true)
        }
    }

    enum Below {
        class Root: PersistentObject {
            override class var tableName: String { "two_base" }
            var name = ""
        }
        final class Leaf: Root {
            var token: UUID?
            var words = ["a"]
        }
    }

    enum Alone {
        final class Leaf: PersistentObject {
            override class var tableName: String { "two_leaf" }
            var name = ""
            var token: [Int] = []
            var words = ["a"]
        }
    }

    enum Single {
        final class Leaf: PersistentObject {
            override class var tableName: String { "two_leaf" }
            var name = ""
            var token: UUID?
            var words = ""
        }
    }

    @Test(arguments: [Alone.Leaf.self, Single.Leaf.self] as [PersistentObject.Type])
    func `a class cannot leave a hierarchy while a property becomes a collection or a value`(
        type: PersistentObject.Type
    ) throws {
        let file = try TemporaryStore()
        try StorageKinds.open(file) { store in
            try store.withSession { _ throws in
                let leaf = Below.Leaf()
                leaf.token = UUID()
                try leaf.save()
            }
        }
        let before = try file.sqlite(".dump")
        try StorageKinds.open(file) { store in
            let error = #expect(throws: SchemaError.self) { try store.prepare([type]) }
            #expect(error?.description.contains("Leave the class in its place first") == true)
        }
        try expect(file.sqlite(".dump"), before)
    }

    @Test func `a class can become a subclass of a class whose table is renamed`() throws {
        enum Old {
            class Root: PersistentObject {
                override class var tableName: String { "two" }
                var n = 0
            }
            final class Item: PersistentObject {
                override class var tableName: String { "two_item" }
                var words: [String] = []
            }
        }
        enum New {
            class Root: PersistentObject {
                override class var tableName: String { "two_new" }
                override class var formerTableNames: [String] { ["two"] }
                var n = 0
            }
            final class Item: Root { var words: [String] = [] }
        }
        let file = try TemporaryStore()
        try StorageKinds.open(file) { store in
            try store.withSession { session throws in
                let item = Old.Item()
                item.words = ["a"]
                try session.save([Old.Root(), item])
            }
        }
        try StorageKinds.open(file) { store in
            try store.prepare(New.Item.self)
            try store.withSession { _ throws in try expect(New.Item.all().map(\.words), [["a"]]) }
            try expect(store.schemaPlan(for: New.Item.self).isEmpty, true)
        }
    }

    @Test func `a nil that the superclass's column accepts only after the change is refused with the remedy`() throws {
        enum Nullable {
            final class Item: PersistentObject {
                override class var tableName: String { "two_item" }
                var p: Int?
            }
        }
        enum Required {
            class Root: PersistentObject {
                override class var tableName: String { "two_root" }
                var p = 5
            }
        }
        enum Both {
            class Root: PersistentObject {
                override class var tableName: String { "two_root" }
                var p: Int?
            }
            final class Item: Root {}
        }
        let file = try TemporaryStore()
        try StorageKinds.open(file) { store in
            try store.withSession { session throws in try session.save([Required.Root(), Nullable.Item()]) }
        }
        let before = try file.sqlite(".dump")
        let error = #expect(throws: SchemaError.self) {
            try StorageKinds.open(file) { try $0.prepare(Both.Root.self, Both.Item.self) }
        }
        guard case .notMovable("Item", "two_item", let reason)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(reason.contains("Make the property of Root optional first"))
        try expect(file.sqlite(".dump"), before)
    }
}

/// References that become collections of objects, and collections that become references.
struct ReferenceCollectionTests {
    enum First {
        final class Item: PersistentObject {
            override class var tableName: String { "held_item" }
            var n = 0
        }
        class Owner: PersistentObject {
            override class var tableName: String { "held_owner" }
            var one: Item?
            var two: Item?
            var many: [Item] = []
            var more: Set<Item>?
        }
        final class Leaf: Owner {
            var three: Item?
            var lone: [Item] = []
        }
    }

    enum Second {
        final class Item: PersistentObject {
            override class var tableName: String { "held_item" }
            var n = 0
        }
        class Owner: PersistentObject {
            override class var tableName: String { "held_owner" }
            var one: [Item] = []
            @Column("both", renamedFrom: "two_id") var both: Set<Item>? = nil
            var many: Item?
            var more: [Item] = []
        }
        final class Leaf: Owner {
            var three: [Item]?
            @Column("only_id", renamedFrom: "lone") var only: Item? = nil
        }
    }

    @Test func `references and collections keep their objects, in a root class and in a subclass`() throws {
        let file = try TemporaryStore()
        try StorageKinds.open(file) { store in
            try store.withSession { session throws in
                let items = (0..<3).map { _ in First.Item() }
                for (index, item) in items.enumerated() { item.n = index }
                let (owner, leaf) = (First.Owner(), First.Leaf())
                (owner.one, owner.two, owner.many, owner.more) = (items[0], items[1], [items[2]], [items[0], items[1]])
                (leaf.two, leaf.three, leaf.lone) = (items[2], items[1], [items[0]])
                try session.save([owner, leaf])
            }
        }
        try StorageKinds.open(file) { store in
            try store.prepare(Second.Owner.self, Second.Leaf.self)
            try store.withSession { _ throws in
                let all = try Second.Owner.query.order(by: \.id).all()
                expect(all.map { $0.one.map(\.n) }, [[0], []])
                expect(all.map { $0.both?.map(\.n) }, [[1], [2]])
                expect(all.map { $0.many?.n }, [2, nil])
                expect(all.map { $0.more.map(\.n).sorted() }, [[0, 1], []])
                let leaf = try #require(all[1] as? Second.Leaf)
                expect(leaf.three?.map(\.n), [1])
                expect(leaf.only?.n, 0)
            }
            try expect(store.schemaPlan(for: Second.Owner.self, Second.Leaf.self).isEmpty, true)
            let problems = try store.checkIntegrity().problems
            #expect(problems.isEmpty, "\(problems)")
        }
    }

    @Test func `values do not become references, and elements do not change their class`() throws {
        enum Values {
            final class Owner: PersistentObject {
                override class var tableName: String { "held_owner" }
                var one: Int64 = 1
            }
        }
        enum Others {
            final class Other: PersistentObject {
                override class var tableName: String { "held_other" }
                var n = 0
            }
            class Owner: PersistentObject {
                override class var tableName: String { "held_owner" }
                var many: Other?
            }
        }
        let file = try TemporaryStore()
        try StorageKinds.open(file) { store in try store.withSession { _ throws in try Values.Owner().save() } }
        #expect(throws: SchemaError.self) { try StorageKinds.open(file) { try $0.prepare(Second.Owner.self) } }
        let second = try TemporaryStore()
        try StorageKinds.open(second) { store in
            try store.withSession { _ throws in
                let owner = First.Owner()
                owner.many = [First.Item()]
                try owner.save()
            }
        }
        let error = #expect(throws: SchemaError.self) {
            try StorageKinds.open(second) { try $0.prepare(Others.Owner.self) }
        }
        guard case .referenceDiffers("Owner", "many", _, "held_item", "held_other")? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }
}
