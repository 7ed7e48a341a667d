import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Unique properties that are added to a class with rows, or removed.
@Suite struct UniqueChangeTests {
    enum Old {
        final class Item: PersistentObject {
            override class var tableName: String { "item" }
            @Unique var code = UUID().uuidString
            var name = ""
            var place = 0
            override class var indexes: [Index] { [Index(\Item.name, \Item.place, unique: true)] }
        }
    }

    private func file(_ count: Int) throws -> TemporaryStore {
        let file = try TemporaryStore()
        try file.open().withSession { session throws in
            try session.save(
                (0..<count).map { number in
                    let item = Old.Item()
                    item.place = number
                    return item
                })
        }
        return file
    }

    private func uniqueIndexes(_ file: TemporaryStore) throws -> String {
        try file.sqlite("SELECT name FROM pragma_index_list('item') WHERE \"unique\" ORDER BY name")
    }

    @Test func `the unique index of a removed property no longer applies`() throws {
        enum New {
            final class Item: PersistentObject {
                override class var tableName: String { "item" }
                var name = ""
                var place = 0
                override class var indexes: [Index] { [Index(\Item.name, \Item.place, unique: true)] }
            }
        }
        let file = try file(1)
        try file.open().withSession { session throws in
            try session.save(
                (1..<4).map { number in
                    let item = New.Item()
                    item.place = number
                    return item
                })
            try expect(New.Item.count(), 4)
        }
        try expect(uniqueIndexes(file), "item.name,place.unique")
    }

    @Test
    func `unique indexes that the class no longer declares are dropped, and other programs' indexes kept`() throws {
        enum New {
            final class Item: PersistentObject {
                override class var tableName: String { "item" }
                var code = ""
                var name = ""
                var place = 0
            }
        }
        let file = try file(2)
        _ = try file.sqlite("CREATE UNIQUE INDEX by_hand ON item (place)")
        try file.open().withSession { session throws in
            let twins = [New.Item(), New.Item()]
            (twins[0].place, twins[1].place) = (7, 8)
            try session.save(twins)
            try expect(New.Item.findByCode("").count, 2)
        }
        try expect(uniqueIndexes(file), "by_hand", "an index that others have made stays")
    }

    @Test func `unique indexes are kept, also of a renamed property`() throws {
        enum New {
            final class Item: PersistentObject {
                override class var tableName: String { "item" }
                @Unique @Column("token", renamedFrom: "code") var token = UUID().uuidString
                var name = ""
                var place = 0
                override class var indexes: [Index] { [Index(\Item.name, \Item.place, unique: true)] }
            }
        }
        let file = try file(2)
        for _ in 0..<2 {
            try file.open().prepare(New.Item.self)
            try expect(uniqueIndexes(file), "item.name,place.unique\nitem.token.unique")
        }
    }

    class Root: PersistentObject {
        override class var tableName: String { "root_table" }
        @Unique var code = UUID().uuidString
    }
    final class Leaf: Root { @Unique var leafCode: String? }

    @Test func `preparing the root of a hierarchy keeps the unique indexes of its subclasses`() throws {
        enum New {
            class Root: PersistentObject {
                override class var tableName: String { "root_table" }
                var code = ""
            }
        }
        let file = try TemporaryStore()
        try file.open().prepare(Leaf.self)
        try file.open().withSession { session throws in
            try session.save([New.Root(), New.Root()])
            try expect(New.Root.findByCode("").count, 2)
        }
        try expect(
            file.sqlite("SELECT name FROM pragma_index_list('root_table') WHERE \"unique\""),
            "root_table.leaf_code.unique")
    }

    @Test func `a new unique property gives each row its own value if initial values differ`() throws {
        enum New {
            final class Item: PersistentObject {
                override class var tableName: String { "item" }
                @Unique var token = UUID()
                @Unique var nick: String?
                var name = ""
            }
        }
        let file = try file(3)
        var tokens: [UUID] = []
        for _ in 0..<2 {
            try file.open().withSession { _ throws in
                let found = try New.Item.all().map(\.token)
                #expect(Set(found).count == 3 && (tokens.isEmpty || tokens == found))
                tokens = found
                try expect(New.Item.findOnlyBy.token(found[1]).id, 2)
            }
        }
    }

    @Test func `a new unique property of a subclass gives values only to the subclass's rows`() throws {
        enum New {
            class Root: PersistentObject {
                override class var tableName: String { "root_table" }
                @Unique var code = UUID().uuidString
            }
            final class Leaf: Root { @Unique var token = UUID() }
        }
        let file = try TemporaryStore()
        try file.open().withSession { session throws in try session.save([Leaf(), Root(), Leaf()]) }
        try file.open().withSession { _ throws in
            let leaves = try New.Leaf.all()
            #expect(leaves.count == 2 && Set(leaves.map(\.token)).count == 2)
        }
        try expect(file.sqlite("SELECT count(*) FROM root_table WHERE token IS NULL"), "1")
    }

    @Test func `a new unique property with equal initial values is refused with the remedy`() throws {
        enum New {
            final class Item: PersistentObject {
                override class var tableName: String { "item" }
                @Unique var label = ""
                var name = ""
            }
        }
        let (none, one, two) = (try file(0), try file(1), try file(2))
        for file in [none, one] { try file.open().withSession { _ throws in _ = try New.Item.all() } }
        let error = #expect(throws: SchemaError.self) { try two.open().prepare(New.Item.self) }
        #expect(error == .equalInitialValues(className: "Item", property: "label"))
        let text = try #require(error).description
        #expect(text.contains("Item.label") && text.contains("optional") && !text.contains("constraint"))
        #expect(try two.sqlite("SELECT count(*) FROM pragma_table_info('item') WHERE name = 'label'") == "0")
    }

    @Test func `a new unique index over duplicate values is refused with the index's name`() throws {
        enum New {
            final class Item: PersistentObject {
                override class var tableName: String { "item" }
                var name = ""
                override class var indexes: [Index] { [Index(\Item.name, unique: true)] }
            }
        }
        let file = try file(2)
        let error = #expect(throws: SchemaError.self) { try file.open().prepare(New.Item.self) }
        #expect(error == .notUnique(className: "Item", index: "item.name.unique", rows: ["2 rows from 1 to 2"]))
    }
}
