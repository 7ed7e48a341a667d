import PersistentObjects
@_spi(Locks) import StoreEngine
import TestSupport
import Testing

/// Programs of an older version that use the file of a newer version.
@Suite(.onSQLite("two stores of one process are on one file"))
struct OlderVersionTests {
    enum First {
        final class Person: PersistentObject {
            override class var tableName: String { "older_person" }
            var name = ""
            var age = 0
            var home: String? = "h"
        }
    }
    /// Adds and indexes properties, and makes them optional or required.
    enum Wider {
        final class Person: PersistentObject {
            override class var tableName: String { "older_person" }
            @Indexed var name = ""
            var age: Int?
            var home = "h"
            var tags: [String] = ["new"]
            var city = "Ulm"
        }
    }
    /// Renames and converts properties.
    enum Other {
        final class Person: PersistentObject {
            override class var tableName: String { "older_person" }
            @Column("full_name", renamedFrom: "name") var fullName = ""
            var age = ""
            var home: [String] = []
        }
    }
    enum Strict {
        final class Person: PersistentObject {
            override class var tableName: String { "older_person" }
            @Unique var name = ""
            @Searchable var home: String?
            var age = 0
        }
    }
    enum Renamed {
        final class Human: PersistentObject {
            override class var tableName: String { "older_human" }
            override class var formerTableNames: [String] { ["older_person"] }
            override class var formerNames: [String] { ["Person"] }
            var name = ""
            var age = 0
            var home: String? = "h"
        }
    }
    /// A property that moves from a class to its superclass.
    enum Low {
        class Being: PersistentObject {
            override class var tableName: String { "older_being" }
            var number = 0
        }
        final class Animal: Being { var sound = "?" }
    }
    enum High {
        class Being: PersistentObject {
            override class var tableName: String { "older_being" }
            var number = 0
            var sound = "?"
        }
        final class Animal: Being {}
    }

    enum Kept {
        final class Note: PersistentObject {
            override class var tableName: String { "older_note" }
            override class var keepsHistory: Bool { true }
            var text = ""
        }
    }
    enum KeptWider {
        final class Note: PersistentObject {
            override class var tableName: String { "older_note" }
            override class var keepsHistory: Bool { true }
            var text = ""
            var title = ""
        }
    }

    private func fill(_ file: TemporaryStore) throws {
        try file.open().withSession { session throws in
            for (name, age) in [("Ann", 39), ("Bob", 7)] {
                let person = First.Person()
                (person.name, person.age) = (name, age)
                try person.save()
            }
        }
    }

    private func olderVersion(_ error: (any Error)?) -> [String]? {
        guard case SchemaError.olderVersion("Person", let changes, let own, let file)? = error else { return nil }
        #expect(own.contains("20") && file.contains("20"), "\(own), \(file)")
        return changes
    }

    /// The newer version of the program may have been built with an earlier version of the library.
    @Test func `an older version leaves history triggers of an earlier library, and the newer version replaces them`()
        throws
    {
        let file = try TemporaryStore()
        try file.open().withSession { _ throws in try Kept.Note().save() }
        try file.open().prepare(KeptWider.Note.self)
        let former = try file.sqlite(
            """
            SELECT 'DROP TRIGGER "' || name || '"; ' || replace(replace(sql, ', "author", "transaction"', ''),
            ', sign(''po.author''), sign(''po.transaction'')', '') || ';' FROM sqlite_schema
            WHERE type = 'trigger' AND tbl_name = 'older_note'
            """)
        #expect(former.contains("older_note.history.update") && !former.contains("sign("))
        _ = try file.sqlite(former)
        let schema = try file.sqlite(".schema")
        try file.open().withSession { session throws in
            session.author = "ann"
            let note = try Kept.Note.query.single()
            note.text = "a"
            try note.save()
            try expect(note.history.all().map(\.author), [nil, "ann"])
        }
        try expect(file.sqlite(".schema"), schema)
        try file.open().withSession { session throws in
            session.author = "bob"
            let note = try KeptWider.Note.query.single()
            note.title = "b"
            try note.save()
            let entries = try note.history.all()
            expect(entries.map(\.change), [.created, .changed, .changed])
            expect(entries.map(\.author), [nil, "ann", "bob"])
        }
        let triggers = try file.sqlite("SELECT sql FROM sqlite_schema WHERE name LIKE 'older_note.history.%'")
        expect(triggers.split(separator: "sign('po.author')").count, 6)
        #expect(try file.open().schemaPlan(for: KeptWider.Note.self).isEmpty)
    }

