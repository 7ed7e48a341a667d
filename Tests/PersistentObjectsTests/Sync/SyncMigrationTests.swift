import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Synced classes that change: numbers follow, and adapting a table is no edit.
@Suite(.onSQLite("PostgreSQL captures no changes"))
struct SyncMigrationTests {
    enum V1 {
        class Cat: PersistentObject {
            override class var tableName: String { "sync_cat" }
            override class var identity: Identity { .uuid }
            override class var isSynced: Bool { true }
            var name = ""
            var lives = 9
            var first = "1"
            var second = "2"
            var toys: [String] = []
        }
        final class Plain: PersistentObject {
            override class var tableName: String { "sync_plain_cat" }
            override class var identity: Identity { .uuid }
            var name = ""
        }
    }
    /// A renamed table, a renamed and a converted column, a new column, and exchanged names.
    enum V2 {
        class Cat: PersistentObject {
            override class var tableName: String { "sync_kitten" }
            override class var formerTableNames: [String] { ["sync_cat"] }
            override class var identity: Identity { .uuid }
            override class var isSynced: Bool { true }
            @Column("full_name", renamedFrom: "name") var name = ""
            var lives = "9"
            @Column("second", renamedFrom: "first") var one = ""
            @Column("first", renamedFrom: "second") var two = ""
            @Column("things", renamedFrom: "toys") var toys: [String] = []
            var colour = "grey"
        }
        final class Plain: PersistentObject {
            override class var tableName: String { "sync_plain_cat" }
            override class var identity: Identity { .uuid }
            override class var isSynced: Bool { true }
            var name = ""
        }
    }
    /// A subclass.
    enum V3 {
        class Animal: PersistentObject {
            override class var tableName: String { "sync_animal" }
            override class var identity: Identity { .uuid }
            override class var isSynced: Bool { true }
            var legs = 4
            var name = ""
        }
        final class Cat: Animal {
            var lives = 9
            var first = "1"
            var second = "2"
            var toys: [String] = []
        }
    }
    enum V4 {
        class Cat: PersistentObject {
            override class var tableName: String { "sync_cat" }
            override class var identity: Identity { .uuid }
            var name = ""
            var lives = 9
            var first = "1"
            var second = "2"
            var toys: [String] = []
        }
    }

    private func open(_ file: TemporaryStore, _ body: (Session) throws -> Void) throws {
        let store = try Store(file.path, configuration: .init(onNote: { _ in }))
        defer { store.close() }
        try store.withSession(body)
    }

    /// A file with a known cat, whose name and toys have changed since.
    private func cats() throws -> (TemporaryStore, SyncFile) {
        let file = try TemporaryStore()
        let marks = SyncFile(file: file)
        try open(file) { _ in
            let cat = V1.Cat()
            (cat.name, cat.toys) = ("Tom", ["ball", "mouse"])
            try cat.save()
            try marks.absorb("sync_cat_toys")
            (cat.name, cat.first) = ("Tim", "one")
            cat.toys.removeFirst()
            try cat.save()
        }
        try expect(marks.marks(), ["sync_cat#1 first,name", "sync_cat_toys#1 -"])
        return (file, marks)
    }

    @Test func `renamed, converted and exchanged columns keep their numbers`() throws {
        let (file, marks) = try cats()
        let numbers = try marks.lines("SELECT tbl || ' ' || number FROM po_sync_column WHERE name = 'name'")
        try open(file) { session in
            try session.store.prepare(V2.Cat.self)
            try expect(marks.marks(), ["sync_kitten#1 full_name,second", "sync_kitten_things#1 -"])
            try expect(
                marks.lines("SELECT tbl || ' ' || number FROM po_sync_column WHERE name = 'full_name'"), numbers)
            try expect(marks.places("sync_kitten_things"), ["mouse:2"])
            try expect(marks.gone(), ["ball:1"])
            try expect(
                marks.lines("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'sync_cat%'"),
                ["0"])
            _ = try marks.takeMarks()
            let cat = try #require(try V2.Cat.first())
            (cat.colour, cat.lives, cat.one) = ("red", "8", "uno")
            cat.toys.append("rope")
            try cat.save()
            try expect(
                marks.takeMarks(), ["sync_kitten#1 colour,lives,second", "sync_kitten_things#1 +"])
            try expect(marks.lines("SELECT born FROM po_sync_column WHERE name = 'colour'"), ["1"])
        }
    }

