import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A class that becomes a subclass of another, or stops being one: its rows move to the right table, and all
/// references to them are updated.
struct SubclassChangeTests {
    func open<R>(_ file: TemporaryStore, _ body: (Store) throws -> R) throws -> R {
        let store = try Store(file.path)
        defer { store.close() }
        return try store.withSession { _ throws in try body(store) }
    }

    func expectSound(_ file: TemporaryStore, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expect(
            file.sqlite("PRAGMA integrity_check; PRAGMA foreign_key_check"), "ok", sourceLocation: sourceLocation)
        try expect(
            file.sqlite("SELECT name FROM sqlite_schema WHERE name LIKE 'po\\_new%' ESCAPE '\\'"), "",
            sourceLocation: sourceLocation)
    }

    /// Verifies that opening the file again changes nothing.
    func expectUnchanged(_ file: TemporaryStore, _ types: PersistentObject.Type...) throws {
        let before = try file.sqlite(".dump")
        try open(file) { store throws in
            for type in types {
                let plan = try store.schemaPlan(for: type)
                #expect(plan.isEmpty, "\(plan)")
            }
            for type in types { try store.prepare(type) }
        }
        try expect(file.sqlite(".dump"), before)
    }

    /// Saves three people and four employees, with each kind of link between them.
    func fillApart(_ file: TemporaryStore) throws {
        try open(file) { store throws in
            let people = ["Ann", "Bob", "Cid"].map { name in
                let person = Apart.Person()
                person.name = name
                person.mail = "\(name)@example.org"
                person.tags = [name, "person"]
                return person
            }
            people[0].friend = people[1]
            for person in people { try person.save() }
            let employees = ["Eve", "Fay", "Gus", "Hal"].map { name in
                let employee = Apart.Employee()
                employee.name = name
                employee.mail = "\(name)@example.org"
                employee.tags = [name, "employee"]
                employee.salary = name == "Eve" ? 900 : 300
                employee.nick = name == "Fay" ? nil : "n\(name)"
                employee.skills = [name, "swift"]
                return employee
            }
            for employee in employees { try employee.save() }
            // References to later and earlier rows.
            employees[0].boss = employees[3]
            employees[3].boss = employees[0]
            employees[1].boss = employees[1]
            employees[0].mates = [employees[1], employees[2], employees[1]]
            employees[2].helpers = ["first": employees[3], "second": employees[0]]
            let company = Apart.Company()
            company.title = "Acme"
            company.head = employees[2]
            company.owner = people[2]
            company.board = [employees[3], employees[0]]
            employees[1].employer = company
            employees[2].employer = company
            for employee in employees { try employee.save() }
            try company.save()
            let badge = Apart.Badge()
            badge.number = 7
            badge.holder = employees[1]
            badge.former = [employees[0], employees[2]]
            try badge.save()
            // An id that must never be reused.
            let gone = Apart.Employee()
            try gone.save()
            try gone.delete()
            _ = store
        }
    }

    func expectJoined(_ file: TemporaryStore) throws {
        try open(file) { store throws in
            try store.takeBack(Joined.Company.self)
            let employees = try Joined.Employee.query.order(by: \.id).all()
            expect(employees.map(\.name), ["Eve", "Fay", "Gus", "Hal"])
            expect(employees.map(\.salary), [900, 300, 300, 300])
            expect(employees.map(\.nick), ["nEve", nil, "nGus", "nHal"])
            expect(employees.map(\.tags), ["Eve", "Fay", "Gus", "Hal"].map { [$0, "employee"] })
            expect(employees.map(\.skills), ["Eve", "Fay", "Gus", "Hal"].map { [$0, "swift"] })
            #expect(employees[0].boss === employees[3] && employees[3].boss === employees[0])
            #expect(employees[1].boss === employees[1] && employees[2].boss == nil)
            expect(employees[0].mates, [employees[1], employees[2], employees[1]])
            expect(employees[2].helpers, ["first": employees[3], "second": employees[0]])
            let company = try Joined.Company.query.single()
            #expect(company.head === employees[2] && company.board == [employees[3], employees[0]])
            #expect(company.staff == [employees[1], employees[2]] && company.owner?.name == "Cid")
            let people = try Joined.Person.query.order(by: \.id).all()
            expect(
                people.map { "\(type(of: $0)) \($0.name)" },
                [
                    "Person Ann", "Person Bob", "Person Cid", "Employee Eve", "Employee Fay", "Employee Gus",
                    "Employee Hal",
                ])
            expect(people.prefix(3).map(\.tags), ["Ann", "Bob", "Cid"].map { [$0, "person"] })
            #expect(people[0].friend === people[1])
            try expect(Joined.Person.search("Gus").all().map(\.name), ["Gus"])
            try expect(Joined.Person.search("Bob").all().map(\.name), ["Bob"])
        }
        try expectSound(file)
    }

