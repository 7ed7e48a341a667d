import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Edge cases of a class that becomes a subclass: new names, other programs' tables, unusual ids, and refused
/// changes.
struct SubclassEdgeTests {
    enum Apart {
        class Person: PersistentObject { var name = "" }

        class Worker: PersistentObject {
            override class var tableName: String { "staff" }
            var title: String?
            var pay = 1
            var chief: Worker?
            var notes: [String] = []
            var bonus = 5
        }
    }

    enum Joined {
        class Human: PersistentObject {
            override class var formerTableNames: [String] { ["person"] }
            override class var formerNames: [String] { ["Person"] }
            @Column("label", renamedFrom: "name") var label = "none"
            @Unique var token = UUID()
        }

        final class Employee: Human {
            override class var formerNames: [String] { ["Worker"] }
            @Column("head", renamedFrom: "title") var head = "untitled"
            var pay: Double = 1
            var chief: Employee?
            @Column("remarks", renamedFrom: "notes") var remarks: Set<String> = []
        }
    }

    private func open<R>(_ file: TemporaryStore, _ body: (Store) throws -> R) throws -> R {
        let store = try Store(file.path)
        defer { store.close() }
        return try store.withSession { _ throws in try body(store) }
    }

    private func fill(_ file: TemporaryStore) throws {
        try open(file) { _ throws in
            let person = Apart.Person()
            person.name = "Ann"
            try person.save()
            let (first, second) = (Apart.Worker(), Apart.Worker())
            first.title = "boss"
            first.notes = ["b", "a"]
            (second.chief, second.pay) = (first, 7)
            try first.save()
            try second.save()
        }
    }

    private func refusal(_ file: TemporaryStore, _ type: PersistentObject.Type) throws -> SchemaError? {
        let before = try file.sqlite(".dump")
        let store = try Store(file.path)
        let error = #expect(throws: SchemaError.self) { try store.takeBack(type) }
        store.close()
        try expect(file.sqlite(".dump"), before)
        return error
    }

    @Test func `classes, tables, columns and collections can get new names and types at the same time`() throws {
        let file = try TemporaryStore()
        try fill(file)
        for _ in 0..<2 {
            try open(file) { _ throws in
                let employees = try Joined.Employee.query.order(by: \.id).all()
                #expect(employees.map(\.head) == ["boss", "untitled"] && employees.map(\.pay) == [1, 7])
                #expect(employees[1].chief === employees[0] && employees[0].remarks == ["a", "b"])
                let humans = try Joined.Human.query.order(by: \.id).all()
                #expect(humans.map(\.label) == ["Ann", "none", "none"] && Set(humans.map(\.token)).count == 3)
            }
        }
        try expect(
            file.sqlite("SELECT group_concat(class || ifnull(bonus, '')) FROM human ORDER BY id"),
            "Human,Employee5,Employee5")
        try expect(file.sqlite("PRAGMA integrity_check; PRAGMA foreign_key_check"), "ok")
        try expect(file.sqlite("SELECT name FROM sqlite_schema WHERE name LIKE 'staff%' OR name LIKE 'po_new%'"), "")
    }

    enum Plain {
        class Person: PersistentObject { var name = "" }
        final class Staff: PersistentObject {
            var name: String?
            var pay = 1
        }
    }

    enum Under {
        class Person: PersistentObject { var name = "new" }
        final class Staff: Person { var pay = 1 }
    }

    private func fillPlain(_ file: TemporaryStore) throws {
        try open(file) { _ throws in
            try Plain.Person().save()
            let staff = Plain.Staff()
            staff.name = "Eve"
            try staff.save()
            try Plain.Staff().save()
        }
    }

    @Test func `in a file without class metadata, tables are found by their names`() throws {
        let file = try TemporaryStore()
        try fillPlain(file)
        _ = try file.sqlite("DROP TABLE po_class; DROP TABLE po_property; DROP TABLE po_history")
        try open(file) { _ throws in
            try expect(Under.Person.query.order(by: \.id).all().map(\.name), [""])
            try expect(Under.Staff.query.order(by: \.id).all().map(\.name), ["Eve", "new"])
        }
        try expect(file.sqlite("SELECT name FROM sqlite_schema WHERE name = 'staff'"), "")
    }

    enum Both {
        class Person: PersistentObject { var name = "" }
        final class Staff: Person { var pay = 1 }
        final class Desk: Person {}
    }

