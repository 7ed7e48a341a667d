@_spi(Locks) import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// The meaning of names with paths, independent of stored classes.
struct PathParserTests {
    /// Properties by class name. A property whose name is in `links` refers to the class named there.
    private static let classes = [
        "Person": ["name", "age", "employer", "employerCountry", "mentor", "pets", "pet_sitter", "id"],
        "Company": ["name", "size", "country", "countryName", "staff", "_code", "island", "id"],
        "Country": ["name", "code", "id"],
        "Pet": ["name", "owner", "id"],
    ]
    private static let links = [
        "employer": "Company", "employerCountry": "Country", "mentor": "Person", "pets": "Pet", "country": "Country",
        "staff": "Person", "owner": "Person",
    ]

    private final class Model: Sendable {
        private let known = Locked<[String: FinderVocabulary]>([:])
        let asked = Locked<Set<String>>([])
        /// The number of link lookups, both while parsing and while composing an error.
        let lookups = Locked(0)

        func vocabulary(_ name: String) -> FinderVocabulary {
            if let known = known.withLock({ $0[name] }) { return known }
            asked.withLock { _ = $0.insert(name) }
            let properties = classes[name] ?? []
            let made = FinderVocabulary(
                className: name, properties: properties,
                links: Set(properties.indices.filter { links[properties[$0]] != nil })
            ) { [unowned self] place in
                lookups.withLock { $0 += 1 }
                return links[properties[place]].map { vocabulary($0) }
            }
            known.withLock { $0[name] = made }
            return made
        }
    }

    private let model = Model()

    private func meaning(_ name: String) throws -> String {
        let parser = FinderParser(model.vocabulary("Person"))
        return parser.text(of: try parser.parse(name))
    }

    private func message(_ name: String) -> String {
        do { return try meaning(name) } catch { return "\(error)" }
    }

    @Test(arguments: [
        ("findByEmployer", "employer = ?"), ("findByEmployerIs", "employer = ?"),
        ("findByEmployerName", "employer.name = ?"), ("findByEmployer_Name", "employer.name = ?"),
        ("findByEmployerNameIs", "employer.name = ?"), ("findByEmployerID", "employer.id = ?"),
        ("findByEmployerNameAndAge", "employer.name = ? and age = ?"),
        ("findByEmployerNameOrMentorEmployerSize", "employer.name = ? or mentor.employer.size = ?"),
        ("findByMentorMentorMentorName", "mentor.mentor.mentor.name = ?"),
        ("findByMentor_Mentor_Mentor", "mentor.mentor.mentor = ?"),
        ("findByPetsOwnerPetsName", "pets.owner.pets.name = ?"),
        ("findByEmployerStaffIsEmpty", "employer.staff is empty"),
        ("findByEmployerIsland", "employer.island = ?"), ("findByEmployer_code", "employer._code = ?"),
        ("findByEmployerCountryCode", "employerCountry.code = ?"),
        ("findByEmployer_CountryName", "employer.countryName = ?"),
        ("findByEmployerCountry_Name", "employerCountry.name = ?"),
        ("findByEmployer_Country_Name", "employer.country.name = ?"),
        ("findByEmployerCountry", "employerCountry = ?"), ("findByEmployer_Country", "employer.country = ?"),
        ("findByPet_sitter", "pet_sitter = ?"),
    ])
    func `a name can follow links`(name: String, reading: String) {
        expect(message(name), reading)
    }

    @Test func `two readings with the same number of steps throw an error that shows both`() {
        #expect(
            message("findByEmployerCountryName") == """
                Person.findByEmployerCountryName: can be read as "employerCountry.name = ?" or as \
                "employer.countryName = ?". Use criteria text to specify the meaning
                """)
    }

    @Test func `classes that a name does not reach are not loaded`() throws {
        _ = try meaning("findByNameAndAge")
        expect(model.asked.withLock { $0 }, ["Person"])
        _ = try meaning("findByEmployerName")
        expect(model.asked.withLock { $0 }, ["Person", "Company"])
    }

    @Test(arguments: [
        (
            "findByEmployerNme",
            """
            Person.findByEmployerNme: no property of Company matches "Nme" after employer; did you mean employer.name?
                findByEmployerNme
                              ^~~
            """
        ),
        (
            "findByMentorEmployer_Nmae",
            """
            Person.findByMentorEmployer_Nmae: no property of Company matches "Nmae" after mentor.employer; \
            did you mean mentor.employer.name?
                findByMentorEmployer_Nmae
                                     ^~~~
            """
        ),
        (
            "findByEmployerXyz",
            """
            Person.findByEmployerXyz: no property of Company matches "Xyz" after employer
                findByEmployerXyz
                              ^~~
            """
        ),
        (
            "findByEmployerEqul",
            """
            Person.findByEmployerEqul: no operator matches "Equl" after employer; did you mean Equal?
                findByEmployerEqul
                              ^~~~
            """
        ),
        (
            "findByEmployerNameEqul",
            """
            Person.findByEmployerNameEqul: no operator matches "Equl" after employer.name; did you mean Equal?
                findByEmployerNameEqul
                                  ^~~~
            """
        ),
        (
            "findByEmplyerName",
            """
            Person.findByEmplyerName: no property matches "EmplyerName"; did you mean employer.name?
                findByEmplyerName
                      ^~~~~~~~~~~
            """
        ),
        (
            "findByEmployer_",
            """
            Person.findByEmployer_: a property of Company must follow employer here
                findByEmployer_
                               ^
            """
        ),
    ])
    func `the unknown part of a path is underlined`(name: String, text: String) {
        expect(message(name), text)
    }

    @Test(arguments: ["MentorMentor", "Mentor_Mentor_", "EmployerStaff", "Pets_Owner"])
    func `parsing work grows linearly with the length of a path, for valid and invalid names`(piece: String) throws {
        for end in ["Name", "Nxme", ""] {
            try requireLinearWork("\(piece)…\(end)") { count in
                let name = "findBy" + String(repeating: piece, count: count) + end
                let before = model.lookups.withLock { $0 }
                #expect(message(name).utf8.count < 5 * name.utf8.count + 500)
                let lookups = model.lookups.withLock { $0 } - before
                return lookups + FinderParser(model.vocabulary("Person")).work(on: name)
            }
        }
    }
}