    @Test func `rows move to the hierarchy's table with new ids, and all references are updated`() throws {
        let file = try TemporaryStore()
        try fillApart(file)
        try expectJoined(file)
        try expect(file.sqlite("SELECT name FROM sqlite_schema WHERE name LIKE 'employee%'"), "")
        #expect(
            try file.sqlite("SELECT id, class FROM person ORDER BY id") == """
                1|Person
                2|Person
                3|Person
                4|Employee
                5|Employee
                6|Employee
                7|Employee
                """)
        try expectUnchanged(file, Joined.Person.self, Joined.Employee.self, Joined.Company.self)
        // The file's metadata has the new table, and ids of deleted rows are not reused.
        try expect(file.sqlite("SELECT table_name FROM po_class WHERE name = 'Employee'"), "person")
        try open(file) { _ throws in
            let new = Joined.Employee()
            try new.save()
            expect(new.id, 9)
        }
    }

    @Test func `references of a class that the program has not used are updated too`() throws {
        let file = try TemporaryStore()
        try fillApart(file)
        try open(file) { store throws in try store.takeBack(Joined.Employee.self) }
        #expect(try file.sqlite("SELECT holder_id FROM badge; SELECT value_id FROM badge_former") == "5\n4\n6")
        #expect(try file.sqlite("SELECT DISTINCT \"table\" FROM pragma_foreign_key_list('badge')") == "person")
        try expectSound(file)
        // Its delete rule is in the file at all times.
        #expect(throws: SQLiteTool.Failure.self) {
            try file.sqlite("PRAGMA foreign_keys=ON; DELETE FROM person WHERE id = 5")
        }
        try open(file) { _ throws in
            let badge = try Joined.Badge.query.single()
            #expect(badge.holder?.name == "Fay" && badge.former.map(\.name) == ["Eve", "Gus"] && badge.number == 7)
            #expect(throws: (any Error).self) { try badge.holder?.delete() }
        }
        try expectUnchanged(file, Joined.Badge.self)
    }

    @Test func `a class can become a subclass and independent again, repeatedly`() throws {
        let file = try TemporaryStore()
        try fillApart(file)
        try expectJoined(file)
        for _ in 0..<2 {
            try expectApart(file)
            try expectJoinedAgain(file)
        }
    }

    @Test func `with schemaChanges .dropping, only unused columns and tables are dropped`() throws {
        let file = try TemporaryStore()
        try fillApart(file)
        var configuration = Store.Configuration()
        configuration.schemaChanges = .dropping
        for type in [Joined.Company.self, Apart.Company.self, Joined.Company.self] as [PersistentObject.Type] {
            let store = try Store(file.path, configuration: configuration)
            try store.takeBack(type)
            store.close()
            try expectSound(file)
        }
        try expectJoinedAgain(file)
        try expectApart(file)
    }

    @Test func `delete rules of a class that the program has not used follow rows that leave a hierarchy`() throws {
        let file = try TemporaryStore()
        try fillApart(file)
        try expectJoinedAgain(file)
        try open(file) { store throws in try store.takeBack(Apart.Employee.self) }
        try expectSound(file)
        #expect(throws: SQLiteTool.Failure.self) {
            try file.sqlite("PRAGMA foreign_keys=ON; DELETE FROM employee WHERE id = 5")
        }
        try expect(file.sqlite("SELECT holder_id FROM badge; SELECT value_id FROM badge_former"), "5\n4\n6")
        try expectApart(file)
    }

    private func expectApart(_ file: TemporaryStore) throws {
        try open(file) { store throws in
            try store.takeBack(Apart.Employee.self)
            let employees = try Apart.Employee.query.order(by: \.id).all()
            expect(employees.map(\.name), ["Eve", "Fay", "Gus", "Hal"])
            expect(employees.map(\.mail), ["Eve", "Fay", "Gus", "Hal"].map { "\($0)@example.org" })
            expect(employees.map(\.salary), [900, 300, 300, 300])
            expect(employees.map(\.tags), ["Eve", "Fay", "Gus", "Hal"].map { [$0, "employee"] })
            expect(employees.map(\.skills), ["Eve", "Fay", "Gus", "Hal"].map { [$0, "swift"] })
            #expect(employees[0].boss === employees[3] && employees[3].boss === employees[0])
            expect(employees[0].mates, [employees[1], employees[2], employees[1]])
            expect(employees[2].helpers, ["first": employees[3], "second": employees[0]])
            let company = try Apart.Company.query.single()
            #expect(company.head === employees[2] && company.board == [employees[3], employees[0]])
            #expect(company.staff == [employees[1], employees[2]] && company.owner?.name == "Cid")
            try expect(Apart.Person.query.order(by: \.id).all().map(\.name), ["Ann", "Bob", "Cid"])
            try expect(Apart.Person.query.order(by: \.id).all().map(\.tags.last), ["person", "person", "person"])
            #expect(try Apart.Badge.query.single().holder === employees[1])
            try expect(Apart.Badge.query.single().former, [employees[0], employees[2]])
            try expect(Apart.Employee.search("Gus").all(), [employees[2]])
            #expect(try Apart.Person.search("Gus").all().isEmpty)
        }
        try expectSound(file)
        try expectUnchanged(file, Apart.Person.self, Apart.Employee.self, Apart.Company.self, Apart.Badge.self)
    }

    private func expectJoinedAgain(_ file: TemporaryStore) throws {
        try expectJoined(file)
        try open(file) { _ throws in try expect(Joined.Badge.query.single().former.map(\.name), ["Eve", "Gus"]) }
    }
}
