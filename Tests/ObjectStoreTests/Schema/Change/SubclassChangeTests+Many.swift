import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

// Several classes, and many rows.
extension SubclassChangeTests {
    enum Two {
        class Person: PersistentObject { var name = "" }
        class Employee: PersistentObject {
            var name = ""
            var manager: Manager?
        }
        final class Temp: Employee { var days = 1 }
        final class Manager: PersistentObject {
            var name = ""
            var team: [Employee] = []
        }
    }

    enum Tree {
        class Person: PersistentObject { var name = "" }
        class Employee: Person { var manager: Manager? }
        final class Temp: Employee { var days = 1 }
        final class Manager: Person { var team: [Employee] = [] }
    }

    @Test func `two classes, one of them with a subclass, join a hierarchy and leave it again`() throws {
        let file = try TemporaryStore()
        try open(file) { _ throws in
            let manager = Two.Manager()
            manager.name = "M"
            let (employee, temp) = (Two.Employee(), Two.Temp())
            (employee.name, temp.name, temp.days) = ("E", "T", 5)
            manager.team = [temp, employee]
            (employee.manager, temp.manager) = (manager, manager)
            try manager.save()
            try Two.Person().save()
        }
        for _ in 0..<2 {
            try open(file) { store throws in
                try store.takeBack(Tree.Temp.self)
                let manager = try Tree.Manager.query.single()
                #expect(manager.team.map(\.name) == ["T", "E"] && manager.team.allSatisfy { $0.manager === manager })
                #expect((manager.team[0] as? Tree.Temp)?.days == 5)
                #expect(
                    try Tree.Person.all().map { "\(type(of: $0))" }.sorted() == [
                        "Employee", "Manager", "Person", "Temp",
                    ])
            }
            try expectSound(file)
            try expectUnchanged(file, Tree.Person.self, Tree.Employee.self, Tree.Temp.self, Tree.Manager.self)
            try open(file) { store throws in
                try store.takeBack(Two.Temp.self)
                let manager = try Two.Manager.query.single()
                #expect(manager.team.map(\.name) == ["T", "E"] && manager.team.allSatisfy { $0.manager === manager })
                #expect((manager.team[0] as? Two.Temp)?.days == 5)
                #expect(try Two.Person.count() == 1)
            }
            try expectSound(file)
            try expectUnchanged(file, Two.Person.self, Two.Employee.self, Two.Temp.self, Two.Manager.self)
        }
        // The subclasses that move with their superclass need not be prepared.
        try open(file) { store throws in try store.takeBack(Tree.Employee.self) }
        try expectSound(file)
        try open(file) { _ throws in #expect(try Tree.Temp.query.single().days == 5) }
    }

    @Test func `thousands of rows move as the plan shows`() throws {
        let file = try TemporaryStore()
        try open(file) { _ throws in
            try Apart.Person().save()
            try Apart.Employee().save()
        }
        _ = try file.sqlite(
            """
            WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO employee (id, name, salary, boss_id) SELECT i, 'e' || i, i, 5001 - i FROM n;
            INSERT INTO employee_mates (owner_id, position, value_id) SELECT id, 0, 5001 - id FROM employee WHERE id > 1;
            """)
        try open(file) { store throws in
            let before = try file.sqlite(".dump")
            let plan = try store.schemaPlan(for: Joined.Employee.self)
            #expect(
                plan.changes.contains {
                    $0.summary == "moves the rows of Employee from table \"employee\" to \"person\"" && $0.rows == 5000
                })
            #expect(plan.statements.contains("DROP TABLE \"employee\"") && plan.losses.isEmpty)
            #expect(try file.sqlite(".dump") == before)
            try store.run(plan)
        }
        let sum = "SELECT count(*), sum(salary), sum(boss_id = 5003 - id) FROM person WHERE class = 'Employee'"
        #expect(try file.sqlite(sum) == "5000|12502599|4999")
        #expect(try file.sqlite("SELECT count(*), sum(value_id = 5003 - owner_id) FROM person_mates") == "4999|4999")
        try expectSound(file)
        try expectUnchanged(file, Joined.Person.self, Joined.Employee.self)
        try open(file) { store throws in try store.takeBack(Apart.Employee.self) }
        #expect(
            try file.sqlite("SELECT count(*), sum(salary), sum(boss_id = 5003 - id) FROM employee")
                == "5000|12502599|4999")
        #expect(try file.sqlite("SELECT class FROM person") == "Person")
        try expectSound(file)
    }
}
