import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Aggregate finders (`sumOf`, `maxOf` and others) of ids and of properties without a sum.
struct FinderAggregateTests {
    final class Toy: PersistentObject {
        override class var tableName: String { "summed_toy" }
        var price = 0
        var owner: Person?
    }

    final class Person: PersistentObject {
        override class var tableName: String { "summed_person" }
        var name = ""
        var born = Date(timeIntervalSinceReferenceDate: 0)
        var isActive = true
        var points: Cents = 3
        @Inverse(\Toy.owner) var toys: [Toy]
    }

    private func withPeople(_ body: () throws -> Void) throws {
        try withTemporarySession { session, _ throws in
            let people = ["Ann", "Bob", "Ann"].map { name in
                let person = Person()
                person.name = name
                return person
            }
            try session.save(people)
            try body()
            withExtendedLifetime(session) {}
        }
    }

    @Test func `the id supports min, max, sum and average`() throws {
        try withPeople { () throws in
            let greatest: Int64? = try Person.maxOfId()
            let least: Int64? = try Person.minOfIDByName("Bob")
            let none: Int64? = try Person.maxOfIDByName("nobody")
            let sum: Int? = try Person.sumOfIdByName("Ann")
            let average: Double? = try Person.averageOfId()
            #expect(greatest == 3 && least == 2 && none == nil && sum == 4 && average == 2)
            let guess = #expect(throws: FinderError.self) { () throws in let _: String? = try Person.maxOfId() }
            #expect(guess.map { "\($0)".contains("let answer: Int64? = try Person.maxOfId(…)") } == true)
        }
    }

    @Test func `an aggregate of a collection throws, and checkFinders reports it without a store`() throws {
        try withPeople { () throws in
            let error = #expect(throws: QueryError.self) { () throws in let _: Int? = try Person.sumOfToysPrice() }
            #expect(
                error == .notExpressible("In Person.sumOfToysPrice: toys.price has many values, not a single value"))
            let problems = #expect(throws: FinderProblems.self) { try Person.checkFinders(["maxOfToysPrice"]) }
            #expect(problems.map { "\($0)".contains("toys.price has many values, not a single value") } == true)
        }
    }

    @Test(arguments: ["sumOfBorn", "averageOfIsActive", "totalOfBornByName"])
    func `a property that is not a number has no sum, even if its column is numeric`(name: String) throws {
        let error = #expect(throws: FinderProblems.self) { try Person.checkFinders([name]) }
        expect(error.map { "\($0)".contains("does not support") }, true, "\(String(describing: error))")
    }

    @Test func `a custom numeric type is added in Swift, not by a finder`() throws {
        try withPeople { () throws in
            let error = #expect(throws: QueryError.self) { () throws in let _: Int? = try Person.sumOfPoints() }
            expect(
                error,
                .notExpressible("In Person.sumOfPoints: SQL cannot add values of type Cents. Use query.sum(\\.points)"))
            try expect(Person.query.sum(\.points), 9)
        }
    }
}
