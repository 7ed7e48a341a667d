import TestSupport
import Testing

@testable import PersistentObjects

/// The meaning of finder names.
struct FinderParserTests {
    /// Plausible property names that conflict with words of the grammar.
    private static let person = [
        "id", "lastName", "age", "organization", "order", "island", "isActive", "brand", "score", "android", "by",
        "and", "or", "equals", "is", "first", "find", "all", "url", "x",
    ]
    private let parser = FinderParser(className: "Person", properties: person)

    @Test(arguments: [
        ("findByLastName", "lastName = ?"), ("findByLastNameAndAge", "lastName = ? and age = ?"),
        ("findByLastNameOrAge", "lastName = ? or age = ?"), ("findByAgeAndAge", "age = ? and age = ?"),
        ("findByAgeIs", "age = ?"), ("findByAgeEqual", "age = ?"), ("findByAgeEqualsAndXIs", "age = ? and x = ?"),
        ("findById", "id = ?"), ("findByID", "id = ?"), ("findByIDIsOrIdEquals", "id = ? or id = ?"),
        ("findByOrganization", "organization = ?"),
        ("findByOrganizationOrOrganization", "organization = ? or organization = ?"), ("findByOrder", "order = ?"),
        ("findByOrderOrOr", "order = ? or or = ?"), ("findByOr", "or = ?"), ("findByOrOrOr", "or = ? or or = ?"),
        ("findByAnd", "and = ?"), ("findByAndAndAnd", "and = ? and and = ?"),
        ("findByAndOrOrAndAnd", "and = ? or or = ? and and = ?"), ("findByIsland", "island = ?"),
        ("findByIsActive", "isActive = ?"), ("findByIsActiveIs", "isActive = ?"), ("findByIs", "is = ?"),
        ("findByIsIs", "is = ?"), ("findByIsAndIsActive", "is = ? and isActive = ?"),
        ("findByBrandAndAndroid", "brand = ? and android = ?"), ("findByScoreOrBrand", "score = ? or brand = ?"),
        ("findByBy", "by = ?"), ("findByByAndBy", "by = ? and by = ?"), ("findByEquals", "equals = ?"),
        ("findByEqualsEquals", "equals = ?"),
        ("findByEqualsAndEqualsEqualAndIs", "equals = ? and equals = ? and is = ?"), ("findByFirst", "first = ?"),
        ("findAllByAll", "all = ?"), ("findByFind", "find = ?"), ("findByUrl", "url = ?"),
    ])
    func `a valid name has one reading`(name: String, reading: String) throws {
        try expect(meaning(parser, name), reading)
    }

    @Test func `the first words of a name determine the subject`() throws {
        let subjects: [(String, ParsedFinder.Subject)] = [
            ("find", .find), ("findAll", .find), ("findFirst", .first(nil)), ("findFirst1", .first(1)),
            ("findFirst10", .first(10)), ("findFirst9223372036854775807", .first(.max)), ("count", .count),
            ("exists", .exists), ("delete", .delete),
        ]
        for (name, subject) in subjects { try expect(parser.parse(name + "ByFirst").subject, subject) }
    }

    @Test func `And binds tighter than Or`() throws {
        let parsed = try parser.parse("findByAgeAndXOrBrandOrScoreAndUrlAndBy")
        let places = parsed.alternatives.map { $0.map { Self.person[$0.path[0]] } }
        expect(places, [["age", "x"], ["brand"], ["score", "url", "by"]])
        expect(parsed.alternatives.map { $0.map(\.firstArgument) }, [[0, 1], [2], [3, 4, 5]])
        expect(parsed.argumentCount, 6)
    }

    @Test func `a parsed finder contains the indexes of the given properties`() throws {
        let parsed = try FinderParser(className: "P", properties: ["a", "id", "b"]).parse("findFirst2ByBAndIDOrA")
        let first = [(2, 0), (1, 1)].map {
            ParsedFinder.Criterion(path: [$0], comparison: FinderComparison(.equal), firstArgument: $1)
        }
        let second = ParsedFinder.Criterion(path: [0], comparison: FinderComparison(.equal), firstArgument: 2)
        expect(parsed, ParsedFinder(subject: .first(2), alternatives: [first, [second]], argumentCount: 3))
    }

