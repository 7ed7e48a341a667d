import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Finders that begin with `sumOf` and `maxOf`: of ids, and of what has no sum.
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

    @Test func `the id has a least, a greatest, a sum and an average`() throws {
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

    @Test func `what stands behind a collection has no one value, which a check without a store says too`() throws {
        try withPeople { () throws in
            let error = #expect(throws: QueryError.self) { () throws in let _: Int? = try Person.sumOfToysPrice() }
            #expect(
                error == .notExpressible("In Person.sumOfToysPrice: toys.price has many values, not a single value"))
            let problems = #expect(throws: FinderProblems.self) { try Person.checkFinders(["maxOfToysPrice"]) }
            #expect(problems.map { "\($0)".contains("toys.price has many values, not a single value") } == true)
        }
    }

    @Test(arguments: ["sumOfBorn", "averageOfIsActive", "totalOfBornByName"])
    func `what is no number has no sum, though its column holds numbers`(name: String) throws {
        let error = #expect(throws: FinderProblems.self) { try Person.checkFinders([name]) }
        expect(error.map { "\($0)".contains("does not support") }, true, "\(String(describing: error))")
    }

    @Test func `a number of the user's own is added in Swift alone`() throws {
        try withPeople { () throws in
            let error = #expect(throws: QueryError.self) { () throws in let _: Int? = try Person.sumOfPoints() }
            expect(
                error,
                .notExpressible("In Person.sumOfPoints: SQL cannot add values of type Cents. Use query.sum(\\.points)"))
            try expect(Person.query.sum(\.points), 9)
        }
    }
}
