import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentInspector
@testable import PersistentObjects

/// Finders that are compiled from a file's description, compared with the finders of this program.
struct DescribedFinderTests {
    /// A finder of `Worker`: its name, its arguments as the command line has them, and as a program has them.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let arguments: @Sendable () -> [Any?]
        var testDescription: String { "\(name)(\(text))" }

        init(_ name: String, _ text: String = "", _ arguments: @autoclosure @escaping @Sendable () -> [Any?] = []) {
            self.name = name
            self.text = text
            self.arguments = arguments
        }
    }

    private static let birth = Date(timeIntervalSinceReferenceDate: 3 * 86400)

    private static let cases: [Case] = [
        Case("findByLastName", "\"Smith\"", ["Smith"]),
        Case("findByLastName", "'O\\'Neil'", ["O'Neil"]),
        Case("findByLastNameIgnoreCase", "\"SMITH\"", ["SMITH"]),
        Case("findByLastNameLike", "\"%mi%\"", ["%mi%"]),
        Case("findByLastNameNotLike", "\"S%\"", ["S%"]),
        Case("findByLastNameStartingWith", "\"100%\"", ["100%"]),
        Case("findByLastNameEndingWithIgnoreCase", "\"TH\"", ["TH"]),
        Case("findByLastNameContaining", "\"rge\"", ["rge"]),
        Case("findByLastNameMatches", "\"^[SJ].*\"", ["^[SJ].*"]),
        Case("findByLastNameIn", "[\"Smith\", \"Jones\"]", [["Smith", "Jones"]]),
        Case("findByNickname", "nil", [nil]),
        Case("findByNicknameIsNull"), Case("findByNicknameIsNotNull"),
        Case("findByNicknameNot", "\"nick_1\"", ["nick_1"]),
        Case("findByAge", "25", [25]),
        Case("findByAgeBetween", "22, 25", [22, 25]), Case("findByAgeInRange", "22..<25", [22..<25]),
        Case("findByAgeInRange", "...25", [...25]), Case("findByAgeGreaterThan", "25", [25]),
        Case("findByAgeIn", "[20, 21]", [[20, 21]]), Case("findByAgeNotIn", "[20, 21]", [[20, 21]]),
        Case("findByAgeOrLastName", "20, \"Jones\"", [20, "Jones"]),
        Case("findByAgeAndLastNameOrNickname", "20, \"Smith\", nil", [20, "Smith", nil]),
        Case("findBySmall", "3", [3]), Case("findBySmallLessThan", "5", [5]),
        Case("findByIsActiveTrue"), Case("findByIsMemberFalse"), Case("findByIsMember", "true", [true]),
        Case("findByHeightGreaterThanEqual", "1.75", [1.75]), Case("findByWeight", "1.5", [1.5]),
        Case("findByBorn", "\"2001-01-04\"", [birth]), Case("findByBornBefore", "\"2001-01-04T00:00:00Z\"", [birth]),
        Case("findByDiedIsNull"), Case("findByDied", "nil", [nil]),
        Case(
            "findByToken", "\"6BA7B810-9DAD-41D1-80B4-00C04FD43003\"",
            [UUID(uuidString: "6BA7B810-9DAD-41D1-80B4-00C04FD43003")]),
        Case("findBySite", "\"https://example.org/4\"", [URL(string: "https://example.org/4")]),
        Case("findByPhoto", "\"03AB\"", [Data([3, 0xAB])]), Case("findByInitial", "\"S\"", ["S" as Character]),
        Case("findByBalance", "3.25", [Decimal(string: "3.25")]),
        Case("findByBalanceBetween", "1, 4.25", [Decimal(1), Decimal(string: "4.25")]),
        Case("findByWealth", "\"10000000000000000001.5\"", [Decimal(string: "10000000000000000001.5")]),
        Case("findByWealthGreaterThan", "\"10000000000000000004\"", [Decimal(string: "10000000000000000004")]),
        Case("findByStatus", ".retired", [Status.retired]), Case("findByStatusNot", "\"active\"", [Status.active]),
        Case("findByLevel", "7", [Level.high]), Case("findByLevelIsNull"),
        Case("findByHomeCity", "\"Graz\"", ["Graz"]), Case("findByHomeZipGreaterThan", "8003", [8003]),
        Case("findByEmployer", "1", [PersistentID<Firm>(1)]), Case("findByEmployerIsNull"),
        Case("findByEmployerIn", "[1, 2]", [[PersistentID<Firm>(1), PersistentID<Firm>(2)]]),
        Case("findByEmployerName", "\"Acme\"", ["Acme"]), Case("findByEmployerNameNot", "\"Acme\"", ["Acme"]),
        Case("findByEmployerCityIsNull"), Case("findByEmployerId", "2", [2]),
        Case("findByTagsContaining", "\"t1\"", ["t1"]), Case("findByTagsIsEmpty"),
        Case("findByTagsContainingAll", "[\"t0\", \"t1\"]", [["t0", "t1"]]),
        Case("findByYearsContaining", "1999", [1999]),
        Case("findByYearsContainingAny", "[2002, 2004]", [[2002, 2004]]),
        Case("findByRatingsContaining", "1.5", [1.5]), Case("findByRolesContaining", ".active", [Status.active]),
        Case("findByFriendsContaining", "3", [PersistentID<Worker>(3)]),

        Case("findByFriendsLastName", "\"Smith\"", ["Smith"]), Case("findByFriendsAgeGreaterThan", "20", [20]),
        Case("findDistinctByFriendsEmployerName", "\"Acme\"", ["Acme"]),
        Case("findByEmployerStaffAge", "20", [20]), Case("findByFriendsIsEmpty"), Case("findByBadgeIsNull"),
        Case("findByBadgeCode", "\"B4\"", ["B4"]),
        Case("findByNotes", "\"note 3\"", ["note 3"]),
        Case("findByAgeGreaterThanOrderByLastNameAscAgeDesc", "22", [22]),
        Case("findByIsActiveTrueOrderByBalanceDesc"), Case("findByAgeLessThanOrderByEmployerName", "30", [30]),
        Case("findByIsActiveTrueOrderByWealth"), Case("findById", "4", [4]),
        Case("findFirst3ByAgeGreaterThanOrderByAgeDesc", "21", [21]), Case("findLastByIsActiveTrue"),
        Case("listOrderByAge"),
    ]

    private func described(_ call: String, _ file: InspectedFile) throws -> DescribedFinder {
        let text = try FinderText(call)
        let map = try #require(file.classes.map(of: text.className))
        return try DescribedFinder(text.name, text.arguments, of: map, in: file.classes, file.connection.dialect)
    }

    @Test func `a described finder has the SQL, the values and the results of the program's finder`() throws {
        try withTemporaryStore { _, file in
            let store = try makeStore(file)
            try store.withSession { session in
                let inspected = try InspectedFile(file.path)
                let space = try session.space(of: Worker.self)
                for finder in DescribedFinderTests.cases {
                    let (name, text) = (finder.name, finder.text)
                    do {
                        let plan = try FinderPlan.plan(name, space)
                        let definition = try plan.definition(finder.arguments().map { OptionalValue.flattened($0) })
                        let query = try space.makePlan(definition)
                        let found = try described("Worker.\(name)(\(text))", inspected)
                        let limited =
                            switch plan.parsed.subject {
                            case .find: false
                            default: true
                            }
                        expect(found.sql.text, (limited ? query.selectFirst : query.select).text, "\(name)(\(text))")
                        let expected = try FinderCall(Worker.self, name, finder.arguments()).objects()
                        let answer = try Inspection(file.path, "find", "Worker.\(name)(\(text))", "--json").lines
                        let ids = try answer.map { try id(ofJSON: $0) }
                        expect(ids, expected.map { $0.id ?? 0 }, "\(name)(\(text))")
                    } catch { Issue.record("\(name)(\(text)): \(error)") }
                }
            }
            store.close()
        }
    }

    private func id(ofJSON line: String) throws -> Int64 {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try #require(object?["id"] as? Int64)
    }
}