    enum Neither {
        final class Desk: PersistentObject { var name = "desk" }
    }

    @Test func `without class metadata, two classes can join a hierarchy that has no table yet`() throws {
        let file = try TemporaryStore()
        try open(file) { _ throws in
            try Plain.Staff().save()
            try Neither.Desk().save()
        }
        _ = try file.sqlite("DROP TABLE po_class; DROP TABLE po_property; DROP TABLE po_history")
        try open(file) { store throws in
            try store.prepare(Both.Staff.self, Both.Desk.self)
            try expect(Both.Person.all().map { "\(type(of: $0)) \($0.name)" }, ["Staff ", "Desk desk"])
        }
    }

    @Test func `an existing table with the name of a leaving class's table is an error`() throws {
        let file = try TemporaryStore()
        try open(file) { _ throws in try Under.Staff().save() }
        _ = try file.sqlite("CREATE TABLE staff (id INTEGER PRIMARY KEY AUTOINCREMENT) STRICT")
        let error = try refusal(file, Plain.Staff.self)
        expect(error?.description.contains("table \"staff\" already exists in the file"), true)
    }

    @Test func `ids below one and colliding ids are replaced`() throws {
        let file = try TemporaryStore()
        try fillPlain(file)
        _ = try file.sqlite("UPDATE staff SET id = -4 WHERE id = 1; INSERT INTO staff (id, name) VALUES (0, 'zero')")
        try open(file) { _ throws in
            let staff = try Under.Staff.query.order(by: \.id).all()
            #expect(staff.map(\.name) == ["Eve", "zero", "new"] && staff.map(\.id) == [2, 6, 8])
        }
        try expect(file.sqlite("PRAGMA integrity_check; PRAGMA foreign_key_check"), "ok")
    }

    @Test func `references of other programs' tables are updated, or the move is refused`() throws {
        for rule in ["ON DELETE SET NULL", "ON DELETE CASCADE", ""] {
            let file = try TemporaryStore()
            try fillPlain(file)
            _ = try file.sqlite(
                """
                CREATE TABLE desk (who INTEGER REFERENCES staff(id) \(rule), place TEXT);
                CREATE UNIQUE INDEX one ON desk (who);
                INSERT INTO desk VALUES (2, 'a'), (NULL, 'b'), (1, 'c')
                """)
            try open(file) { store throws in try store.prepare(Under.Staff.self) }
            try expect(file.sqlite("SELECT who, place FROM desk ORDER BY place"), "3|a\n|b\n2|c")
            let key = try file.sqlite("SELECT \"table\", on_delete FROM pragma_foreign_key_list('desk')")
            expect(key, "person|" + (rule.isEmpty ? "NO ACTION" : String(rule.dropFirst("ON DELETE ".count))))
            try expect(file.sqlite("SELECT name FROM pragma_index_list('desk')"), "one")
        }
        for column in [
            "who INTEGER NOT NULL REFERENCES staff(id)", "who INTEGER UNIQUE REFERENCES staff(id)",
            "who INTEGER REFERENCES staff(id) ON DELETE RESTRICT",
        ] {
            let file = try TemporaryStore()
            try fillPlain(file)
            _ = try file.sqlite("CREATE TABLE desk (id INTEGER PRIMARY KEY, \(column))")
            let error = try refusal(file, Under.Staff.self)
            expect(error?.description.contains("column \"who\" of \"desk\" refers to it"), true)
            expect(error?.description.hasPrefix("Staff: The rows cannot be moved from table \"staff\""), true)
        }
    }

