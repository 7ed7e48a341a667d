import TestSupport
import Testing

@testable import PersistentObjects

/// A class hierarchy shares its root's table, and a find returns objects of the rows' classes.
struct HierarchyTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        @Indexed var name = ""
        var friend: Person?
    }

    class Employee: Person {
        var salary = 100
        @Unique var badge: String?
        @Indexed var floor = 1
    }

    final class Manager: Employee {
        var bonus = 0.5
        var team: [Employee] = []
    }

    final class Contractor: Person {
        var salary = 7
        var agent: Employee?
    }

    private static func make<T: Person>(_ type: T.Type, _ name: String) -> T {
        let object = type.init()
        object.name = name
        return object
    }

    /// Saves five people, of all classes, in the order of their names.
    private static func save(_ session: Session) throws -> [Person] {
        let people = [
            make(Person.self, "Ann"), make(Employee.self, "Bob"), make(Manager.self, "Cleo"),
            make(Contractor.self, "Dan"), make(Employee.self, "Eve"),
        ]
        for person in people { try person.save() }
        return people
    }

    @Test func `one table contains all rows, with the class of each`() throws {
        try withTemporarySession { session, file throws in
            _ = try Self.save(session)
            try expect(
                file.sqlite("SELECT class, name, salary, floor, bonus FROM person"),
                "Person|Ann|||\nEmployee|Bob|100|1|\nManager|Cleo|100|1|0.5\nContractor|Dan|7||\nEmployee|Eve|100|1|")
            let tables = try file.sqlite("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%person%'")
            expect(tables, "person\nperson_team")
        }
    }

    @Test func `a find on the root returns objects of the rows' classes`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in _ = try Self.save(session) }
            try store.withSession { session throws in
                var people: [Person] = []
                let log = try statements(of: session) { people = try Person.all() }
                #expect(
                    people.map { "\(type(of: $0))" } == ["Person", "Employee", "Manager", "Contractor", "Employee"])
                #expect(log.count { $0.hasPrefix("SELECT") && !$0.contains("person_team") } == 1, "\(log)")
                #expect((people[2] as? Manager)?.bonus == 0.5 && (people[3] as? Contractor)?.salary == 7)
                #expect(people.allSatisfy { !$0.hasChanges })
            }
        }
    }

    @Test func `a find on a subclass returns objects of the subclass and its subclasses`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in _ = try Self.save(session) }
            for isInMemory in [false, true] {
                try store.withSession { _ throws in
                    let held = isInMemory ? try Person.all() : []
                    try expect(Employee.all().map(\.name), ["Bob", "Cleo", "Eve"])
                    #expect(try Manager.all().map(\.name) == ["Cleo"] && Contractor.all().map(\.name) == ["Dan"])
                    try expect([Person.count(), Employee.count(), Manager.count(), Contractor.count()], [5, 3, 1, 1])
                    #expect(try Employee.first()?.name == "Bob" && Manager.first()?.name == "Cleo")
                    #expect(try Employee.find(3) is Manager && Person.find(3) is Manager)
                    #expect(try Employee.find(1) == nil && Manager.find(2) == nil && Contractor.find(3) == nil)
                    try expect(Employee.find([5, 4, 3, 1]).map(\.name), ["Eve", "Cleo"])
                    #expect(try Employee.find(PersistentID(4)) == nil)
                    #expect(try Employee.findByName("Ann").isEmpty && Employee.findByName("Cleo").count == 1)
                    try expect(Employee.findBySalary(100).count, 3)
                    #expect(try Employee.findBy.name("Dan").isEmpty && Manager.findFirstBy.name("Cleo") != nil)
                    #expect(try Employee.countBy.floor(1) == 3 && Manager.existsBy.salary(100))
                    try expect(
                        Employee.findByCriteria("WHERE name > ? ORDER BY name DESC", "Ann").map(\.name),
                        ["Eve", "Cleo", "Bob"])
                    try expect(Employee.countByCriteria("WHERE name < 'C' OR name > 'D'"), 2)
                    try expect(Manager.findFirstByCriteria("ORDER BY name")?.name, "Cleo")
                    try expect(Contractor.findBySalary(7).count, 1)
                    withExtendedLifetime(held) {}
                }
            }
        }
    }

    @Test func `all classes of a hierarchy share an identity map`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in _ = try Self.save(session) }
            try store.withSession { session throws in
                let cleo = try #require(try Manager.find(3))
                let log = try statements(of: session) { () throws in
                    #expect(try Person.find(3) === cleo && Employee.find(3) === cleo)
                    #expect(try session.object(for: PersistentID<Person>(3)) === cleo)
                }
                #expect(log.isEmpty)
                #expect(try Person.all()[2] === cleo && Employee.findByName("Cleo") == [cleo])
            }
        }
    }

    @Test func `deleting all objects of a subclass keeps the other objects`() throws {
        try withTemporarySession { session, _ throws in
            let people = try Self.save(session)
            #expect(try Manager.deleteAll() == 1 && Employee.deleteBy.name("Ann") == 0)
            try expect(Employee.deleteAll(), 2)
            expect(people.map(\.isDeleted), [false, true, true, false, true])
            try expect(Person.count(), 2)
        }
    }

    @Test func `properties of sibling classes can share a column`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in
                let people = try Self.save(session)
                (people[1] as? Employee)?.salary = 1
                (people[3] as? Contractor)?.salary = 2
                try withExtendedLifetime(people) { try session.saveChanges() }
            }
            try expect(file.sqlite("SELECT salary FROM person WHERE id IN (2, 4)"), "1\n2")
            try store.withSession { _ throws in
                let people = try Person.all()
                #expect((people[1] as? Employee)?.salary == 1 && (people[3] as? Contractor)?.salary == 2)
            }
        }
    }

    @Test func `a subclass can have unique and indexed properties`() throws {
        try withTemporarySession { session, file throws in
            let people = try Self.save(session)
            let employees = [people[1], people[2], people[4]].compactMap { $0 as? Employee }
            for (index, employee) in employees.enumerated() { employee.badge = "B\(index)" }
            try withExtendedLifetime(employees) { try session.saveChanges() }
            (employees[0].badge, employees[2].badge) = (employees[2].badge, employees[0].badge)
            try withExtendedLifetime(employees) { try session.saveChanges() }
            #expect(
                try file.sqlite("SELECT name FROM person WHERE badge IS NOT NULL ORDER BY badge") == "Eve\nCleo\nBob")
            let manager = Self.make(Manager.self, "Fay")
            manager.badge = "B1"
            let error = #expect(throws: StoreError.self) { try manager.save() }
            #expect(error?.code == .notUnique && error?.className == "Manager" && error?.property == "badge")
            let plan = try file.sqlite("EXPLAIN QUERY PLAN SELECT * FROM person WHERE floor = 3")
            #expect(plan.contains("person.floor.index"))
            // Objects of two classes in one table swap their unique values.
            (employees[0].badge, employees[1].badge) = (employees[1].badge, employees[0].badge)
            try withExtendedLifetime(employees) { try session.saveChanges() }
            #expect(
                try file.sqlite("SELECT name FROM person WHERE badge IS NOT NULL ORDER BY badge") == "Eve\nBob\nCleo")
        }
    }

    @Test func `references and collections can contain objects of subclasses`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in
                let people = try Self.save(session)
                let manager = try #require(people[2] as? Manager)
                manager.team = [people[4], people[1], manager].compactMap { $0 as? Employee }
                (people[3] as? Contractor)?.agent = manager
                people[0].friend = people[3]
                people[1].friend = manager
                try withExtendedLifetime(people) { try session.saveChanges() }
                manager.team = []
                manager.revert(\.name)
                manager.team = []
            }
            #expect(try file.sqlite("SELECT value_id FROM person_team ORDER BY position") == "5\n2\n3")
            try store.withSession { session throws in
                var people: [Person] = []
                let log = try statements(of: session) { people = try Person.findByName("Ann") }
                let dan = try #require(people.first?.friend as? Contractor)
                let manager = try #require(dan.agent as? Manager)
                #expect(manager.team.map(\.name) == ["Eve", "Bob", "Cleo"])
                #expect(manager.team[2] === manager && manager.team[1].friend === manager)
                #expect(log.count { $0.hasPrefix("SELECT") } == 5, "Ann, Dan, Cleo, her team, those in it: \(log)")
                #expect(try Person.all().allSatisfy { !$0.hasChanges })
                manager.team = []
                manager.revert(\.name)
                manager.team = []
            }
        }
    }

    @Test func `a reference to a row of another class is an error`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in _ = try Self.save(session) }
            _ = try file.sqlite("UPDATE person SET agent_id = 1 WHERE id = 4")
            try store.withSession { session throws in
                let error = #expect(throws: StoreError.self) { try Contractor.find(4) }
                #expect(error?.code == .brokenReference && error?.className == "Contractor")
                #expect(error?.property == "agent" && error?.rowID == 4)
                #expect(error?.description.contains("has the class Person, not Employee") == true)
                #expect(try session.space(of: Person.self).identity.liveObjects().isEmpty)
                #expect(try Person.find(1)?.name == "Ann")
            }
        }
    }

    @Test func `a query on the root refreshes objects of subclasses, and so does a reload`() throws {
        try withTemporarySession { session, file throws in
            let people = try Self.save(session)
            let manager = try #require(people[2] as? Manager)
            manager.salary = 5
            _ = try file.sqlite("UPDATE person SET bonus = 9.5, floor = 4, salary = 6, name = 'Kleo' WHERE id = 3")
            try expect(Person.all(), people)
            #expect(manager.bonus == 9.5 && manager.floor == 4 && manager.name == "Kleo" && manager.salary == 5)
            expect(manager.changes.map(\.description), ["salary: 100 -> 5"])
            try manager.reload()
            #expect(manager.salary == 6 && !manager.hasChanges)
            _ = try file.sqlite("UPDATE person SET bonus = 1.5 WHERE id = 3; UPDATE person SET salary = 8 WHERE id = 4")
            _ = try Employee.findByName("Kleo")
            expect(manager.bonus, 1.5)
            try people[3].reload()
            expect((people[3] as? Contractor)?.salary, 8)
        }
    }

    @Test func `a NULL in a non-optional property of a subclass is an error that names the property`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in _ = try Self.save(session) }
            _ = try file.sqlite("UPDATE person SET bonus = NULL WHERE id = 3")
            try store.withSession { _ throws in
                let error = #expect(throws: StoreError.self) { try Person.all() }
                #expect(error?.code == .typeMismatch && error?.className == "Manager")
                #expect(error?.property == "bonus" && error?.rowID == 3)
                #expect(try Person.findByCriteria("WHERE id <> 3").count == 4)
            }
        }
    }
}
