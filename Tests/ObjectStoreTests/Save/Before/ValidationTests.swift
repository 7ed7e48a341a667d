import TestSupport
import Testing

@testable import PersistentObjects

/// `validate`: the objects that a save validates, the problems that count, and their report.
struct ValidationTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var lastName = ""
        var age = 0
        var employer: Company?
        var fullName: String { lastName }
        @Transient var isStrict = false

        override func validate(_ problems: inout Problems) {
            problems.require(!lastName.isEmpty, \Person.lastName, "must not be empty")
            problems.require(age >= 0, \Person.age, "must not be negative")
            problems.require(!isStrict, "is strict")
        }
    }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""

        override func validate(_ problems: inout Problems) {
            name = name.trimmingPrefix(while: { $0 == " " }).description
            problems.require(!name.isEmpty, \Company.name, "must not be empty")
        }
    }

    final class Shy: PersistentObject {
        @TaskLocal static var whileValidating: Hook?
        override class var tableName: String { "shy" }
        var name = ""
        var failure: String?

        override func validate(_ problems: inout Problems) {
            do { try Shy.whileValidating?() } catch { problems.add("\(error)") }
        }
    }

    final class Wrong: PersistentObject {
        override class var tableName: String { "wrong" }
        var name = ""
        var title: String { "The \(name)" }

        override func validate(_ problems: inout Problems) {
            if name == "other" { problems.require(\Company.name, count: 1...) }
            if name == "computed" { problems.add(\Wrong.title, message: "is bad") }
        }
    }

    private func error(_ body: () throws -> Void) -> StoreError? {
        #expect(throws: StoreError.self) { () throws in try body() }
    }

    @Test func `a save reports all problems of all objects at once, and writes nothing`() throws {
        try withTemporarySession { session, file throws in
            let joe = Person()
            joe.age = -1
            joe.employer = Company()
            let error = try #require(error { () throws in try joe.save() })
            #expect(error.code == .invalid)
            #expect(
                error.problems.map(\.description).sorted() == [
                    "Company.name: must not be empty", "Person.age: must not be negative",
                    "Person.lastName: must not be empty",
                ])
            #expect(error.problems(of: "age") == ["must not be negative"])
            #expect(error.problems(of: "name") == ["must not be empty"] && error.problems(of: "other") == [])
            #expect(error.problems.filter { $0.isAbout(joe) }.map(\.property) == ["lastName", "age"])
            #expect("\(error)".contains("Person.age: must not be negative; "))
            #expect(joe.isNew && joe.age == -1)
            #expect(try file.sqlite("SELECT count(*) FROM person") == "0")
            joe.lastName = "Smith"
            joe.age = 3
            joe.employer?.name = "Acme"
            try joe.save()
            #expect(try file.sqlite("SELECT last_name, age FROM person") == "Smith|3")
        }
    }

    @Test func `a single problem is an error with class, property and row`() throws {
        try withTemporarySession { _, _ throws in
            let joe = Person()
            joe.lastName = "Smith"
            try joe.save()
            joe.lastName = ""
            let error = try #require(error { () throws in try joe.save() })
            expect("\(error)", "Person.lastName #1: must not be empty")
            #expect(error.className == "Person" && error.property == "lastName" && error.rowID == 1)
        }
    }

    @Test func `the error lists more than ten problems in short, and has the full list`() throws {
        try withTemporarySession { session, _ throws in
            let error = try #require(error { () throws in try session.save((0..<12).map { _ in Person() }) })
            expect(error.problems.count, 12)
            #expect("\(error)".hasSuffix("; and 2 more"))
        }
    }

    @Test func `for a saved object, only problems of changed properties or of the whole object count`() throws {
        try withTemporarySession { _, file throws in
            let joe = Person()
            joe.lastName = "Smith"
            try joe.save()
            _ = try file.sqlite("UPDATE person SET last_name = ''")
            try joe.reload()
            joe.age = 5
            try joe.save()
            #expect(try joe.isValid)
            joe.isStrict = true
            try joe.save()
            joe.age = 6
            expect(error { () throws in try joe.save() }?.problems.map(\.message), ["is strict"])
            #expect(try joe.problems.map(\.message) == ["is strict"] && joe.isValid == false)
        }
    }

    @Test func `an object can be validated without saving it`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person()
            try expect(joe.problems.map(\.description), ["Person.lastName: must not be empty"])
            joe.lastName = "Smith"
            #expect(try joe.isValid && joe.isNew)
            // The objects it refers to are not validated.
            joe.employer = Company()
            #expect(try joe.isValid)
            joe.employer = nil
            try joe.save()
            let log = try statements(of: session) { _ = try joe.isValid }
            expect(log, [])
            try joe.delete()
            expect(error { () throws in _ = try joe.problems }?.code, .objectIsDeleted)
        }
    }

    @Test func `changes that validate makes to its object are saved`() throws {
        try withTemporarySession { _, file throws in
            let acme = Company()
            acme.name = "  Acme"
            try acme.save()
            #expect(try file.sqlite("SELECT name FROM company") == "Acme" && !acme.hasChanges)
            acme.name = " Acme"
            try acme.save()
            #expect(acme.name == "Acme" && !acme.hasChanges)
        }
    }

    @Test func `validate can find, but cannot save or delete`() throws {
        try withTemporarySession { session, file throws in
            let old = Smuggled(Company())
            old.value.name = "Old"
            try old.value.save()
            let count = Recorder<Int>()
            try Shy.$whileValidating.withValue(Hook { count.add(try Company.count()) }) { try Shy().save() }
            expect(count.all, [1])
            let refused: [@Sendable () throws -> Void] = [
                { try Company().save() }, { try old.value.delete() }, { _ = try Company.deleteAll() },
                { try Company.where { $0.name == "Old" }.delete() },
                { try Company.where { $0.name == "Old" }.update { $0.name = "New" } },
                { _ = try Company.findOrCreateBy.name("Newest") },
            ]
            for body in refused {
                let problem = Shy.$whileValidating.withValue(Hook(body)) { error { () throws in try Shy().save() } }
                expect(problem?.problems.first?.message.contains("must not save or delete"), true)
                let asked = try Shy.$whileValidating.withValue(Hook(body)) { try Shy().problems }
                expect(asked.first?.message.contains("must not save or delete"), true)
            }
            try expect(file.sqlite("SELECT name FROM company"), "Old")
            try expect(session.counts.changed, 0)
        }
    }

    @Test func `validation can be skipped`() throws {
        try withTemporarySession { session, file throws in
            let joe = Person()
            try joe.save(.withoutValidation)
            joe.age = -1
            try session.saveChanges(.withoutValidation)
            try session.save([Person()], .withoutValidation)
            try expect(file.sqlite("SELECT age FROM person"), "-1\n0")
        }
    }

    @Test func `a property of another class in validate is an error`() throws {
        try withTemporarySession { _, _ throws in
            let wrong = Wrong()
            wrong.name = "other"
            let error = try #require(error { () throws in try wrong.save() })
            #expect(error.code == .misuse && "\(error)".contains("is not a property of the class"))
        }
    }

    @Test func `a problem of a property that is not stored always counts`() throws {
        try withTemporarySession { _, _ throws in
            let wrong = Wrong()
            try wrong.save()
            wrong.name = "computed"
            expect(error { () throws in try wrong.save() }?.problems.map(\.message), ["is bad"])
        }
    }

    @Test func `an unchanged object is not validated, and saving it runs no SQL`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person()
            joe.lastName = "Smith"
            try joe.save()
            joe.isStrict = true
            try expect(statements(of: session) { try joe.save() }, [])
            try expect(statements(of: session) { try session.saveChanges() }, [])
        }
    }

    @Test func `findOrCreate validates the object that it creates`() throws {
        try withTemporarySession { _, _ throws in
            expect(error { () throws in _ = try Person.findOrCreateBy.age(-3) }?.problems.count, 2)
            try expect(Person.count(), 0)
        }
    }
}
