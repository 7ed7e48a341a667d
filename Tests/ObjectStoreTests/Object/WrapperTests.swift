import Observation
import TestSupport
import Testing

@testable import PersistentObjects

/// The declarations that property wrappers make, alone and nested, and the equivalent overrides for classes that
/// cannot use wrappers.
@Suite struct WrapperTests {
    final class Wrapped: PersistentObject {
        @Indexed var indexed = 1
        @Indexed var maybeIndexed: Int?
        @Unique var unique: String?
        @Column("other") var renamed = "r"
        @Column("years", renamedFrom: "age", "alter") var age: Int?
        @Transient var passing = "p"
        @Transient var maybePassing: Int?
        @Unique @Column("mail") var email: String? = nil
        @Indexed @Unique @Column("deep") var deep = 7
        @Column("outer") @Column("inner") var twice = 8
        @Indexed @Transient var notStored = 9
    }

    private func property(_ name: String, of type: PersistentObject.Type = Wrapped.self) throws -> Property {
        try #require(try ClassMap.map(of: type).properties.first { $0.name == name })
    }

    @Test func `each wrapper's declaration applies, however the wrappers are nested`() throws {
        let names = try ClassMap.map(of: Wrapped.self).properties.map(\.name)
        expect(names, ["indexed", "maybeIndexed", "unique", "renamed", "age", "email", "deep", "twice"])
        let indexed = try property("indexed")
        #expect(indexed.isIndexed && !indexed.isUnique && indexed.column == "indexed" && indexed.typeName == "Int")
        let email = try property("email")
        #expect(email.isUnique && email.column == "mail" && email.codec.acceptsNull)
        let deep = try property("deep")
        #expect(deep.isUnique && deep.isIndexed && deep.column == "deep")
        let age = try property("age")
        #expect(age.column == "years" && age.formerColumns == ["age", "alter"])
        try expect(property("twice").column, "inner", "the wrapper next to the value has the last word")
    }

    @Test func `reads and writes of a wrapped property access its value`() throws {
        try Store.inMemory().withSession { _ in
            let wrapped = Wrapped()
            #expect(wrapped.indexed == 1 && wrapped.maybeIndexed == nil && wrapped.deep == 7 && wrapped.email == nil)
            wrapped.deep = 70
            wrapped.email = "a@b.c"
            wrapped.passing = "changed"
            try wrapped.save()
            wrapped.deep += 1
            wrapped.passing = "again"
            wrapped.notStored = 10
            expect(wrapped.changes.map(\.name), ["deep"])
            wrapped.revert()
            #expect(wrapped.deep == 70 && wrapped.passing == "again" && wrapped.notStored == 10)
            #expect(try Wrapped.findBy.email("a@b.c").first === wrapped)
        }
    }

    @Test func `generated index names do not collide with other tables or indexes`() throws {
        enum Order {
            final class Order: PersistentObject {
                override class var tableName: String { "order" }
                @Indexed var itemName = ""
            }
            final class OrderItem: PersistentObject {
                override class var tableName: String { "order_item" }
                @Indexed var name = ""
            }
            final class OrderItemNameIndex: PersistentObject {
                override class var tableName: String { "order_item_name_index" }
                var value = 1
            }
        }
        try withTemporarySession { _, file in
            try Order.Order().save()
            try Order.OrderItem().save()
            try Order.OrderItemNameIndex().save()
            let tables = try file.sqlite(
                "SELECT tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1")
            expect(tables, "order\norder_item")
        }
    }

    final class Compound: PersistentObject {
        @Indexed var aB = 1
        var a = 2
        var b = 3
        override class var indexes: [Index] {
            [
                Index("a", "b"), Index("a", "b", unique: true), Index(\Compound.a, order: .descending), Index("b"),
                Index(\Compound.b), Index(\Compound.b, \Compound.a), Index("id"),
            ].dropLast()
        }
    }

    @Test func `an index on column a_b differs from an index on a and b, and equal indexes are created once`() throws {
        let map = try ClassMap.map(of: Compound.self)
        let shapes = map.indexes.map { "\($0.columns) \($0.isUnique) \($0.isDescending)" }
        #expect(
            shapes == [
                #"["a_b"] false false"#, #"["a", "b"] false false"#, #"["a", "b"] true false"#, #"["a"] false true"#,
                #"["b"] false false"#, #"["b", "a"] false false"#,
            ])
        #expect(Set(map.indexes.map(\.name)).count == map.indexes.count)
        try withTemporarySession { _, file in
            try Compound().save()
            let count = try file.sqlite("SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
            #expect(count == "6")
            #expect(throws: StoreError.self) { try Compound().save() }
        }
    }

    // MARK: Overrides instead of wrappers

    @Observable class Watched: PersistentObject {
        var name = "n"
        var age: Int?
        var passing = 1
        @ObservationIgnored var ignored = 2
        override class var columns: [String: String] { ["name": "title"] }
        override class var transient: Set<String> { ["passing"] }
        override class var indexes: [Index] { [Index(\Watched.name, \Watched.age), Index("ignored", unique: true)] }
    }

    @Observable final class WatchedMore: Watched {
        var more = 3
        override class var columns: [String: String] { super.columns.merging(["more": "extra"]) { $1 } }
        override class var transient: Set<String> { super.transient.union(["age"]) }
        override class var indexes: [Index] { [Index("more")] }
    }

    @Observable final class PlainlyWatched: PersistentObject {
        var first = 1
        var second = "s"
    }

    @Test func `an @Observable class is mapped without its registrar, and with its overrides`() throws {
        let plain = try ClassMap.map(of: PlainlyWatched.self).properties
        #expect(plain.map(\.name) == ["first", "second"] && plain.map(\.column) == ["first", "second"])
        let map = try ClassMap.map(of: Watched.self)
        expect(map.properties.map(\.name), ["name", "age", "ignored"])
        expect(map.properties.map(\.column), ["title", "age", "ignored"])
        expect(map.indexes.map(\.columns), [["title", "age"], ["ignored"]])
        let more = try ClassMap.map(of: WatchedMore.self)
        expect(more.properties.map(\.column), ["title", "ignored", "extra"])
    }

    @Test func `an @Observable object is saved, found, changed and observed`() throws {
        try withTemporarySession { session, file in
            let watched = WatchedMore()
            watched.name = "new"
            watched.more = 30
            try watched.save()
            try expect(file.sqlite("SELECT title, extra FROM watched"), "new|30")
            let calls = Recorder<String>()
            withObservationTracking {
                _ = watched.name
            } onChange: {
                calls.add("name")
            }
            watched.name = "newer"
            expect(calls.all, ["name"])
            expect(watched.changes.map(\.name), ["name"])
            try watched.save()
            try session.store.withSession { _ in
                let found = try #require(try WatchedMore.findBy.name("newer").first)
                #expect(found.more == 30 && found.passing == 1 && !found.hasChanges)
            }
        }
    }
}
