import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

// Missing tables, and values that do not fit.
extension SubclassChangeTests {
    enum Alone {
        final class Employee: PersistentObject {
            var name = ""
            var salary: Double = 1
            var left = "over"
            var boss: Employee?
        }
    }

    enum Below {
        class Person: PersistentObject {
            var name = ""
            var town = "Rome"
        }

        final class Employee: Person {
            var salary: Double = 1
            var level = 3
            var boss: Employee?
        }
    }

    @Test func `the hierarchy's table is created if it does not exist, and ids are kept`() throws {
        let file = try TemporaryStore()
        try open(file) { _ throws in
            let first = Alone.Employee()
            first.name = "Eve"
            try first.save()
            let second = Alone.Employee()
            second.salary = 2.5
            second.boss = first
            try second.save()
            try first.delete()
            let third = Alone.Employee()
            third.boss = second
            try third.save()
            try third.delete()
        }
        try open(file) { _ throws in
            let employee = try Below.Employee.query.single()
            #expect(employee.id == 2 && employee.salary == 2.5 && employee.town == "Rome" && employee.level == 3)
            let person = Below.Person()
            try person.save()
            expect(person.id, 4)
        }
        // Columns without a property are kept.
        try expect(file.sqlite("SELECT class, \"left\" FROM person"), "Employee|over\nPerson|")
        try expectSound(file)
        try expectUnchanged(file, Below.Person.self, Below.Employee.self)
    }

    enum Numbers {
        class Person: PersistentObject { var code = 0 }
    }

    enum Texts {
        final class Employee: PersistentObject { var code = "" }
    }

    enum Converted {
        class Person: PersistentObject {
            var code = 0
            var kind = "new"
        }
        final class Employee: Person {}
    }

    @Test func `values are converted to the type of the superclass, and a failure leaves the file unchanged`() throws {
        for (codes, wanted) in [(["7", "8"], [0, 7, 8] as [Int]?), (["7", "x"], nil)] {
            let file = try TemporaryStore()
            try open(file) { _ throws in
                try Numbers.Person().save()
                for code in codes {
                    let employee = Texts.Employee()
                    employee.code = code
                    try employee.save()
                }
            }
            let before = try file.sqlite(".dump")
            if let wanted {
                try open(file) { _ throws in
                    #expect(try Converted.Employee.all().map(\.code) == [7, 8])
                    #expect(try Converted.Person.query.order(by: \.id).all().map(\.code) == wanted)
                    #expect(try Converted.Person.all().map(\.kind) == ["new", "new", "new"])
                }
                try expectUnchanged(file, Converted.Person.self, Converted.Employee.self)
            } else {
                let store = try Store(file.path)
                let error = #expect(throws: SchemaError.self) { try store.takeBack(Converted.Employee.self) }
                #expect(
                    error?.description.contains("Employee.code: The value of row 2 cannot be converted to Int") == true)
                store.close()
                #expect(try file.sqlite(".dump") == before)
            }
            try expectSound(file)
        }
    }

    @Test func `a class becomes a subclass while its superclass is in use with objects in memory`() throws {
        let file = try TemporaryStore()
        try fillApart(file)
        try open(file) { _ throws in
            let people = try Joined.Person.all()
            people[0].name = "Anna"
            expect(people.count, 3)
            try expect(Joined.Employee.query.order(by: \.id).all().map(\.name), ["Eve", "Fay", "Gus", "Hal"])
            try expect(Joined.Person.count(), 7)
            #expect(people[0].hasChanges && people[0].tags == ["Ann", "person"])
            try expect(Joined.Person.search("Gus").all().map(\.name), ["Gus"])
            people[0].name = "Ann"
        }
        try expectJoined(file)
        try expectUnchanged(file, Joined.Person.self, Joined.Employee.self)
    }

    private struct Stop: Error {}

    private func useAndStop() throws {
        try expect(Joined.Employee.count(), 4)
        throw Stop()
    }

    @Test func `a transaction that is rolled back leaves no partial change`() throws {
        let file = try TemporaryStore()
        try fillApart(file)
        let store = try Store(file.path)
        try store.withSession { session throws in
            #expect(throws: Stop.self) { try session.transaction { try useAndStop() } }
            // Tables that the transaction created are created again.
            try expect(Joined.Employee.query.order(by: \.id).all().map(\.id), [4, 5, 6, 7])
        }
        store.close()
        try expectJoined(file)
    }

    @Test func `a unique value that is in both tables is an error, and nothing changes`() throws {
        let file = try TemporaryStore()
        try open(file) { _ throws in
            let person = Apart.Person()
            person.mail = "same"
            try person.save()
            for mail in ["other", "same"] {
                let employee = Apart.Employee()
                employee.mail = mail
                try employee.save()
            }
        }
        let before = try file.sqlite(".dump")
        let store = try Store(file.path)
        let error = #expect(throws: SchemaError.self) { try store.takeBack(Joined.Employee.self) }
        #expect(error?.description.contains("row 2 has a unique value") == true, "\(String(describing: error))")
        store.close()
        #expect(try file.sqlite(".dump") == before)
    }

    @Test func `a reference to the former superclass that leads to a moving row is an error`() throws {
        let file = try TemporaryStore()
        try fillApart(file)
        try expectJoined(file)
        _ = try file.sqlite("UPDATE person SET friend_id = 5 WHERE id = 2")
        let before = try file.sqlite(".dump")
        let store = try Store(file.path)
        let error = #expect(throws: SchemaError.self) { try store.takeBack(Apart.Employee.self) }
        guard case .notMovable("Employee", "person", let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("Person.friend refers to them in row 2, and cannot"), "\(reason)")
        store.close()
        try expect(file.sqlite(".dump"), before)
    }

    @Test func `another program's trigger on the table is an error that names the trigger`() throws {
        let file = try TemporaryStore()
        try fillApart(file)
        _ = try file.sqlite("CREATE TRIGGER mine AFTER INSERT ON employee BEGIN DELETE FROM badge; END")
        let before = try file.sqlite(".dump")
        let store = try Store(file.path)
        let error = #expect(throws: SchemaError.self) { try store.takeBack(Joined.Employee.self) }
        expect(error?.description.contains("trigger \"mine\""), true)
        store.close()
        try expect(file.sqlite(".dump"), before)
    }
}
