import TestSupport
import Testing

@testable import PersistentObjects

/// Finders that compare references, collections and inverses as a whole.
struct ReferenceFinderTests {
    typealias Person = LinkModel.Person
    typealias Company = LinkModel.Company
    typealias Pet = LinkModel.Pet
    typealias Dog = LinkModel.Dog

    private func names(_ people: [Person]) -> String { LinkModel.names(people) }

    @Test(.onSQLite("PostgreSQL does not explain queries"))
    func `a reference can be compared with an object, an id or nil`() throws {
        try LinkModel.with { session, all throws in
            #expect(try names(Person.findByEmployer(all.acme)) == "Joe")
            #expect(try names(Person.findBy.employer(all.acme)) == "Joe")
            #expect(try names(Person.findByEmployer(nil)) == "Bob")
            #expect(try names(Person.findBy.employer(nil)) == "Bob")
            let id = try #require(all.globex.persistentID)
            #expect(try names(Person.findByEmployer(id)) == "Ann")
            #expect(try names(Person.findBy.employer(id)) == "Ann")
            #expect(try names(Person.findBy.employer(all.globex.persistentID)) == "Ann")
            #expect(try names(Person.findByMentorAndEmployer(all.joe, all.globex)) == "Ann")
            #expect(try Person.countBy.mentor(all.joe) == 1)
            #expect(try Person.findFirstBy.mentor(all.ann) === all.bob)
            let all = try statements(of: session) { _ = try Person.findBy.employer(all.acme) }
            let log = all.filter { $0.hasPrefix("SELECT") }
            #expect(log.first?.hasSuffix(#"WHERE "person"."employer_id" = ?1"#) == true)
            let plan = try queryPlan(of: log[0], session.connection)
            #expect(plan.contains { $0.contains("USING INDEX") && $0.contains("employer_id=?") }, "\(plan)")
        }
    }

    @Test func `comparing with an object that was never saved throws`() throws {
        try LinkModel.with { session, _ throws in
            let finders: [() throws -> [Person]] = [
                { try Person.findByEmployer(Company()) }, { try Person.findBy.employer(Company()) },
                { try Person.findByFriendsContaining(Person()) }, { try Person.findBy.friends(containing: Person()) },
                { try Person.findByPetsContaining(Pet()) }, { try Person.findBy.pets(containing: Pet()) },
                { try Person.findByEmployerCountry(LinkModel.Country()) },
            ]
            for finder in finders {
                let log = statements(of: session) {
                    let error = #expect(throws: StoreError.self) { try finder() }
                    #expect(error?.code == .notRepresentable && error?.className == "Person")
                    #expect(error?.property != nil && "\(error as Any)".contains("never saved"))
                }
                #expect(log.isEmpty)
            }
        }
    }