    @Test func `an older version reads and writes what its class can represent, and changes no table`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try file.open().prepare(Wider.Person.self)
        let schema = try file.sqlite(".schema")
        try file.open().withSession { _ throws in
            try expect(First.Person.query.order(by: \.id).all().map(\.age), [39, 7])
            let ann = try #require(try First.Person.findFirstBy.name("Ann"))
            ann.age = 40
            try ann.save()
            let new = First.Person()
            new.name = "Cid"
            try new.save()
            new.home = nil
            let error = try #require(throws: StoreError.self) { try new.save() }
            #expect(error.code == .constraint && error.property == "home" && error.rowID == 3)
            expect(
                error.message,
                "The file requires a value, because another program or another version of this program "
                    + "has declared the column NOT NULL. Nothing was changed. Set a value and save again")
            new.revert()
        }
        try expect(file.sqlite(".schema"), schema)
        try file.open().withSession { _ throws in
            let all = try Wider.Person.query.order(by: \.id).all()
            expect(all.map(\.age), [40, 7, 0])
            expect(all.map(\.city), ["Ulm", "Ulm", "Ulm"])
            try expect(file.open().schemaPlan(for: Wider.Person.self).isEmpty, true)
        }
        // The older version notes the changes that it does not make.
        let notes = Locked<[String]>([])
        let store = try file.open(configuration: .init(onNote: { note in notes.withLock { $0.append(note) } }))
        try store.prepare(First.Person.self)
        #expect(
            notes.withLock { $0 }.contains { $0.contains("drops index") && $0.contains("schemaPlan(for: Person.self)") }
        )
    }

    @Test func `a nil that the older class cannot represent is an error, and stays nil`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try file.open().withSession { _ throws in
            let ann = try #require(try Wider.Person.find(1))
            ann.age = nil
            try ann.save()
        }
        let before = try file.sqlite(".dump")
        for _ in 0..<2 {
            try file.open().withSession { _ throws in
                let error = #expect(throws: SchemaError.self) { try First.Person.all() }
                try #expect(#require(olderVersion(error)).contains { $0.contains("age") })
            }
        }
        try expect(file.sqlite(".dump"), before)
        // The plan names the loss, and the change back is possible.
        let plan = try file.open().schemaPlan(for: First.Person.self)
        expect(plan.losses, ["nil in column \"age\", which becomes the initial value"])
        try file.open().takeBack(First.Person.self)
        try file.open().withSession { _ throws in
            try expect(First.Person.query.order(by: \.id).all().map(\.age), [0, 7])
        }
        // The newer version is now the older one.
        try file.open().withSession { _ throws in
            try expect(Wider.Person.count(), 2)
            try expect(file.sqlite("SELECT count(*) FROM older_person WHERE age IS NULL"), "0")
        }
    }

    @Test func `an older version does not move a property back from the superclass to the class`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { _ throws in
            let cat = Low.Animal()
            cat.sound = "meow"
            try cat.save()
        }
        try file.open().prepare(High.Animal.self)
        let schema = try file.sqlite(".schema")
        try file.open().withSession { _ throws in
            let cat = try Low.Animal.query.single()
            expect(cat.sound, "meow")
            cat.sound = "purr"
            try cat.save()
        }
        try expect(file.sqlite(".schema"), schema)
        try file.open().withSession { _ throws in try expect(High.Animal.query.single().sound, "purr") }
    }

    @Test func `an older version never undoes renames and conversions`() throws {
        let file = try TemporaryStore()
        try fill(file)
        for round in 0..<2 {
            try file.open().withSession { _ throws in
                let new = Other.Person()
                (new.fullName, new.age, new.home) = ("new \(round)", "12", ["hh"])
                try new.save()
            }
            let before = try file.sqlite(".dump")
            try file.open().withSession { _ throws in
                let error = #expect(throws: SchemaError.self) { try First.Person.all() }
                #expect(olderVersion(error) != nil, "\(String(describing: error))")
                #expect(throws: SchemaError.self) { try First.Person().save() }
            }
            try expect(file.sqlite(".dump"), before)
        }
        try file.open().withSession { _ throws in
            try expect(Other.Person.query.order(by: \.id).all().map(\.fullName), ["Ann", "Bob", "new 0", "new 1"])
        }
    }

    @Test func `an open older version gets the error when its statements no longer match the table`() throws {
        let file = try TemporaryStore()
        let (old, new) = (try file.open(), try Store(file.path))
        try old.withSession { _ throws in
            let ann = First.Person()
            ann.name = "Ann"
            try ann.save()
            try new.withSession { _ throws in try expect(Other.Person.all().map(\.fullName), ["Ann"]) }
            func expectOlder(_ work: () throws -> Void) {
                let error = #expect(throws: (any Error).self, performing: work)
                #expect(olderVersion(error) != nil, "\(String(describing: error))")
            }
            expectOlder { _ = try First.Person.all() }
            expectOlder { _ = try First.Person.where { $0.name == "Ann" }.count() }
            expectOlder { _ = try First.Person.findByName("Ann") as [First.Person] }
            expectOlder { _ = try First.Person.where { $0.age == 0 }.update { $0.name = "x" } }
            expectOlder { try First.Person().save() }
            ann.name = "Anne"
            expectOlder { try ann.save() }
            ann.revert()
        }
        new.close()
    }

    @Test func `a constraint of the class that the file no longer has is an error`() throws {
        let file = try TemporaryStore()
        try file.open().prepare(Strict.Person.self)
        try file.open().prepare(First.Person.self)
        let changes = olderVersion(
            #expect(throws: SchemaError.self) { try file.open().prepare(Strict.Person.self) })
        #expect(
            changes?.contains { $0.contains("unique") } == true
                && changes?.contains { $0.contains("search index") } == true
        )
    }

    @Test func `an older version of a renamed class does not create an empty table`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try file.open().withSession { _ throws in try expect(Renamed.Human.count(), 2) }
        let error = #expect(throws: SchemaError.self) { try file.open().prepare(First.Person.self) }
        #expect(olderVersion(error) != nil)
    }

    @Test func `a dropped table is created again`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try file.open().prepare(Wider.Person.self)
        _ = try file.sqlite("DROP TABLE older_person_tags; DROP TABLE older_person")
        try file.open().withSession { _ throws in try expect(First.Person.count(), 0) }
    }
}
