import TestSupport
import Testing

@testable import PersistentObjects

/// Dynamic finders from the call to the rows: each subject with each possible result type.
struct DynamicFinderTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var lastName = ""
        var age: Int?
        @Indexed var email: String?
        var isActive = true
    }

    final class Employee: Person {
        var salary = 0.0
    }

    /// Smith 39, Smith nil, Jones 20, Young 39; ids 1 to 4.
    private func withPeople(_ body: (Session, [Person]) throws -> Void) throws {
        try withTemporarySession { session, _ in
            let people = [("Smith", 39), ("Smith", nil), ("Jones", 20), ("Young", 39)].map { name, age in
                let person = Person()
                person.lastName = name
                person.age = age
                person.email = age.map { "\(name)\($0)@b.c" }
                person.isActive = name != "Young"
                return person
            }
            try session.save(people)
            try body(session, people)
        }
    }

    @Test func `findBy and findAllBy return a list in id order`() throws {
        try withPeople { _, people throws in
            try expect(Person.findByLastName("Smith"), [people[0], people[1]])
            try expect(Person.findAllByAge(39), [people[0], people[3]])
            #expect(try Person.findByLastName("Nobody").isEmpty)
            try expect(Person.findByAge(nil), [people[1]])
            try expect(Person.findByLastNameAndAge("Smith", 39), [people[0]])
            try expect(Person.findByLastNameOrAge("Jones", 39), [people[0], people[2], people[3]])
            try expect(Person.findByLastNameIsAndAgeEqualsOrIsActive("Smith", nil, false), [people[1], people[3]])
            try expect(Person.findById(3), [people[2]])
            try expect(Person.findByIDOrId(3, 1), [people[0], people[2]])
        }
    }

    @Test func `findFirst returns the first object by id, or the first n`() throws {
        try withPeople { _, people throws in
            try expect(Person.findFirstByLastName("Smith"), [people[0]])
            try expect(Person.findFirst2ByIsActive(true), [people[0], people[1]])
            try expect(Person.findFirst10ByAge(39), [people[0], people[3]])
            try expect(Person.findFirst9223372036854775807ByAge(39).count, 2)
            let one: Person? = try Person.findFirst3ByAge(39)
            #expect(one === people[0])
        }
    }

    @Test func `an optional result is chosen by if let, guard let, ??, ?. or a declared type`() throws {
        try withPeople { _, people throws in
            if let joe = try Person.findFirstByLastName("Smith") {
                #expect(joe === people[0])
            } else {
                Issue.record("if let found nothing")
            }
            guard let ann = try Person.findByLastName("Smith") else { throw StoreError(.notFound, "guard let") }
            #expect(ann === people[0])
            try expect(Person.findFirstByLastName("Smith")?.age, 39)
            let sure = try Person.findFirstByLastName("Nobody") ?? people[3]
            #expect(sure === people[3])
            let none: Person? = try Person.findFirstByLastName("Nobody")
            #expect(none == nil)
            let tried: Person? = try? Person.findFirstByLastName("Young")
            #expect(tried === people[3])
            let cast = try Person.findFirstById(2) as Person?
            #expect(cast === people[1])
            if try Person.findFirstByLastName("Nobody") == nil {} else { Issue.record("== nil found somebody") }
        }
    }

    @Test func `without a declared type, find returns a list`() throws {
        try withPeople { _, people throws in
            let list = try Person.findFirstByLastName("Smith")
            #expect(type(of: list) == [Person].self && list == [people[0]])
            for person in try Person.findByAge(39) { expect(person.age, 39) }
            try expect(Person.findByAge(39).map(\.lastName), ["Smith", "Young"])
        }
    }

    @Test func `a non-optional result is the only match, or an error`() throws {
        try withPeople { _, people throws in
            let jones: Person = try Person.findByLastName("Jones")
            #expect(jones === people[2])
            let none = #expect(throws: StoreError.self) { let _: Person = try Person.findByLastName("Nobody") }
            #expect(none?.code == .notFound && none?.className == "Person")
            let several = #expect(throws: StoreError.self) { let _: Person = try Person.findFirstByAge(39) }
            #expect(several?.code == .severalFound && several?.sql?.contains("LIMIT") == true)
            let byID: Person = try Person.findById(4)
            #expect(byID === people[3])
        }
    }

    @Test func `count returns an Int, and exists returns a Bool`() throws {
        try withPeople { session, _ throws in
            let count: Int = try Person.countByAge(39)
            expect(count, 2)
            #expect(try Person.countByLastName("Smith") > 1 && Person.countByAge(nil) + 1 == 2)
            let none: Int = try Person.countByLastName("Nobody")
            expect(none, 0)
            if try Person.existsByLastName("Jones") {} else { Issue.record("Jones exists") }
            let isThere: Bool = try Person.existsByLastNameAndAge("Jones", 21)
            let isNil: Bool = try Person.existsByAge(nil)
            #expect(!isThere && isNil)
            let log = try statements(of: session) {
                let _: Int = try Person.countByEmail("x")
                let _: Bool = try Person.existsByEmail("x")
            }
            expect(
                log,
                [
                    #"SELECT count(*) FROM "person" WHERE "person"."email" = ?1"#,
                    #"SELECT EXISTS (SELECT "person"."id" FROM "person" WHERE "person"."email" = ?1)"#,
                ])
        }
    }

    @Test func `delete returns the number of objects, the objects or nothing`() throws {
        try withPeople { _, people throws in
            let count: Int = try Person.deleteByLastName("Smith")
            #expect(count == 2 && people[0].isDeleted && people[1].isDeleted)
            try Person.deleteByAge(39)
            #expect(people[3].isDeleted && !people[2].isDeleted)
            let gone = try Person.deleteByLastName("Jones")
            #expect(gone == [people[2]] && people[2].isDeleted)
            try expect(Person.count(), 0)
        }
    }

    @Test func `a finder can be stored in a variable and called later`() throws {
        try withPeople { _, people throws in
            let finder = Person.findByLastName
            #expect(finder.name == "findByLastName")
            #expect(try finder("Smith") == [people[0], people[1]])
            let one: Person? = try finder("Jones")
            #expect(one === people[2])
            #expect(try ["Young", "Jones"].map { try finder($0).count } == [1, 1])
            let misspelt = Person.findByLstName
            #expect(throws: FinderError.self) { try misspelt("Smith") }
        }
    }

    @Test func `a finder of a subclass accepts inherited properties and returns the subclass`() throws {
        try withPeople { session, _ throws in
            let ann = Employee()
            ann.lastName = "Smith"
            ann.salary = 10
            try ann.save()
            let found = try Employee.findByLastNameAndSalary("Smith", 10)
            #expect(type(of: found) == [Employee].self && found == [ann])
            try expect(Employee.findFirstBySalary(10)?.salary, 10)
            try expect(session.store.withSession { _ in try Employee.findByLastName("Smith").map(\.salary) }, [10])
        }
    }

    @Test(.onSQLite("PostgreSQL does not explain queries yet"))
    func `finders use the index of an optional property`() throws {
        try withPeople { session, _ throws in
            _ = try Person.findByEmail("x")
            let plan = try session.connection.prepare(
                #"EXPLAIN QUERY PLAN SELECT * FROM "person" WHERE "person"."email" IS ?"#)
            #expect(try plan.step())
            let detail = try plan.column(3).text()
            #expect(detail.hasPrefix("SEARCH person USING INDEX") && detail.hasSuffix("(email=?)"))
        }
    }

    @Test func `findById returns objects in memory without SQL, for every result type`() throws {
        try withPeople { session, people throws in
            let log = try statements(of: session) {
                try expect(Person.findById(2), [people[1]])
                if let person = try Person.findFirstById(3) { #expect(person === people[2]) }
                let optional: Person? = try Person.findByID(1)
                #expect(optional === people[0])
            }
            #expect(log.isEmpty)
            #expect(try Person.findById(99).isEmpty)
        }
    }

    @Test func `a wrong result type throws an error with the right declaration`() throws {
        try withPeople { session, people throws in
            let wrong: [(String, () throws -> Void)] = [
                (
                    "[Person]. Write let answer: Int = try Person.countByAge(…)",
                    { _ = try Person.countByAge(39) as [Person] }
                ),
                ("Person?. Write let answer: Int", { let _: Person? = try Person.countByAge(39) }),
                ("Person. Write let answer: Bool", { let _: Person = try Person.existsByAge(39) }),
                (
                    "Int. Write let answer: [Person] = try Person.findByAge(…)",
                    { let _: Int = try Person.findByAge(39) }
                ),
                (
                    "Int. Write let answer: Bool = try Person.existsByAge(…)",
                    { let _: Int = try Person.existsByAge(39) }
                ),
                ("Bool. Write let answer: Int = try Person.countByAge(…)", { let _: Bool = try Person.countByAge(39) }),
                ("Bool. Write let answer: [Person]", { let _: Bool = try Person.findFirstByAge(39) }),
                (
                    "Person?. Write let answer: Int = try Person.deleteByAge(…)",
                    { let _: Person? = try Person.deleteByAge(39) }
                ),
            ]
            let log = statements(of: session) {
                for (text, call) in wrong {
                    let error = #expect(throws: FinderError.self) { try call() }
                    #expect(
                        error?.description.contains("cannot return \(text)") == true,
                        "\(String(describing: error))")
                }
            }
            #expect(log.isEmpty && people.allSatisfy { !$0.isDeleted })
        }
    }

    @Test func `a misspelled static member throws with a suggestion before any SQL runs`() throws {
        try withPeople { session, _ throws in
            let wrong: [(String, () throws -> Void)] = [
                ("did you mean all", { _ = try Person.al() }),
                ("did you mean lastName?", { _ = try Person.findByLastNme("Smith") }),
                ("did you mean findByLastName?", { _ = try Person.fndByLastName("Smith") }),
                ("neither a static member nor a finder", { _ = try Person.nonsense(1, 2) }),
                ("no property matches \"Salary\"", { _ = try Person.findBySalary(3) }),
            ]
            let log = statements(of: session) {
                for (text, call) in wrong {
                    let error = #expect(throws: FinderError.self) { try call() }
                    #expect(error?.description.contains(text) == true, "\(String(describing: error))")
                }
            }
            #expect(log.isEmpty)
        }
    }

    @Test func `a finder is planned once, and its statement is prepared once`() throws {
        try withPeople { session, _ throws in
            let space = try session.space(of: Person.self)
            _ = try Person.findByLastNameAndAge("Smith", 1)
            let plan = try FinderPlan.plan("findByLastNameAndAge", space)
            let statement = try plan.query(["Smith", 1], space).plan.selectStatement(space)
            statement.finish()
            for age in 0..<20 { _ = try Person.findByLastNameAndAge("Smith", age) }
            #expect(try FinderPlan.plan("findByLastNameAndAge", space) === plan)
            let again = try plan.query(["Smith", 1], space).plan.selectStatement(space)
            again.finish()
            #expect(again === statement)
        }
    }
}
