import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The table that the classes of a hierarchy share.
struct HierarchyTableTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
    }
    class Employee: Person {
        var salary = 5
        var nick: String?
        @Indexed var started = Date()
        var boss: Person?
    }
    final class Manager: Employee {
        var bonus = 0.5
        var ratio = Double.nan
    }
    final class Contractor: Person { var salary = 7 }

    enum V2 {
        class Person: PersistentObject {
            override class var tableName: String { "person" }
            var name = ""
        }
        class Employee: V2.Person {
            var salary = 5
            var grade = 3
            var title: String? = "none"
            var agent: V2.Contractor?
        }
        final class Manager: V2.Employee { var bonus = 0.5 }
        final class Contractor: V2.Person {
            var salary = 7
            var grade = 4
        }
    }

    private static func columns(_ file: TemporaryStore) throws -> [String] {
        let text = try file.sqlite(
            "SELECT name || ' ' || type || ' ' || \"notnull\" || ' ' || coalesce(dflt_value, '') "
                + "FROM pragma_table_info('person')")
        return text.split(separator: "\n").map(String.init)
    }

    @Test func `a class without subclasses has no class column`() throws {
        try withTemporaryStore { store, file throws in
            try store.prepare(Person.self)
            try expect(Self.columns(file), ["id INTEGER 0 ", "name TEXT 1 ''"])
            #expect(try !store.classes.hasClassColumn(ClassMap.map(of: Person.self)))
        }
    }

    @Test func `a subclass adds the class column and its own nullable columns`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { session throws in try session.save([Person(), Person()]) }
        try store.prepare(Manager.self)
        try expect(
            Self.columns(file),
            [
                "id INTEGER 0 ", "name TEXT 1 ''", "class TEXT 1 'Person'", "salary INTEGER 0 ", "nick TEXT 0 ",
                "started REAL 0 ", "boss_id INTEGER 0 ", "bonus REAL 0 ", "ratio REAL 0 ",
            ])
        try expect(file.sqlite("SELECT * FROM person"), "1||Person||||||\n2||Person||||||")
        let indexes = try file.sqlite(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
        expect(indexes, "person.boss_id.index\nperson.class.index\nperson.started.index")
        for type in [Person.self, Employee.self, Manager.self, Contractor.self] {
            #expect(try store.classes.hasClassColumn(ClassMap.map(of: type)))
        }
    }

    @Test(arguments: [[Person.self], [Manager.self], [Person.self, Contractor.self, Manager.self]])
    func `opening the store again changes nothing, and finds the class column`(types: [Person.Type]) throws {
        let file = try TemporaryStore()
        try file.open().prepare(Manager.self, Contractor.self)
        let before = try file.sqlite("SELECT sql FROM sqlite_schema; PRAGMA schema_version")
        let store = try file.open()
        try store.withSession { session throws in
            for type in types {
                let log = try statements(of: session) { _ = try session.space(of: type) }
                #expect(log.allSatisfy { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") }, "\(log)")
            }
            #expect(try store.classes.hasClassColumn(ClassMap.map(of: Person.self)))
        }
        #expect(try file.sqlite("SELECT sql FROM sqlite_schema; PRAGMA schema_version") == before)
    }

    private static func fileWithRows() throws -> TemporaryStore {
        let file = try TemporaryStore()
        try file.open().prepare(Manager.self, Contractor.self)
        _ = try file.sqlite(
            "INSERT INTO person (class, salary) VALUES ('Person', NULL), ('Employee', 1), ('Manager', 2), "
                + "('Contractor', 3)")
        return file
    }

    @Test(arguments: [V2.Manager.self, V2.Employee.self] as [V2.Person.Type])
    func `rows of subclasses get the initial values of the new properties of their class`(type: V2.Person.Type) throws {
        let file = try Self.fileWithRows()
        for _ in 0..<2 { try file.open().prepare(type) }
        try expect(
            file.sqlite("SELECT class, salary, grade, title FROM person"),
            "Person|||\nEmployee|1|3|none\nManager|2|3|none\nContractor|3|4|")
    }

    @Test func `rows of a class that is not prepared yet get the initial values of that class`() throws {
        let file = try Self.fileWithRows()
        try file.open().prepare(V2.Contractor.self)
        try expect(
            file.sqlite("SELECT class, salary, grade FROM person"),
            "Person||\nEmployee|1|3\nManager|2|3\nContractor|3|4")
    }

    @Test func `a new property whose initial value cannot be stored is an error if there are rows`() throws {
        enum New {
            class Person: PersistentObject {
                override class var tableName: String { "person" }
            }
            final class Contractor: New.Person { var ratio = Double.nan }
        }
        let file = try TemporaryStore()
        try file.open().prepare(Contractor.self)
        _ = try file.sqlite("INSERT INTO person (class) VALUES ('Contractor')")
        let error = #expect(throws: SchemaError.self) { try file.open().prepare(New.Contractor.self) }
        guard case .invalidDefault("Contractor", "ratio", _)? = error else {
            throw error ?? .isAbstract(className: "none")
        }
        _ = try file.sqlite("DELETE FROM person")
        try file.open().prepare(New.Contractor.self)
    }

    @Test func `sibling classes can share a column only if it has the same type`() throws {
        enum Other {
            class Person: PersistentObject {
                override class var tableName: String { "person" }
            }
            final class Volunteer: Other.Person { var salary = "none" }
        }
        let file = try TemporaryStore()
        try file.open().prepare(Employee.self, Contractor.self)
        #expect(try Self.columns(file).filter { $0.hasPrefix("salary") } == ["salary INTEGER 0 "])
        let error = #expect(throws: SchemaError.self) { try file.open().prepare(Other.Volunteer.self) }
        #expect(
            error
                == .columnTypeDiffers(
                    className: "Volunteer", property: "salary", column: "salary", found: "INTEGER", wanted: .text))
    }

    @Test func `a property with the name of the class column is refused only in a hierarchy`() throws {
        enum Own {
            class Thing: PersistentObject {
                override class var tableName: String { "thing" }
                @Column("Class") var kind = "x"
            }
            final class Sub: Own.Thing {}
            class Person: PersistentObject {
                override class var tableName: String { "person" }
                @Column("class") var kind = ""
            }
        }
        try withTemporaryStore { store, file throws in
            for _ in 0..<2 { try file.open().prepare(Own.Thing.self) }
            #expect(try !store.classes.hasClassColumn(ClassMap.map(of: Own.Thing.self)))
            #expect(
                throws: SchemaError.duplicateColumn(className: "Sub", column: "class", properties: ["class", "kind"])
            ) {
                try file.open().prepare(Own.Sub.self)
            }
            try file.open().prepare(Employee.self)
            #expect(
                throws: SchemaError.duplicateColumn(
                    className: "Person", column: "class", properties: ["class", "kind"])
            ) {
                try file.open().prepare(Own.Person.self)
            }
        }
    }

    @Test func `a leftover column named class is not used as the class column`() throws {
        enum Own {
            final class Thing: PersistentObject {
                override class var tableName: String { "person" }
                @Column("class") var kind = ""
            }
        }
        let file = try TemporaryStore()
        try file.open().prepare(Own.Thing.self)
        let store = try file.open()
        try store.prepare(Person.self)
        #expect(try !store.classes.hasClassColumn(ClassMap.map(of: Person.self)))
        let error = #expect(throws: SchemaError.self) { try store.prepare(Employee.self) }
        guard case .unsuitableTable("Employee", "person", _)? = error else {
            throw error ?? .isAbstract(className: "none")
        }
    }

    @Test func `two classes with the same name in a hierarchy are refused`() throws {
        enum Namesake {
            final class Contractor: HierarchyTableTests.Person {}
        }
        try withTemporaryStore { store, _ throws in
            try store.prepare(Contractor.self)
            let error = #expect(throws: SchemaError.self) { try store.prepare(Namesake.Contractor.self) }
            guard case .duplicateClassName("Contractor", let names)? = error else {
                throw error ?? .isAbstract(className: "none")
            }
            #expect(names.count == 2 && names[0] != names[1])
        }
    }

    @Test func `a renamed hierarchy keeps its classes and their index`() throws {
        enum New {
            class Person: PersistentObject {
                override class var tableName: String { "human" }
                override class var formerTableNames: [String] { ["person"] }
                var name = ""
            }
            final class Contractor: New.Person {
                @Column("pay", renamedFrom: "salary") var salary = 0
            }
        }
        let file = try TemporaryStore()
        try file.open().prepare(Contractor.self)
        _ = try file.sqlite(
            "INSERT INTO person (name, class, salary) VALUES ('a', 'Contractor', 9), ('b', 'Person', NULL)")
        for _ in 0..<2 { try file.open().prepare(New.Contractor.self) }
        try expect(file.sqlite("SELECT name, class, pay FROM human"), "a|Contractor|9\nb|Person|")
        try expect(
            file.sqlite("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"), "human.class.index")
    }

    @Test func `concurrent sessions create a hierarchy's table once`() async throws {
        let file = try TemporaryStore()
        // The tasks wait for each other, on a busy machine for seconds.
        let patient = Store.Configuration(busyTimeout: .seconds(600))
        let stores = try [file.open(configuration: patient), file.open(configuration: patient)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let types = [Person.self, Manager.self, Contractor.self, Employee.self]
                    try stores[number % 2].withSession { session throws in
                        _ = try session.space(of: types[number % 4])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Self.columns(file).count == 9)
        let map = try ClassMap.map(of: Person.self)
        #expect(stores.allSatisfy { $0.classes.hasClassColumn(map) })
        #expect(try file.sqlite("PRAGMA integrity_check") == "ok")
    }
}
