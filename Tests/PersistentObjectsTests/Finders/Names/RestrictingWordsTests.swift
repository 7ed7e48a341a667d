import Testing

@testable import PersistentObjects

/// Words before `By` that seem to restrict the result are refused with a suggestion.
struct RestrictingWordsTests {
    private let model = GrammarModel.people

    @Test(arguments: [
        // Property names and their opposites.
        ("findActiveByAge", "Active", "findByAgeAndIsActiveTrue"),
        ("findNotActiveByAge", "NotActive", "findByAgeAndIsActiveFalse"),
        ("findInactiveByAge", "Inactive", "findByAgeAndIsActiveFalse"),
        ("findInActivePeopleByAge", "InActive", "findByAgeAndIsActiveFalse"),
        ("findActivePeopleByAge", "Active", "findByAgeAndIsActiveTrue"),
        ("findFirst3IsActivePeopleByAgeOrderByAgeDesc", "IsActive", "findFirst3ByAgeAndIsActiveTrueOrderByAgeDesc"),
        ("countActiveByLastNameAllIgnoreCase", "Active", "countByLastNameAndIsActiveTrueAllIgnoreCase"),
        ("listActiveOrderByAge", "Active", "listByIsActiveTrueOrderByAge"),
        ("existsActiveByAgeOrLastName", "Active", "…AndIsActiveTrue"),
        ("findAgeByLastName", "Age", "findByLastNameAndAge, or query.values(of:) for its values"),
        ("findLastNameByAge", "LastName", "findByAgeAndLastName, or query.values(of:) for its values"),
        ("findFirstAgeByLastName", "Age", "findFirstByLastNameAndAge, or query.values(of:) for its values"),
        ("findPeopleNotAgeByLastName", "NotAge", "findByLastNameAndAgeNot"),
        ("findMaxAgeByLastName", "MaxAge", "maxOfAgeByLastName"),
        ("findMinimumAgeByLastName", "MinimumAge", "minOfAgeByLastName"),
        // Ranks, numbers and negations.
        ("findOldestByLastName", "Oldest", "findFirstByLastNameOrderBy…Desc"),
        ("findMostRecentPeopleByAge", "Most", "findFirstByAgeOrderBy…Desc"),
        ("findLatestByLastNameOrderByAge", "Latest", "findFirstByLastNameOrderByAge"),
        ("findAnyByAge", "Any", "findFirstByAge, findOnlyByAge or existsByAge"),
        ("countUniqueByAge", "Unique", "findFirstByAge, findOnlyByAge or existsByAge"),
        ("findPeopleWithoutByAge", "Without", "…And…Not or …And…False"),
        ("findDeletedByAge", "Deleted", "…And…True or …And…False"),
        ("findOrCreateActiveByLastName", "Active", "…AndIsActiveTrue"),
        // Delete finders accept no description.
        ("deletePeopleByLastName", "People", "deleteByLastName"),
        ("removeAllPersonsByAge", "Persons", "removeAllByAge"),
        ("deleteOldestByLastName", "Oldest", "deleteByLastNameOrderBy…Desc with .limit(1)"),
        ("deleteFirstByLastName", "First", "deleteByLastNameOrderBy…Desc with .limit(1)"),
        ("deleteAllButFirstByLastName", "But", "…And…Not or …And…False"),
        ("deleteOneByLastName", "One", "deleteByLastNameOrderBy…Desc with .limit(…)"),
        ("deleteInactiveByLastName", "Inactive", "deleteByLastNameAndIsActiveFalse"),
        ("eraseNotActiveByLastName", "NotActive", "eraseByLastNameAndIsActiveFalse"),
        ("deleteNotLastNameByAge", "NotLastName", "deleteByAgeAndLastNameNot"),
    ])
    func `a word before By that seems to restrict the result is refused`(name: String, part: String, use: String) {
        let start = name.firstRange(of: part).map { name.distance(from: name.startIndex, to: $0.lowerBound) } ?? 0
        let mark = String(repeating: " ", count: start) + "^" + String(repeating: "~", count: part.count - 1)
        #expect(
            model.meaning(name) == """
                Person.\(name): "\(part)" is not allowed here. Words before By do not restrict the result. Write \(use)
                    \(name)
                    \(mark)
                """)
    }

    @Test(arguments: ["deleteFirst3ByAge", "deleteDistinctPeopleByAge", "removeAlByAge", "deleteOrCreateByAge"])
    func `a delete finder with an unknown word is refused`(name: String) {
        #expect(throws: FinderError.self) { try model.parser.parse(name) }
    }

    @Test(arguments: [
        "findPersonsActivationsByAge", "findGuestsByAge", "findRequestByAge", "findPageByAge", "findButtonsByAge",
        "findInterestsByAge", "findUnderageByAge", "findNotesByAge", "findAnyoneByAge", "findUnitsByAge",
        "findInmatesByAge", "findMinorsByAge", "findMaximaByAge",
    ])
    func `a noun that only resembles a restricting word is accepted`(name: String) throws {
        #expect(try model.parser.parse(name) == model.parser.parse("findByAge"))
    }

    @Test func `a suggested name contains the property of the refused word`() throws {
        let finder = try model.parser.parse("findByAgeAndIsActiveFalse")
        #expect(model.parser.text(of: finder) == "age = ? and isActive is false")
    }
}
