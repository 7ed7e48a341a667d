import TestSupport
import Testing

@testable import PersistentObjects

/// Each subject of a name, and the orders at the end of a name.
struct SubjectWordsTests {
    private let model = GrammarModel.people

    private static let endings: [(String, String)] = [
        ("", "find"), ("All", "find"), ("Distinct", "find distinct"), ("AllDistinct", "find distinct"),
        ("DistinctAll", "find distinct"), ("First", "first"), ("First3", "first 3"), ("Top", "first"),
        ("Top10", "first 10"), ("Last", "last"), ("Last2", "last 2"), ("DistinctFirst", "first distinct"),
        ("FirstDistinct", "first distinct"), ("DistinctFirst4", "first 4 distinct"),
        ("First4Distinct", "first 4 distinct"), ("Top7Distinct", "first 7 distinct"),
        ("DistinctLast9", "last 9 distinct"),
    ]

    @Test(arguments: ["find", "read", "query", "search", "retrieve", "stream"])
    func `synonyms of find accept the same words as find`(verb: String) {
        for (ending, meaning) in Self.endings {
            expect(model.meaning(verb + ending + "ByAgeAndLastName"), meaning + ": age = ? and lastName = ?")
        }
    }

    @Test(arguments: [
        ("list", "find"), ("all", "find"), ("getAll", "find"), ("getFirst", "first"), ("getTop5", "first 5"),
        ("findOnly", "only"), ("findSole", "only"), ("get", "only"), ("sole", "only"), ("count", "count"),
        ("countAll", "count"), ("countDistinct", "count distinct"), ("exists", "exists"), ("delete", "delete"),
        ("deleteAll", "delete"), ("remove", "delete"), ("removeAll", "delete"), ("erase", "delete"),
        ("eraseAll", "delete"), ("findOrCreate", "findOrCreate"), ("findOrSave", "findOrCreate"),
        ("findOrInitialize", "findOrInitialize"), ("ids", "ids"),
    ])
    func `the first words of a name determine the subject`(subject: String, meaning: String) {
        expect(model.meaning(subject + "ByAgeAndLastName"), meaning + ": age = ? and lastName = ?")
    }

    @Test(arguments: [
        ("findPeople", "find"), ("findAllPeople", "find"), ("findFirstPerson", "first"),
        ("findTop3OldPeople", "first 3"), ("getLastPerson", "last"), ("findDistinctPeople", "find distinct"),
        ("findPeopleDistinct", "find distinct"), ("findFirst2Distinct", "first 2 distinct"),
        ("findFirst2DistinctPeople", "first 2 distinct"), ("findFirst2PeopleDistinct", "first 2 distinct"),
        ("listTeam", "find"), ("allPeople", "find"), ("getPerson", "only"), ("findOnlyPerson", "only"),
        ("solePerson", "only"), ("countPeople", "count"), ("countPeopleDistinct", "count distinct"),
        ("existsAnyone", "exists"), ("findOrCreatePerson", "findOrCreate"),
        ("findOrInitializeSomebody", "findOrInitialize"), ("streamÄltere", "find"), ("findPersons", "find"),
        ("findBabyboomers", "find"), ("findTopsecret", "find"),
    ])
    func `a description can follow the subject`(subject: String, meaning: String) {
        expect(model.meaning(subject + "ByAgeAndLastName"), meaning + ": age = ? and lastName = ?")
    }

