import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Histories of classes that change, and that start or stop keeping a history.
struct HistoryMigrationTests {
    enum V1 {
        class Person: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "moving_person" }
            var name = ""
            var age = 0
            var text = "7"
            var gone = "g"
        }
        final class Worker: Person { var wage = 0.0 }
        class Plain: PersistentObject {
            override class var tableName: String { "moving_plain" }
            var name = ""
        }
    }
    /// A new column, a renamed column, a column of another type, a removed column, and another table.
    enum V2 {
        class Person: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "moved_person" }
            override class var formerTableNames: [String] { ["moving_person"] }
            @Column("surname", renamedFrom: "name") var name = ""
            var age: Int?
            var text = 0
            var extra = 5
        }
        final class Worker: Person { var wage = 0.0 }
        class Plain: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "moving_plain" }
            var name = ""
        }
    }
    enum V3 {
        class Person: PersistentObject {
            override class var tableName: String { "moved_person" }
            @Column("surname") var name = ""
        }
        class Plain: PersistentObject {
            override class var tableName: String { "moving_plain" }
            override class var keepsHistory: Bool { true }
            var name = ""
        }
    }

    private func open(_ file: TemporaryStore, _ body: (Session) throws -> Void) throws {
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession(body)
    }

    @Test func `renamed, new, converted and removed columns and a renamed table keep the history`() throws {
        let file = try TemporaryStore()
        var times: [Date] = []
        try open(file) { _ in
            let ann = V1.Worker()
            (ann.name, ann.wage) = ("Ann", 1)
            try ann.save()
            times.append(apart { Date() })
            (ann.name, ann.age, ann.text) = ("Anna", 3, "8")
            try ann.save()
            let bob = V1.Person()
            bob.name = "Bob"
            try bob.save()
            times.append(apart { Date() })
            try bob.delete()
            times.append(apart { Date() })
        }
        try open(file) { session in
            try session.store.prepare(V2.Worker.self)
            let ann = try #require(try V2.Person.first() as? V2.Worker)
            #expect(try ann.history.all().map(\.change) == [.created, .changed])
            #expect(try ann.history.all().map { try $0.new(\V2.Person.name) } == ["Ann", "Anna"])
            #expect(try V2.Person.history.all().allSatisfy { $0.table == "moved_person" })
            times.append(apart { Date() })
            (ann.name, ann.extra, ann.wage) = ("Annette", 6, 2)
            try ann.save()
            #expect(try ann.history.all().last?.old(\V2.Person.extra) == 5)
            try ann.revert(to: times[3])
            #expect(ann.name == "Anna" && ann.age == 3 && ann.text == 8 && ann.extra == 5 && ann.wage == 1)
            ann.revert()
            // The history contains the string "7", while the property now holds a number.
            let error = #expect(throws: StoreError.self) { try ann.revert(to: times[0]) }
            #expect(error?.property == "text")
            try session.execute(
                TestEngine.isPostgres
                    ? "UPDATE po_history_entry SET old3 = '{integer,7}' WHERE old3 = '{text,7}'"
                    : "UPDATE po_history_entry SET old3 = 7 WHERE old3 = '7'")
            try ann.revert(to: times[0])
            #expect(ann.name == "Ann" && ann.age == 0 && ann.text == 7 && ann.extra == 5 && ann.wage == 1)
            ann.revert()
            let bob = try V2.Person.restored(2, to: times[1])
            // The deleted row never had this column.
            #expect(bob.name == "Bob" && bob.age == 0 && bob.text == 7 && bob.extra == 5)
            try bob.save()
            #expect(bob.id == 2)
            #expect(try V2.Worker.history.count() == 3)
        }
    }

    @Test func `a history that starts on existing rows has an entry for each, and no earlier state`() throws {
        let file = try TemporaryStore()
        var before = Date()
        try open(file) { _ in
            for number in 0..<3 {
                let plain = V1.Plain()
                plain.name = "p\(number)"
                try plain.save()
            }
            before = apart { Date() }
        }
        try open(file) { session in
            let plan = try session.store.schemaPlan(for: V2.Plain.self)
            #expect(plan.description.contains("keeps the history of table \"moving_plain\""), "\(plan)")
            session.author = "ann"
            let plain = try #require(try V2.Plain.find(2))
            let entries = try V2.Plain.history.all()
            #expect(entries.map(\.change) == [.found, .found, .found] && entries.map(\.object) == [1, 2, 3])
            #expect(try entries.map { try $0.new(\V2.Plain.name) } == ["p0", "p1", "p2"])
            #expect(entries.allSatisfy { $0.author == nil })
            let error = #expect(throws: StoreError.self) { try plain.revert(to: before) }
            #expect(error?.code == .notFound && error?.message.contains("begins on") == true)
            try plain.revert(to: apart { Date() })
            #expect(try session.store.schemaPlan(for: V2.Plain.self).isEmpty)
        }
    }

    @Test func `a class that stops keeping a history drops its triggers, keeps its entries, and can start again`()
        throws
    {
        let file = try TemporaryStore()
        var times: [Date] = []
        try open(file) { _ in
            let (one, two) = (V2.Plain(), V2.Plain())
            (one.name, two.name) = ("1", "2")
            try one.save()
            try two.save()
            times.append(apart { Date() })
            one.name = "1b"
            try one.save()
            times.append(apart { Date() })
        }
        try open(file) { session in
            let plan = try session.store.schemaPlan(for: V1.Plain.self)
            #expect(plan.description.contains("DROP TRIGGER"), "\(plan)")
            try session.store.run(plan)
            let one = try #require(try V1.Plain.first())
            one.name = "unseen"
            try one.save()
            try V1.Plain.where { $0.name == "2" }.delete()
            #expect(try file.sqlite("SELECT count(*) FROM po_history_entry") == "3")
            let triggers =
                TestEngine.isPostgres
                ? "SELECT count(*) FROM pg_trigger WHERE tgrelid = 'moving_plain'::regclass AND tgname LIKE 'moving%'"
                : "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'moving%'"
            try expect(file.sqlite(triggers), "0")
            #expect(throws: StoreError.self) { try V1.Plain.history.count() }
        }
        try open(file) { session in
            try session.store.takeBack(V3.Plain.self)
            let one = try #require(try V3.Plain.first())
            #expect(try one.history.all().map(\.change) == [.created, .changed, .found])
            #expect(throws: StoreError.self) { try one.revert(to: times[0]) }
            #expect(throws: StoreError.self) { try one.revert(to: times[1]) }
            try one.revert(to: apart { Date() })
            #expect(one.name == "unseen")
            let gone = #expect(throws: StoreError.self) { try V3.Plain.restored(2, to: times[1]) }
            #expect(gone?.message.contains("while no history was kept") == true)
        }
    }

    @Test func `a column that another program adds is recorded from the next use of the class`() throws {
        let file = try TemporaryStore()
        try open(file) { _ in
            let plain = V2.Plain()
            try plain.save()
        }
        _ = try file.sqlite("ALTER TABLE moving_plain ADD COLUMN note TEXT")
        try open(file) { session in
            try session.store.prepare(V2.Plain.self)
            _ = try file.sqlite("UPDATE moving_plain SET note = 'x'")
            let entry = try #require(try V2.Plain.history.all().last)
            #expect(entry.values.map(\.column) == ["note"] && entry.values.first?.new == .text("x"))
        }
    }

    @Test func `tables that exchange their names keep their histories`() throws {
        enum Before {
            class Left: PersistentObject {
                override class var keepsHistory: Bool { true }
                override class var tableName: String { "exchanged_a" }
                var a = ""
                var b = ""
            }
            final class Right: PersistentObject {
                override class var keepsHistory: Bool { true }
                override class var tableName: String { "exchanged_b" }
                var left: Left?
            }
        }
        enum After {
            class Left: PersistentObject {
                override class var keepsHistory: Bool { true }
                override class var tableName: String { "exchanged_b" }
                override class var formerTableNames: [String] { ["exchanged_a"] }
                @Column("b", renamedFrom: "a") var a = ""
                @Column("a", renamedFrom: "b") var b = ""
            }
            final class Right: PersistentObject {
                override class var keepsHistory: Bool { true }
                override class var tableName: String { "exchanged_a" }
                override class var formerTableNames: [String] { ["exchanged_b"] }
                var left: Left?
            }
        }
        let file = try TemporaryStore()
        try open(file) { _ in
            let right = Before.Right()
            let left = Before.Left()
            (left.a, left.b) = ("a", "b")
            right.left = left
            try right.save()
        }
        try open(file) { session in
            try session.store.prepare(After.Right.self)
            let left = try #require(try After.Left.first())
            let entry = try left.history.single()
            #expect(try entry.new(\After.Left.a) == "a" && entry.new(\After.Left.b) == "b")
            try expect(After.Right.history.single().new(\After.Right.left)?.value, left.id)
            left.a = "c"
            try left.save()
            try expect(left.history.count(), 2)
        }
    }

    @Test(.onSQLite("the test reads the file with SQLite"))
    func `conversions, dropped columns and a plan that is run later keep the triggers`()
        throws
    {
        enum Before {
            class Thing: PersistentObject {
                override class var keepsHistory: Bool { true }
                override class var tableName: String { "converted_thing" }
                var size = "12 cm"
                var gone = "g"
            }
        }
        enum After {
            class Thing: PersistentObject {
                override class var keepsHistory: Bool { true }
                override class var tableName: String { "converted_thing" }
                override class var conversions: [PropertyConversion] {
                    [
                        PropertyConversion(\Thing.size, from: "size") { (old: String) in
                            Int(old.prefix { $0.isNumber }) ?? 0
                        }
                    ]
                }
                var size = 0
            }
        }
        let file = try TemporaryStore()
        try open(file) { _ in
            for size in ["3 cm", "4 cm"] {
                let thing = Before.Thing()
                thing.size = size
                try thing.save()
            }
        }
        let time = apart { Date() }
        let store = try Store(file.path, configuration: .init(schemaChanges: .dropping))
        defer { store.close() }
        try store.withSession { session in
            let plan = try store.schemaPlan(for: After.Thing.self)
            expect(plan.losses.count, 1, "\(plan)")
            try store.run(plan)
            #expect(try store.schemaPlan(for: After.Thing.self).isEmpty)
            let thing = try #require(try After.Thing.first())
            expect(thing.size, 3)
            thing.size = 5
            try thing.save()
            try expect(thing.history.all().map(\.change), [.created, .changed])
            try thing.revert(to: time)
            expect(thing.size, 3)
            thing.revert()
            try expect(file.sqlite("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").contains("gone"), false)
        }
    }

    @Test func `an engine without history throws unsupported`() throws {
        let file = try TemporaryStore()
        let store = try Store(file.path, engine: LoggingEngine(lacking: .history))
        defer { store.close() }
        try store.withSession { _ in
            let error = #expect(throws: StoreError.self) { try V2.Plain().save() }
            #expect(error?.code == .unsupported && error?.className == "Plain", "\(String(describing: error))")
            #expect(error?.message.contains("keeps no history") == true)
            #expect(throws: StoreError.self) { try HistoryEntry.all() }
        }
    }
}