    @Test func `another program's rows that refer to leaving rows are kept, and the move is refused`() throws {
        for columns in [
            "owner_id INTEGER REFERENCES person(id) ON DELETE CASCADE, value TEXT",
            "who INTEGER REFERENCES person(id) ON DELETE CASCADE",
            "owner_id INTEGER REFERENCES person(id) ON DELETE CASCADE, value TEXT, PRIMARY KEY (owner_id, value)",
        ] {
            let file = try TemporaryStore()
            try fillPlain(file)
            try open(file) { store throws in try store.prepare(Under.Staff.self) }
            let column = columns.hasPrefix("who") ? "who" : "owner_id"
            _ = try file.sqlite("CREATE TABLE log (\(columns)); INSERT INTO log (\(column)) VALUES (1)")
            let copy = try TemporaryStore()
            try FileManager.default.copyItem(atPath: file.path, toPath: copy.path)
            try open(file) { store throws in try store.takeBack(Plain.Staff.self) }
            try expect(file.sqlite("SELECT \(column) FROM log; SELECT count(*) FROM staff"), "1\n2")
            _ = try copy.sqlite("INSERT INTO log (\(column)) VALUES (3)")
            let error = try refusal(copy, Plain.Staff.self)
            guard case .notMovable("Staff", "person", let reason)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.hasPrefix("log.\(column) refers to them in row 3, and cannot"), "\(reason)")
        }
    }

    @Test func `another program's tables that look like collections are kept, with updated references`() throws {
        let file = try TemporaryStore()
        try fillPlain(file)
        _ = try file.sqlite(
            """
            CREATE TABLE staff_log (owner_id INTEGER REFERENCES staff(id) ON DELETE CASCADE, value VARCHAR(9), day TEXT);
            INSERT INTO staff_log VALUES (2, 'x', 'May')
            """)
        try open(file) { store throws in try store.prepare(Under.Staff.self) }
        try expect(file.sqlite("SELECT owner_id, value, day FROM staff_log"), "3|x|May")
    }

    @Test func `with schemaChanges .refused, the error lists the move`() throws {
        let file = try TemporaryStore()
        try fillPlain(file)
        let before = try file.sqlite(".dump")
        var configuration = Store.Configuration()
        configuration.schemaChanges = .refused
        let store = try Store(file.path, configuration: configuration)
        let error = #expect(throws: SchemaError.self) { try store.prepare(Under.Staff.self) }
        expect(error?.description.contains("moves the rows of Staff from table \"staff\" to \"person\""), true)
        store.close()
        try expect(file.sqlite(".dump"), before)
    }

    enum Other {
        class Being: PersistentObject { var name = "" }
        class Animal: PersistentObject { var name = "" }
        final class Cat: Animal { var lives = 9 }
    }

    enum Moved {
        class Being: PersistentObject { var name = "" }
        final class Cat: Being { var lives = 9 }
    }

    enum Free {
        final class Cat: PersistentObject {
            var name = ""
            var lives = 9
        }
    }

    @Test func `moving from one hierarchy to another needs two steps, as the error states`() throws {
        let file = try TemporaryStore()
        try open(file) { _ throws in
            try Other.Being().save()
            try Other.Animal().save()
            let cat = Other.Cat()
            cat.name = "Tom"
            try cat.save()
        }
        let error = try refusal(file, Moved.Cat.self)
        expect(
            error?.description.contains("it also has rows of Animal. Make Cat a class without a superclass first"), true
        )
        try open(file) { _ throws in try expect(Free.Cat.query.single().name, "Tom") }
        try open(file) { _ throws in
            try expect(Moved.Cat.query.single().name, "Tom")
            try expect(Moved.Being.count(), 2)
        }
        try expect(file.sqlite("SELECT class FROM animal"), "Animal")
    }

    enum Keyed {
        class Person: PersistentObject {
            override class var identity: Identity { .uuid }
            var name = ""
        }
        final class Staff: Person { var pay = 1 }
    }

    @Test func `moved rows get keys if the hierarchy has keys`() throws {
        let file = try TemporaryStore()
        try fillPlain(file)
        try open(file) { _ throws in
            let all = try Keyed.Person.all() + Keyed.Staff.all()
            #expect(all.count == 3 && Set(all.map(\.key)).count == 3 && all.allSatisfy { $0.key != nil })
            try expect(Keyed.Staff.query.order(by: \.id).all().map(\.name), ["Eve", ""])
        }
    }

    enum Listed {
        class Person: PersistentObject { var tags: [String] = [] }
        class Staff: PersistentObject { var tags: [Int] = [] }
    }

    enum ListedUnder {
        class Person: PersistentObject { var tags: [String] = [] }
        final class Staff: Person {}
    }

    @Test func `collections with different element types are not merged`() throws {
        let file = try TemporaryStore()
        try open(file) { _ throws in
            let person = Listed.Person()
            person.tags = ["a"]
            try person.save()
            let staff = Listed.Staff()
            staff.tags = [1, 2]
            try staff.save()
        }
        try expect(
            refusal(file, ListedUnder.Staff.self)?.description.contains("have another type than those in"), true)
    }
}