    @Test func `an argument of another class throws`() throws {
        try LinkModel.with { _, all throws in
            func refusal(_ finder: String, _ property: String, _ expected: String, _ given: String) -> FinderError {
                .wrongArgumentType(
                    className: "Person", finder: finder, property: property, expected: expected, given: given)
            }
            #expect(throws: refusal("findByEmployer", "employer", "Company?", "Person")) {
                try Person.findByEmployer(all.joe) as [Person]
            }
            #expect(throws: refusal("findByEmployer", "employer", "Company?", "PersistentID<Person>")) {
                try Person.findByEmployer(all.joe.persistentID) as [Person]
            }
            #expect(throws: refusal("findByEmployer", "employer", "Company?", "Int")) {
                try Person.findByEmployer(1) as [Person]
            }
            #expect(throws: refusal("findByFriendsContaining", "friends", "Person", "nil")) {
                try Person.findByFriendsContaining(nil) as [Person]
            }
            #expect(throws: refusal("findByPetsContaining", "pets", "Pet", "nil")) {
                try Person.findByPetsContaining(nil) as [Person]
            }
            #expect(throws: refusal("findByTagsContaining", "tags", "String", "Int")) {
                try Person.findByTagsContaining(3) as [Person]
            }
        }
    }

    @Test func `Containing finds objects by an element of a collection or an inverse`() throws {
        try LinkModel.with { _, all throws in
            try expect(names(Person.findByTagsContaining("x")), "Joe")
            try expect(names(Person.findBy.tags(containing: "y")), "Joe")
            try expect(names(Person.findBy.tags(containing: "z")), "")
            try expect(names(Person.findByMarksContaining(2)), "Ann")
            try expect(names(Person.findBy.marks(containing: 1)), "Ann")
            try expect(names(Person.findBy.colours(containing: "red")), "Ann")
            try expect(names(Person.findByHolesContaining(nil)), "Bob")
            try expect(names(Person.findBy.holes(containing: 1)), "Bob")
            try expect(names(Person.findByFriendsContaining(all.joe)), "Bob")
            try expect(names(Person.findByFriendsContaining(all.joe.persistentID)), "Bob")
            try expect(names(Person.findBy.friends(containing: all.bob)), "Joe")
            try expect(names(Person.findByRolesContaining(all.acme)), "Bob")
            try expect(names(Person.findBy.roles(containing: all.acme)), "Bob")
            try expect(names(Person.findByPetsContaining(all.rex)), "Joe")
            try expect(names(Person.findBy.pets(containing: all.tom)), "Joe")
            try expect(names(Person.findBy.dogs(containing: all.rex)), "Joe")
            try expect(names(Person.findByClubsContaining(all.club)), "Bob Joe")
            try expect(names(Person.findByTagsContainingAndTagsContaining("x", "y")), "Joe")
            try expect(names(Person.findByTagsContainingOrName("x", "Ann")), "Ann Joe")
        }
    }

    @Test func `IsEmpty and IsNotEmpty apply to collections and inverses`() throws {
        try LinkModel.with { _, all throws in
            try expect(names(Person.findByTagsIsEmpty()), "Ann Bob")
            try expect(names(Person.findByTagsIsNotEmpty()), "Joe")
            try expect(names(Person.findBy.tags(isEmpty: true)), "Ann Bob")
            try expect(names(Person.findBy.tags(isEmpty: false)), "Joe")
            // A nil collection also counts as empty.
            try expect(names(Person.findByColoursIsEmpty()), "Bob Joe")
            try expect(names(Person.findByPetsIsEmpty()), "Ann Bob")
            try expect(names(Person.findByPetsIsNotEmpty()), "Joe")
            try expect(names(Person.findBy.clubs(isEmpty: true)), "Ann")
            try expect(names(Person.findByFriendsIsNotEmptyAndName("Bob")), "Bob")
            try expect(Person.countBy.pets(isEmpty: true), 2)
            all.rex.owner = nil
            try all.rex.save()
            try expect(names(Person.findByDogsIsEmpty()), "Ann Bob Joe")
            try expect(Person.deleteBy.colours(isEmpty: false), 1)
            try expect(Person.deleteBy.tags(containing: "x"), 1)
        }
    }

    @Test func `a one-to-one inverse can be compared with an object or nil`() throws {
        try LinkModel.with { _, all throws in
            try expect(names(Person.findByPassport(all.passport)), "Ann")
            try expect(names(Person.findByPassport(nil)), "Bob Joe")
            try expect(names(Person.findBy.passport(all.passport)), "Ann")
            try expect(names(Person.findBy.passport(nil)), "Bob Joe")
            try expect(names(Person.findByPassportIsEmpty()), "Bob Joe")
        }
    }

    @Test func `an inverse of a subclass contains only rows of that subclass`() throws {
        try LinkModel.with { _, all throws in
            try expect(names(Person.findByDogsIsNotEmpty()), "Joe")
            try expect(names(Person.findByDogsName("Rex")), "Joe")
            try expect(names(Person.findByDogsName(nil)), "")
            try expect(names(Person.findByPetsName(nil)), "Joe")
            try all.rex.delete()
            try expect(names(Person.findByDogsIsEmpty()), "Ann Bob Joe")
        }
    }

    @Test func `operators that do not apply to the property are refused`() throws {
        try LinkModel.with { session, all throws in
            func refusal(
                _ finder: String, _ property: String, _ operation: String, isCollection: Bool
            ) -> FinderError {
                .wrongOperator(
                    className: "Person", finder: finder, property: property, operation: operation,
                    isCollection: isCollection)
            }
            let log = statements(of: session) {
                #expect(throws: refusal("findByTags", "tags", "", isCollection: true)) {
                    try Person.findByTags(["x"]) as [Person]
                }
                #expect(throws: refusal("findByPets", "pets", "", isCollection: true)) {
                    try Person.findByPets(all.rex) as [Person]
                }
                #expect(throws: refusal("findByEmployerStaff", "employer.staff", "", isCollection: true)) {
                    try Person.findByEmployerStaff(nil) as [Person]
                }
                #expect(throws: refusal("findByAgeContaining", "age", "Containing", isCollection: false)) {
                    try Person.findByAgeContaining(1) as [Person]
                }
                #expect(throws: refusal("findByAgeIsEmpty", "age", "IsEmpty", isCollection: false)) {
                    try Person.findByAgeIsEmpty() as [Person]
                }
                #expect(throws: refusal("findByEmployerIsNotEmpty", "employer", "IsNotEmpty", isCollection: false)) {
                    try Person.findByEmployerIsNotEmpty() as [Person]
                }
                let typed = #expect(throws: QueryError.self) { try Person.findBy.tags(["x"]) }
                #expect(typed?.description.contains("Person.tags is a collection") == true)
            }
            #expect(log.isEmpty)
            #expect(
                "\(refusal("findByTags", "tags", "", isCollection: true))"
                    == """
                    Person.findByTags: tags has elements and cannot be compared as a whole. \
                    Use Containing, IsEmpty or IsNotEmpty
                    """)
            #expect(
                "\(refusal("findByAgeIsEmpty", "age", "IsEmpty", isCollection: false))"
                    == "Person.findByAgeIsEmpty: age has a type that does not support IsEmpty")
        }
    }
}
