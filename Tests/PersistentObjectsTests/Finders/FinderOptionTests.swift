import TestSupport
import Testing

@testable import PersistentObjects

/// The options that can follow the arguments of a dynamic finder.
struct FinderOptionTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var lastName = ""
        var age: Int?
        @Lazy var mentor: Person?
        var employer: Company?
        var tags: [String] = []
        var fullName: String { lastName + "!" }
    }

    final class Employee: Person {
        var salary = 0.0
    }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
    }

    /// Ten people with ids 1 to 10, aged 30, 31, 32, 30 and so on. The first is the mentor of the others.
    private func withPeople(_ body: (Session, [Person]) throws -> Void) throws {
        try withTemporarySession { session, _ in
            let companies = ["Zorg", "Acme"].map { name in
                let company = Company()
                company.name = name
                return company
            }
            let people = (0..<10).map { number in
                let person = number == 9 ? Employee() : Person()
                (person.lastName, person.age) = (number < 8 ? "Smith" : "Jones", 30 + number % 3)
                person.employer = companies[number % 2]
                return person
            }
            for person in people.dropFirst() { person.mentor = people[0] }
            try session.save(people)
            try withExtendedLifetime(people) { try body(session, people) }
            expect(session.busyStatementCount, 0)
        }
    }

    /// The positions of objects among the ten.
    private func places(_ objects: [Person]) -> [Int] { objects.compactMap(\.id).map { Int($0) - 1 } }

    @Test func `options limit and sort the objects found`() throws {
        try withPeople { _, _ throws in
            expect(places(try Person.findByLastName("Smith", .limit(2))), [0, 1])
            expect(places(try Person.findByLastName("Smith", .offset(6))), [6, 7])
            expect(places(try Person.findByLastName("Smith", .offset(1), .limit(2))), [1, 2])
            expect(places(try Person.findByLastName("Smith", .limit(0))), [])
            expect(places(try Person.findByLastName("Smith", .limit(-1))), [])
            expect(places(try Person.findByLastName("Smith", .offset(-1), .limit(.max))).count, 8)
            expect(
                places(try Person.findByLastName("Smith", .order(by: \Person.age, .descending), .limit(4))),
                [2, 5, 1, 4])
            expect(places(try Person.findByLastName("Smith", .order(by: "age"), .limit(3))), [0, 3, 6])
            expect(
                places(
                    try Person.findByAgeGreaterThanOrderByAgeDesc(
                        30, .order(by: "employer.name"), .order(by: \Person.id))), [5, 2, 8, 1, 7, 4])
            expect(places(try Person.listOrderByAge(.limit(2))), [0, 3])
            expect(places(try Person.findByLastName("Smith", .order(by: "id", .descending), limit: 2)), [7, 6])
            expect(places(try Person.findByAgeOrderByLastName(30, limit: 2, offset: 1)), [0, 3])
            let employees = try Employee.findByLastName("Jones", .order(by: \Person.age), .order(by: \Employee.salary))
            expect(places(employees), [9])
        }
    }

    @Test func `options apply to every result type for which they have a meaning`() throws {
        try withPeople { _, people throws in
            let oldest: Person? = try Person.findByLastName("Smith", .order(by: \Person.age, .descending))
            #expect(oldest === people[2])
            if let second = try Person.findByLastName("Smith", .offset(1)) { #expect(second === people[1]) }
            let none: Person? = try Person.findByLastName("Smith", .limit(0))
            #expect(none == nil)
            let one: Person = try Person.findByLastName("Smith", .offset(7))
            #expect(one === people[7])
            let only: Person = try Person.findOnlyByAgeAndLastName(32, "Jones", .including(\Person.mentor))
            let isNone = try? (Person.findOnlyByAgeAndLastName(31, "Nobody", .including(\Person.mentor)) as Person)
            #expect(only.$mentor.isLoaded && isNone == nil)
            expect(places(try Person.findFirst2ByLastName("Smith", .order(by: "age"), .offset(1))), [3, 6])
            expect(places(try Person.findLast2ByLastName("Smith")), [6, 7])
            expect(places(try Person.findLast2ByLastName("Smith", .offset(1))), [5, 6])
            expect(places(try Person.findLast2ByLastName("Smith", .order(by: \Person.age))), [2, 5])
            expect(places(try Person.findLast3ByLastNameOrderByAge("Smith", .order(by: "id", .descending))), [1, 5, 2])
            let count: Int = try Person.countByLastName("Smith", .limit(5), .offset(5), .order(by: "age"))
            expect(count, 3)
            #expect(try Person.existsByLastName("Smith", .offset(7)) as Bool)
            #expect(try !(Person.existsByLastName("Smith", .offset(8)) as Bool))
            let ids: [Int64] = try Person.idsByLastName("Smith", .order(by: "age", .descending), .limit(2))
            expect(ids, [3, 6])
            let sum: Int? = try Person.sumOfAgeByLastName("Smith", .order(by: "id"), .limit(2))
            expect(sum, 61)
            let most: Int? = try Person.maxOfAge(.limit(1))
            expect(most, 30)
            let finder = Person.findByLastName
            let option = FinderOption.limit(1)
            expect(places(try finder("Jones", option)), [8])
        }
    }

    @Test func `delete with options deletes only the selected objects`() throws {
        try withPeople { session, people throws in
            let gone: Int = try Person.deleteByLastName("Smith", .order(by: \Person.age, .descending), .limit(2))
            #expect(gone == 2 && people[2].isDeleted && people[5].isDeleted)
            let deleted = try Person.deleteByLastName("Smith", .limit(1), .offset(1))
            expect(deleted.map(ObjectIdentifier.init), [ObjectIdentifier(people[1])])
            try expect(Person.count(), 7)
        }
    }

    @Test func `including loads the named parts`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let people = (0..<5).map { _ in Person() }
                for person in people.dropFirst() { (person.mentor, person.age) = (people[0], 3) }
                try session.save(people)
            }
            try store.withSession { session in
                let people = try Person.findByAge(3, .including(\Person.mentor))
                #expect(people.count == 4 && people.allSatisfy { $0.$mentor.isLoaded })
                let log = statements(of: session) { #expect(people.allSatisfy { $0.mentor != nil }) }
                #expect(log.isEmpty)
                #expect(try Person.findByAge(3, .including(\Person.mentor, \Person.age)).count == 4)
            }
        }
    }

    @Test func `calls with other option values run the same statements`() throws {
        try withPeople { session, _ throws in
            func call(_ limit: Int) throws -> [String] {
                try statements(of: session) {
                    _ = try Person.findByLastName("Smith", .limit(limit), .order(by: "age"))
                    _ = try Person.findByLastName("Smith", .offset(limit), .order(by: \Person.age))
                    _ = try Person.countByLastName("Smith", .limit(limit)) as Int
                }
            }
            // On a server, a session may first have to query which commits other sessions made.
            _ = try call(1)
            let first = try call(1)
            expect(first.count { $0.contains("LIMIT") }, 3)
            for limit in 2..<10 {
                let next = try call(limit)
                expect(next, first)
            }
        }
    }

    @Test func `invalid options are refused before any SQL runs`() throws {
        try withPeople { session, _ throws in
            func refused(
                _ message: String, at location: SourceLocation = #_sourceLocation, _ call: () throws -> Any
            ) throws {
                let log = statements(of: session) {
                    let error = #expect(throws: FinderError.self, sourceLocation: location) { try call() }
                    #expect(error?.description == message, sourceLocation: location)
                }
                #expect(log.isEmpty, sourceLocation: location)
            }
            try refused("Person.findByAge: .limit is not allowed here. Options must follow the arguments") {
                try Person.findByAge(.limit(1), 30) as [Person]
            }
            try refused("Person.findByAge: takes 1 argument (age), but the call has 0") {
                try Person.findByAge(.limit(1)) as [Person]
            }
            try refused("Person.findByAge: takes 1 argument (age), but the call has 0") {
                try Person.findByAge(.limit(1), .offset(2)) as [Person]
            }
            try refused("Person.findByAge: takes 1 argument (age), but the call has 2") {
                try Person.findByAge(1, 2, .limit(1)) as [Person]
            }
            try refused(
                "Person.findByAge: .limit is not allowed here. The option is given twice. Remove one of the two"
            ) {
                try Person.findByAge(30, .limit(1), limit: 2)
            }
            try refused(
                "Person.findByAge: .offset is not allowed here. The option is given twice. Remove one of the two"
            ) {
                try Person.findByAge(30, .offset(1), .offset(1)) as [Person]
            }
            try refused(
                "Person.findFirst2ByAge: .limit is not allowed here. The name already specifies the number of "
                    + "objects. Use find instead of findFirst and findLast"
            ) { try Person.findFirst2ByAge(30, .limit(1)) as [Person] }
            try refused(
                "Person.findOnlyByAge: .limit is not allowed here. The finder returns exactly one object. Use "
                    + "find to get some of several objects"
            ) { try Person.findOnlyByAge(30, .limit(1)) as Person }
            try refused(
                "Person.findOrCreateByAge: .order is not allowed here. The finder may have to create an object. "
                    + "Remove the option"
            ) { try Person.findOrCreateByAge(30, .order(by: "age")) as Person }
            try refused(
                "Person.countByAge: .including is not allowed here. The finder returns no objects. Remove the option"
            ) {
                try Person.countByAge(30, .including(\Person.mentor)) as Int
            }
            try refused("Person.findByAge: .order is not allowed here. Its key path is a key path of Company") {
                try Person.findByAge(30, .order(by: \Company.name)) as [Person]
            }
            try refused("Person.findByAge: .order is not allowed here. Its key path is a key path of Employee") {
                try Person.findByAge(30, .order(by: \Employee.salary)) as [Person]
            }
            try refused("Person.findByAge: .including is not allowed here. Its key path is a key path of Company") {
                try Person.findByAge(30, .including(\Company.name)) as [Person]
            }
            try refused(
                "Person.findByAge: .order is not allowed here. Person has no property \"agee\"; did you mean age?"
            ) { try Person.findByAge(30, .order(by: "agee")) as [Person] }
            try refused(
                "Person.findByAge: .order is not allowed here. Company has no property \"nme\"; did you mean name?"
            ) { try Person.findByAge(30, .order(by: "employer.nme")) as [Person] }
            try refused(
                "Person.findByAge: .order is not allowed here. \"age.name\" continues after a property that is "
                    + "not a reference"
            ) { try Person.findByAge(30, .order(by: "age.name")) as [Person] }
            #expect(throws: FinderError.self) { try Person.findByAge(30, .order(by: \Person.fullName)) as [Person] }
            #expect(throws: QueryError.self) { try Person.findByAge(30, .order(by: "tags")) as [Person] }
            #expect(throws: FinderError.self) {
                try Person.findByAge(30, .order(by: "age; DROP TABLE person")) as [Person]
            }
        }
    }

    @Test func `an option is not accepted as a value of raw SQL or criteria`() throws {
        try withPeople { session, _ throws in
            let error = #expect(throws: StoreError.self) { try session.rows("SELECT ?", .limit(1)) }
            expect(error?.message.contains("It is an option of dynamic finders"), true)
            #expect(throws: StoreError.self) { try Person.findByCriteria("WHERE age = ?", 30, .limit(1)) }
        }
    }
}