    @Test func `a description can precede an order and does not move the underline`() throws {
        expect(model.meaning("listPeopleOrderByAgeDesc"), "find: all by age descending")
        expect(model.meaning("findFirst3PeopleByOrderByAge"), "first 3: all by age")
        #expect(
            model.meaning("findPeopleByLastNme") == """
                Person.findPeopleByLastNme: no property matches "LastNme"; did you mean lastName?
                    findPeopleByLastNme
                                ^~~~~~~
                """)
        #expect(throws: FinderError.self) { try model.parser.parse("findFirst0PeopleByAge") }
    }

    @Test(arguments: [
        "findFrst", "findFirts3", "findPeopleFirst", "findLats", "findDistinkt", "findOrPerson",
        "findOrCraetePerson", "findpeople", "findOnlyDistinctPerson", "idsPeople", "findAllTop", "findPersonFirst",
        "findFirst3First",
    ])
    func `misspelled or misplaced grammar words are not accepted as a description`(subject: String) {
        #expect(model.meaning(subject + "ByLastName").contains("neither a static member nor a finder"))
    }

    @Test(arguments: ["find", "findAll", "list", "all", "findFirst", "readTop3", "findLast", "delete", "ids"])
    func `a list finder can have an order without criteria`(subject: String) throws {
        let plain = try model.parser.parse(subject + "ByAge").subject
        for order in ["OrderByAgeDescAndEmployerName", "ByOrderByAgeDescEmployerNameAsc"] {
            let finder = try model.parser.parse(subject + order)
            #expect(finder.subject == plain && finder.alternatives.isEmpty && finder.argumentCount == 0)
            expect(model.parser.text(of: finder), "all by age descending, employer.name")
        }
    }

    @Test(arguments: [
        ("OrderByAge", "age"), ("OrderByAgeAsc", "age"), ("OrderByAgeAscending", "age"),
        ("OrderByAgeDesc", "age descending"), ("OrderByAgeDescending", "age descending"),
        ("OrderByID", "id"), ("OrderByIdDesc", "id descending"), ("OrderByEmployerName", "employer.name"),
        ("OrderByEmployer_Name", "employer.name"),
        ("OrderByEmployer_Country_CodeDesc", "employer.country.code descending"),
        ("OrderByMentorMentorAge", "mentor.mentor.age"), ("OrderByAgeAndLastName", "age, lastName"),
        ("OrderByAgeAscLastNameDesc", "age, lastName descending"), ("OrderByAgeAscAndLastName", "age, lastName"),
        ("OrderByAgeDescLastName", "age descending, lastName"),
        ("OrderByAgeAndLastNameDesc", "age, lastName descending"),
        ("OrderByAgeDescAndLastNameAscAndIdDesc", "age descending, lastName, id descending"),
        ("OrderByAgeDescendingLastNameAscendingId", "age descending, lastName, id"),
    ])
    func `a name can end in an order`(order: String, reading: String) {
        expect(model.meaning("findByLastNameIsNotNull" + order), "find: lastName is not nil by \(reading)")
        expect(model.meaning("findFirst3ByAgeOrAge" + order), "first 3: age = ? or age = ? by \(reading)")
    }

    @Test(arguments: [
        ("sum", "sum"), ("total", "total"), ("average", "average"), ("avg", "average"), ("min", "minimum"),
        ("minimum", "minimum"), ("max", "maximum"), ("maximum", "maximum"),
    ])
    func `an aggregate applies to a property of all or some objects`(word: String, aggregate: String) throws {
        expect(model.meaning("\(word)OfAge"), "aggregate: \(aggregate) of age where all")
        expect(model.meaning("\(word)OfID"), "aggregate: \(aggregate) of id where all")
        expect(model.meaning("\(word)OfEmployerSize"), "aggregate: \(aggregate) of employer.size where all")
        expect(model.meaning("\(word)OfAgeByLastName"), "aggregate: \(aggregate) of age where lastName = ?")
        expect(
            model.meaning("\(word)OfEmployer_SizeByAgeBetweenOrPetsNameIn"),
            "aggregate: \(aggregate) of employer.size where age between ? and ? or pets.name in ?")
        let finder = try model.parser.parse("\(word)OfMentorAgeByAge")
        guard case .aggregate(_, let path) = finder.subject else { return #expect(Bool(false)) }
        #expect(path == [7, 2] && finder.alternatives[0][0].path == [2])
    }

    @Test func `the parsed finder contains every part of the name`() throws {
        let finder = try model.parser.parse(
            "findDistinctLast12ByEmployerNameIgnoreCaseAndAgeNotBetweenOrTagsContainingAllOrderByAgeDescEmployer_Name")
        let name = ParsedFinder.Criterion(
            path: [6, 0], comparison: FinderComparison(.equal), ignoresCase: true, firstArgument: 0)
        let age = ParsedFinder.Criterion(
            path: [2], comparison: FinderComparison(.between, isNegated: true), firstArgument: 1)
        let tags = ParsedFinder.Criterion(path: [8], comparison: FinderComparison(.containingAll), firstArgument: 3)
        expect(
            finder,
            ParsedFinder(
                subject: .last(12), isDistinct: true, alternatives: [[name, age], [tags]],
                orders: [.init(path: [2], isDescending: true), .init(path: [6, 0])], argumentCount: 4))
        #expect(try model.parser.parse("findByAgeAllIgnoreCase").ignoresCaseOfTexts)
    }
}