    @Test func `version 1 runs after version 2, and captures columns that it does not know`() throws {
        enum New {
            final class Cat: PersistentObject {
                override class var tableName: String { "sync_cat" }
                override class var identity: Identity { .uuid }
                override class var isSynced: Bool { true }
                var colour = "grey"
                var name = ""
                var lives = 9
                var first = "1"
                @Merged(.counter) var meals = 0
                var second = "2"
                var toys: [String] = []
            }
        }
        let (file, marks) = try cats()
        try open(file) { _ in
            let cat = try #require(try New.Cat.first())
            cat.meals = 2
            try cat.save()
        }
        _ = try marks.takeMarks()
        try open(file) { session in
            let cat = try #require(try V1.Cat.first())
            cat.lives = 5
            try cat.save()
            try session.execute("UPDATE sync_cat SET colour = 'blue', meals = meals + 4")
        }
        try expect(marks.counts(), ["meals#1 4"])
        try expect(marks.takeMarks(), ["sync_cat#1 colour,lives,meals"])
    }

    @Test func `the changes follow rows that move to a superclass's table`() throws {
        let (file, marks) = try cats()
        try open(file) { session in
            for _ in 0..<3 { try V3.Animal().save() }
            _ = try file.sqlite(
                """
                DELETE FROM po_sync_mark WHERE tbl NOT IN (SELECT number FROM po_sync_table WHERE name LIKE 'sync_cat%')
                """)
            try session.store.prepare(V3.Cat.self)
            let cat = try #require(try V3.Cat.first())
            let id = try #require(cat.id)
            try expect(marks.marks(), ["sync_animal#\(id) first,name", "sync_animal_toys#\(id) -"])
            try expect(marks.places("sync_animal_toys"), ["mouse:2"])
            try expect(marks.gone(), ["ball:1"])
            try expect(marks.lines("SELECT name FROM po_sync_table ORDER BY 1"), ["sync_animal", "sync_animal_toys"])
            _ = try marks.takeMarks()
            cat.lives = 1
            cat.toys.append("x")
            try cat.save()
            try expect(marks.takeMarks(), ["sync_animal#\(id) lives", "sync_animal_toys#\(id) +"])
        }
    }

    @Test func `a class that becomes synced marks nothing at first`() throws {
        let file = try TemporaryStore()
        let marks = SyncFile(file: file)
        try open(file) { _ in try V1.Plain().save() }
        try open(file) { session in
            try session.store.prepare(V2.Plain.self)
            try expect(marks.marks(), [])
            let plain = try #require(try V2.Plain.first())
            plain.name = "x"
            try plain.save()
            try expect(marks.marks(), ["sync_plain_cat#1 name"])
            try expect(marks.lines("SELECT DISTINCT born FROM po_sync_column"), ["0"])
        }
    }

    @Test func `sync ends only with consent, and drops its tables`() throws {
        let (file, marks) = try cats()
        try open(file) { session in
            #expect {
                try session.store.prepare(V4.Cat.self)
            } throws: { error in
                guard case SchemaError.endsSync("Cat", let changes)? = error as? SchemaError else { return false }
                return changes.count == 1 && "\(error)".contains("schemaPlan(for: Cat.self)")
            }
            try expect(marks.marks().count, 2, "nothing was changed")
            let plan = try session.store.schemaPlan(for: V4.Cat.self)
            #expect(plan.losses.count == 1)
            try session.store.run(plan)
            let cat = try #require(try V4.Cat.first())
            cat.name = "x"
            try cat.save()
        }
        try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%sync.%'"), "0")
        try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'po_sync%'"), "0")
        try expect(file.sqlite("SELECT count(*) FROM po_feature WHERE name = 'sync'"), "0")
        try open(file) { session in
            // The program is an older version now, unless it asks for the change.
            try session.store.run(session.store.schemaPlan(for: V1.Cat.self))
            try expect(marks.marks(), [])
        }
    }

    @Test func `a dropped column's number is not used again`() throws {
        enum Short {
            final class Cat: PersistentObject {
                override class var tableName: String { "sync_cat" }
                override class var identity: Identity { .uuid }
                override class var isSynced: Bool { true }
                var name = ""
            }
        }
        let (file, marks) = try cats()
        let last = try marks.lines("SELECT max(number) FROM po_sync_column WHERE tbl = 1")
        let store = try Store(file.path, configuration: .init(schemaChanges: .dropping, onNote: { _ in }))
        try store.prepare(Short.Cat.self)
        store.close()
        try expect(marks.marks(), ["sync_cat#1 name"])
        try expect(marks.lines("SELECT name FROM po_sync_table"), ["sync_cat"])
        try open(file) { session in try session.store.run(session.store.schemaPlan(for: V1.Cat.self)) }
        try expect(
            marks.lines("SELECT count(*) FROM po_sync_column WHERE name = 'lives' AND number > \(last[0])"), ["1"])
        try expect(marks.marks(), ["sync_cat#1 name"])
    }
}
