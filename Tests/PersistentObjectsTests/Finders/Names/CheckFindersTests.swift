import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Finder names that are checked without being called.
struct CheckFindersTests {
    private typealias Person = LinkModel.Person

    final class Odd: PersistentObject {
        override class var tableName: String { "odd" }
        var anything: Any = 1
    }

    static let right = [
        "findByName", "findAllByAgeBetween", "findFirst10ByNameStartingWithOrderByAgeDesc", "countByAgeGreaterThan",
        "existsByEmployerName", "deleteByTagsContaining", "findOrCreateByName", "findOrInitializeByNameAndAge",
        "idsByAgeIsNull", "sumOfAge", "sumOfEmployerSize", "maxOfName", "averageOfAgeByName", "findByPetsIsEmpty",
        "findByPassportNumber", "listOrderByAge", "findLastByOrderByName", "findByNameIgnoreCase", "findByIDIn",
        "findByEmployer_CountryCode", "findByPetsName", "countDistinctByFriendsName", "findByMentorIsNull",
        "findByTagsContainingAll", "minOfId", "findByNameAndAgeAllIgnoreCase", "soleByNameMatches",
    ]

    /// Invalid names with the messages for them.
    static let wrong = [
        ("findByNme", #"no property matches "Nme"; did you mean name?"#),
        ("findBy", "a property must follow here"),
        ("findByNameEqal", #"no operator matches "Eqal" after name; did you mean Equal?"#),
        ("findByEmployerNmae", #"no property of Company matches "Nmae" after employer; did you mean employer.name?"#),
        ("fndByName", "neither a static member nor a finder; did you mean findByName?"),
        ("findName", "did you mean findByName?"),
        ("all", "neither a static member nor a finder"),
        ("", "neither a static member nor a finder"),
        ("findFirst0ByName", "0 is not a valid number of objects"),
        ("countByNameOrderByAge", #""OrderBy" is not allowed here"#),
        ("findByNameOrderByAgeDecs", "cannot follow"),
        ("findByAgeIsNullIgnoreCase", #""IgnoreCase""#),
        ("findOrCreateByNameOrAge", #""Or" is not allowed here"#),
        ("findByTags", "tags has elements and cannot be compared as a whole"),
        ("findByAgeStartingWith", "does not support"),
        ("findByNameIsTrue", "does not support IsTrue"),
        ("findByAgeIgnoreCase", "age has a type that does not support IgnoreCase"),
        ("findByEmployerLessThan", "employer has a type that does not support LessThan"),
        ("findByNameOrderByPetsName", "pets.name has many values, so it cannot be used to order objects"),
        ("sumOfName", "name has a type that does not support sumOf"),
        ("totalOfPets", "pets has a type that does not support totalOf"),
        ("maxOfEmployer", "employer has a type that does not support maxOf"),
        ("minOfTags", "tags has a type that does not support minOf"),
    ]

    @Test(arguments: right)
    func `a valid name passes checkFinders without a store`(name: String) throws {
        try Person.checkFinders([name])
    }

    @Test(arguments: wrong)
    func `an invalid name throws a message with the problem`(name: String, problem: String) throws {
        let error = try #require(throws: FinderProblems.self) { try Person.checkFinders([name]) }
        expect(error.problems.count, 1)
        #expect(error.description.hasPrefix("Person.\(name): ") || error.problems[0] is QueryError)
        #expect(error.description.contains(problem), "\(error)")
    }

    @Test func `an invalid name throws the same message when it is called`() throws {
        try withTemporarySession { _, _ throws in
            for (name, _) in CheckFindersTests.wrong {
                let checked = try #require(throws: FinderProblems.self) { try Person.checkFinders([name]) }
                let run = #expect(throws: (any Error).self) { _ = try Person[dynamicMember: name]() as [Person] }
                #expect("\(checked)" == run.map { "\($0)" }, "\(name)")
            }
        }
    }

    @Test func `all problems are reported in order, one per paragraph`() throws {
        let error = try #require(throws: FinderProblems.self) {
            try Person.checkFinders(["findByNme", "findByName", "countByTags", "findByX"])
        }
        #expect(error.problems.count == 3 && error.problems.allSatisfy { $0 is FinderError })
        #expect(
            "\(error)"
                == """
                Person.findByNme: no property matches "Nme"; did you mean name?
                    findByNme
                          ^~~
                Person.countByTags: tags has elements and cannot be compared as a whole. Use Containing, IsEmpty or \
                IsNotEmpty
                Person.findByX: no property matches "X"
                    findByX
                          ^
                """)
    }

    @Test func `several classes can be checked with one call`() throws {
        try PersistentObject.checkFinders([
            (LinkModel.Person.self, ["findByName", "countByPetsName"]), (LinkModel.Pet.self, ["findByOwnerName"]),
        ])
        let error = try #require(throws: FinderProblems.self) {
            try PersistentObject.checkFinders([
                (LinkModel.Pet.self, ["findByTricks"]), (LinkModel.Dog.self, ["findByTricks"]),
                (LinkModel.Company.self, ["findBySise"]),
            ])
        }
        expect(error.problems.count, 2)
        #expect("\(error)".contains("Pet.findByTricks") && "\(error)".contains("Company.findBySise"))
    }

    @Test func `a class that cannot be stored is reported once`() throws {
        let error = try #require(throws: FinderProblems.self) { try Odd.checkFinders(["findByAnything", "findByNme"]) }
        #expect(error.problems.count == 1 && error.problems[0] is SchemaError)
    }

    @Test func `checking no names, or one name many times, succeeds`() throws {
        try Person.checkFinders([])
        try Person.checkFinders([String](repeating: "findByName", count: 1000))
    }
}