    @Test(arguments: [
        (["name", "age", "nameAndAge"], "findByNameAndAge", ["nameAndAge = ?", "name = ? and age = ?"]),
        (["name", "nameIs"], "findByNameIs", ["nameIs = ?", "name = ?"]),
        (["a", "b", "aOrB"], "findByBAndAOrB", ["b = ? and aOrB = ?", "b = ? and a = ? or b = ?"]),
        (["or", "orOrOr"], "findByOrOrOr", ["orOrOr = ?", "or = ? or or = ?"]),
        (["name", "nameAnd", "is"], "findByNameAndIs", ["nameAnd = ?", "name = ? and is = ?"]),
        (["éa", "Éa"], "findByÉa", ["éa = ?", "Éa = ?"]),
        (["name", "Name"], "findByName", ["name = ?", "Name = ?"]),
    ])
    func `a name with two readings throws an error with both`(properties: [String], name: String, readings: [String]) {
        let parser = FinderParser(className: "Person", properties: properties)
        #expect(throws: FinderError.ambiguous(className: "Person", finder: name, readings: readings)) {
            try parser.parse(name)
        }
    }

    @Test func `a name with only one complete reading is accepted`() throws {
        let parser = FinderParser(className: "P", properties: ["name", "nameIs", "nameAnd", "age", "is"])
        try expect(meaning(parser, "findByNameIsIs"), "nameIs = ?")
        try expect(meaning(parser, "findByNameEquals"), "name = ?")
        try expect(meaning(parser, "findByNameAndAndAge"), "nameAnd = ? and age = ?")
        try expect(meaning(parser, "findByNameAndAge"), "name = ? and age = ?")
    }

    @Test(arguments: [
        (["straße"], "findByStraße", "straße = ?"),
        (["über", "name"], "findByÜberAndName", "über = ? and name = ?"),
        (["名前", "年齢"], "findBy名前And年齢", "名前 = ? and 年齢 = ?"),
        (["имя"], "findByИмя", "имя = ?"),
        (["ßa"], "findBySSa", "ßa = ?"),
        (["🍏", "🍏🍎"], "findBy🍏🍎Or🍏", "🍏🍎 = ? or 🍏 = ?"),
        (["👩‍🚀", "👩"], "findBy👩And👩‍🚀", "👩 = ? and 👩‍🚀 = ?"),
        (["full name", "1st"], "findByFull nameAnd1st", "full name = ? and 1st = ?"),
        (["_private", "snake_case"], "findBy_privateAndSnake_case", "_private = ? and snake_case = ?"),
        (["x\" INT); DROP TABLE t; --"], "findByX\" INT); DROP TABLE t; --", "x\" INT); DROP TABLE t; -- = ?"),
    ])
    func `property names can be in any script`(properties: [String], name: String, reading: String) throws {
        try expect(meaning(FinderParser(className: "P", properties: properties), name), reading)
    }

    @Test func `a name matches composed and decomposed accents`() throws {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        for property in [composed, decomposed] {
            let parser = FinderParser(className: "P", properties: ["\u{E9}t\u{E9}", property])
            for spelling in ["Caf\u{E9}", "Cafe\u{301}"] {
                try expect(parser.parse("findBy\(spelling)").alternatives[0][0].path, [1])
                let both = try parser.parse("findBy\(spelling)AndE\u{301}t\u{E9}")
                expect(both.alternatives[0].map { $0.path[0] }, [1, 0])
            }
        }
    }

    @Test(arguments: [
        "", "By", "find", "findBy", "findAge", "FindByAge", "find ByAge", "findByage", "findByAge ", " findByAge",
        "findByAge\0", "findBy\0Age", "findBy\0", "findBy\" OR 1=1 --", "findByAge; DROP TABLE person", "findByAge'",
        "findByAgeAnd", "findByAgeOr", "findByOrAge", "findByAgeAndAndX", "findByAgeAndOr ", "findByAgeIsIs",
        "findByFoo", "findByAgeFoo", "findByAndx", "findFirst0ByAge", "findFirst00ByAge",
        "findFirst9223372036854775808ByAge", "findFirst-1ByAge", "findFirst١ByAge", "find10ByAge", "findFirst10",
        "findAll10ByAge", "count1ByAge", "findAllFirstByAge", "findByAgeAndand", "findBy_Age", "finDByAge",
        "findByÉge", "\u{FEFF}findByAge", "findByAge\u{301}",
    ])
    func `a name that is not understood completely is refused`(name: String) {
        #expect(throws: FinderError.self) { try parser.parse(name) }
    }

    @Test func `an empty property name matches nothing`() throws {
        let parser = FinderParser(className: "P", properties: ["", "a"])
        try expect(meaning(parser, "findByA"), "a = ?")
        #expect(throws: FinderError.self) { try parser.parse("findBy") }
        #expect(throws: FinderError.self) { try FinderParser(className: "P", properties: []).parse("findByA") }
    }
}

func meaning(_ parser: FinderParser, _ name: String) throws -> String {
    parser.text(of: try parser.parse(name))
}
