import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Finders whose names and key paths follow links.
struct PathFinderTests {
    typealias Person = LinkModel.Person
    typealias Company = LinkModel.Company
    typealias Pet = LinkModel.Pet

    /// Has property names that look like paths.
    final class Own: PersistentObject {
        override class var tableName: String { "own" }
        var employer: Company?
        var employerName = ""
        var employerCountry: LinkModel.Country?
    }

    private func names(_ people: [Person]) -> String { LinkModel.names(people) }

    @Test func `a path follows references`() throws {
        try LinkModel.with { _, all throws in
            try expect(names(Person.findByEmployerName("Acme")), "Joe")
            try expect(names(Person.findByEmployer_Name("Acme")), "Joe")
            try expect(names(Person.findByEmployerCountryName("France")), "Joe")
            try expect(names(Person.findByEmployer_Country_Name("France")), "Joe")
            try expect(names(Person.findByEmployerCountry(all.france)), "Joe")
            try expect(names(Person.findByMentorMentorName("Joe")), "Bob")
            try expect(names(Person.findByMentorMentorEmployerCountryCode("FR")), "Bob")
            try expect(names(Person.findByEmployerSizeAndEmployerName(10, "Acme")), "Joe")
            try expect(names(Person.findByEmployerSizeOrMentorName(10, "Joe")), "Ann Joe")
            try expect(names(Person.findByEmployerTagsContaining("big")), "Joe")
            try expect(names(Person.findByEmployerTagsIsNotEmpty()), "Joe")
            try expect(names(Person.findByEmployerID(all.acme.id)), "Joe")
            try expect(names(Person.findByMentorEmployerId(all.globex.id)), "Bob")
            try expect(Person.countByEmployerName("Acme"), 1)
            try expect(Person.existsByMentorName("Joe"), true)
            #expect(try Person.findFirstByMentorName("Ann") === all.bob)
            try expect(Person.deleteByEmployerName("Acme"), 1)
        }
    }

    @Test func `an id at the end of a path requires a number`() throws {
        try LinkModel.with { _, all throws in
            let id = try #require(all.joe.employer?.id)
            #expect(try names(Person.findByEmployerId(id)) == "Joe")
            for text in ["\(id)", "x", ""] {
                #expect(throws: FinderError.self) { try Person.findByEmployerId(text) }
                #expect(throws: FinderError.self) { try Person.findById(text) }
                #expect(throws: FinderError.self) { try Person.findByEmployerIdAndName(text, "Joe") }
            }
        }
    }

    @Test func `a path through a collection or an inverse matches any of its objects`() throws {
        try LinkModel.with { _, all throws in
            try expect(names(Person.findByPetsName("Rex")), "Joe")
            try expect(names(Person.findByPetsAge(4)), "Joe")
            try expect(names(Person.findByFriendsName("Joe")), "Bob")
            try expect(names(Person.findByRolesName("Acme")), "Bob")
            try expect(names(Person.findByClubsName("Chess")), "Bob Joe")
            try expect(names(Person.findByPassportNumber(7)), "Ann")
            try expect(names(Person.findByFriendsFriendsName("Bob")), "Bob")
            try expect(names(Person.findByFriendsEmployerCountryName("France")), "Bob")
            try expect(names(Person.findByFriendsPetsName("Rex")), "Bob")
            try expect(names(Person.findByEmployerStaffName("Joe")), "Joe")
            try expect(names(Person.findByClubsMembersClubsName("Chess")), "Bob Joe")
            try expect(Pet.findByOwnerEmployerName("Acme").count, 2)
            try expect(LinkModel.Dog.findByOwnerName("Joe"), [all.rex])
        }
    }

    @Test func `nil also matches a missing object, as in optional chaining`() throws {
        try LinkModel.with { _, all throws in
            #expect(try names(Person.findByEmployerName(nil)) == "Ann Bob")
            #expect(names(all.people.filter { $0.employer?.name == nil }) == "Ann Bob")
            #expect(try names(Person.findByEmployerCountryName(nil)) == "Ann Bob")
            #expect(try names(Person.findByEmployerCountry(nil)) == "Ann Bob")
            // The property is never nil, so only people without an employer match.
            #expect(try names(Person.findByEmployerSize(nil)) == "Bob")
            #expect(try names(Person.findByEmployerId(nil)) == "Bob")
            #expect(try names(Person.findByMentorEmployerSize(nil)) == "Joe")
            #expect(try names(Person.findByPassportNumber(nil)) == "Bob Joe")
            // Matches if any of several objects has nil, not if there is no object.
            #expect(try names(Person.findByPetsName(nil)) == "Joe")
            #expect(try names(Person.findByFriendsEmployerName(nil)) == "Bob Joe")
            #expect(try names(Person.findByEmployerStaffAge(nil)) == "Ann")
            #expect(try names(Person.findByEmployerNameOrMentorName(nil, "Joe")) == "Ann Bob")
            #expect(try names(Person.findByEmployerNameOrMentorName("Acme", nil)) == "Joe")
            #expect(try names(Person.findByEmployerNameOrMentorName("Acme", "Joe")) == "Ann Joe")
            #expect(throws: FinderError.self) { try Person.findByPetsAge(nil) as [Person] }
        }
    }

    @Test func `typed paths find the same objects and run the same SQL`() throws {
        try LinkModel.with { session, all throws in
            try expect(names(Person.findBy.employer.name("Acme")), "Joe")
            try expect(names(Person.findBy.employer.name(nil)), "Ann Bob")
            try expect(names(Person.findBy.employer.size(nil)), "Bob")
            try expect(names(Person.findBy.employer.country.code("FR")), "Joe")
            try expect(names(Person.findBy.employer.country(all.france)), "Joe")
            try expect(names(Person.findBy.employer.tags(containing: "big")), "Joe")
            try expect(names(Person.findBy.employer.id(all.acme.id)), "Joe")
            try expect(names(Person.findBy.pets.name("Rex")), "Joe")
            try expect(names(Person.findBy.pets.age(4)), "Joe")
            try expect(names(Person.findBy.friends.employer.name("Acme")), "Bob")
            try expect(names(Person.findBy.roles.name("Acme")), "Bob")
            try expect(names(Person.findBy.passport.number(7)), "Ann")
            try expect(names(Person.findBy.clubs.name("Chess")), "Bob Joe")
            try expect(Person.countBy.employer.name("Acme"), 1)
            #expect(try Person.existsBy.mentor.mentor.name("Joe"))
            #expect(try Person.findFirstBy.employer.name("Acme") === all.joe)
            #expect(try Person.findOnlyBy.employer.name("Acme") === all.joe)
            let typed = try statements(of: session) { _ = try Person.findBy.employer.name("Acme") }
            let named = try statements(of: session) { _ = try Person.findByEmployerName("Acme") }
            expect(typed, named)
            try Person.deleteBy.employer.name("Acme")
            try expect(Person.count(), 2)
        }
    }

    @Test(.onSQLite("PostgreSQL does not explain queries yet"))
    func `a path uses the indexes of all its tables`() throws {
        try LinkModel.with { session, _ throws in
            let all = try statements(of: session) { _ = try Person.findByEmployerCountryCode("x") }
            let log = all.filter { $0.hasPrefix("SELECT") }
            #expect(
                log[0].hasSuffix(
                    """
                     FROM "person" JOIN "company" AS " 1" ON " 1"."id" = "person"."employer_id" \
                    JOIN "country" AS " 2" ON " 2"."id" = " 1"."country_id" WHERE " 2"."code" = ?1
                    """), "\(log[0])")
            let plan = try queryPlan(of: log[0], session.connection)
            expect(plan.count { $0.contains("SEARCH") && $0.contains("INDEX") }, 3, "\(plan)")
        }
    }

    @Test func `a property of the class takes precedence over a path`() throws {
        try withTemporarySession { _, _ throws in
            let company = Company()
            company.name = "Acme"
            let own = Own()
            (own.employer, own.employerName) = (company, "Other")
            try own.save()
            try expect(Own.findByEmployerName("Other"), [own])
            #expect(try Own.findByEmployerName("Acme").isEmpty)
            try expect(Own.findByEmployer_Name("Acme"), [own])
            // The path with fewer links wins: employerCountry.name, not employer.country.name.
            try expect(Own.findByEmployerCountryName(nil), [own])
            #expect(try Own.findByEmployer_Country_Name("x").isEmpty)
        }
    }
}
