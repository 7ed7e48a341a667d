import Testing

@testable import PersistentObjects

/// What finder names mean.
struct FinderParserTests {
    /// Names a user may well choose and that a careless grammar trips over.
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
    func `a name has one reading`(name: String, reading: String) throws {
        #expect(try meaning(parser, name) == reading)
    }

    @Test func `the subject says what is done`() throws {
        let subjects: [(String, ParsedFinder.Subject)] = [
            ("find", .find), ("findAll", .find), ("findFirst", .first(nil)), ("findFirst1", .first(1)),
            ("findFirst10", .first(10)), ("findFirst9223372036854775807", .first(.max)), ("count", .count),
            ("exists", .exists), ("delete", .delete),
        ]
        for (name, subject) in subjects { #expect(try parser.parse(name + "ByFirst").subject == subject) }
    }

    @Test func `And binds tighter than Or`() throws {
        let parsed = try parser.parse("findByAgeAndXOrBrandOrScoreAndUrlAndBy")
        let places = parsed.alternatives.map { $0.map { Self.person[$0.path[0]] } }
        #expect(places == [["age", "x"], ["brand"], ["score", "url", "by"]])
        #expect(parsed.alternatives.map { $0.map(\.firstArgument) } == [[0, 1], [2], [3, 4, 5]])
        #expect(parsed.argumentCount == 6)
    }

    @Test func `a parsed finder points into the given properties`() throws {
        let parsed = try FinderParser(className: "P", properties: ["a", "id", "b"]).parse("findFirst2ByBAndIDOrA")
        let first = [(2, 0), (1, 1)].map {
            ParsedFinder.Criterion(path: [$0], operation: .equal, firstArgument: $1)
        }
        let second = ParsedFinder.Criterion(path: [0], operation: .equal, firstArgument: 2)
        #expect(parsed == ParsedFinder(subject: .first(2), alternatives: [first, [second]], argumentCount: 3))
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
    func `two readings are refused and both are shown`(properties: [String], name: String, readings: [String]) {
        let parser = FinderParser(className: "Person", properties: properties)
        #expect(throws: FinderError.ambiguous(className: "Person", finder: name, readings: readings)) {
            try parser.parse(name)
        }
    }

    @Test func `a name that only seems to have two readings is accepted`() throws {
        let parser = FinderParser(className: "P", properties: ["name", "nameIs", "nameAnd", "age", "is"])
        #expect(try meaning(parser, "findByNameIsIs") == "nameIs = ?")
        #expect(try meaning(parser, "findByNameEquals") == "name = ?")
        #expect(try meaning(parser, "findByNameAndAndAge") == "nameAnd = ? and age = ?")
        #expect(try meaning(parser, "findByNameAndAge") == "name = ? and age = ?")
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
    func `property names may be in any script`(properties: [String], name: String, reading: String) throws {
        #expect(try meaning(FinderParser(className: "P", properties: properties), name) == reading)
    }

    @Test func `a name matches whether its accents are composed or not`() throws {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        for property in [composed, decomposed] {
            let parser = FinderParser(className: "P", properties: ["\u{E9}t\u{E9}", property])
            for spelling in ["Caf\u{E9}", "Cafe\u{301}"] {
                #expect(try parser.parse("findBy\(spelling)").alternatives[0][0].path == [1])
                let both = try parser.parse("findBy\(spelling)AndE\u{301}t\u{E9}")
                #expect(both.alternatives[0].map { $0.path[0] } == [1, 0])
            }
        }
    }

    @Test(arguments: [
        "", "By", "find", "findBy", "findAge", "FindByAge", "find ByAge", "findByage", "findByAge ", " findByAge",
        "findByAge\0", "findBy\0Age", "findBy\0", "findBy\" OR 1=1 --", "findByAge; DROP TABLE person", "findByAge'",
        "findByAgeAnd", "findByAgeOr", "findByOrAge", "findByAgeAndAndX", "findByAgeAndOr ", "findByAgeIsIs",
        "findByAgeGreaterThan", "findByFoo", "findByAgeFoo", "findByAndx", "findFirst0ByAge", "findFirst00ByAge",
        "findFirst9223372036854775808ByAge", "findFirst-1ByAge", "findFirst١ByAge", "find10ByAge", "findFirst10",
        "findAll10ByAge", "count1ByAge", "findAllFirstByAge", "findByAgeAndand", "findBy_Age", "finDByAge",
        "findByÉge", "\u{FEFF}findByAge", "findByAge\u{301}",
    ])
    func `a name that is not wholly understood is refused`(name: String) {
        #expect(throws: FinderError.self) { try parser.parse(name) }
    }

    @Test func `no spelling of an operator continues another with a connective`() {
        // Else two readings could mean the same; the chart does not look for that.
        for shorter in FinderGrammar.operators {
            for longer in FinderGrammar.operators where longer.operation == shorter.operation {
                for word in FinderGrammar.connectives {
                    #expect(!longer.spelling.hasPrefix(shorter.spelling + word.spelling))
                }
            }
        }
    }

    @Test func `an empty property name matches nothing`() throws {
        let parser = FinderParser(className: "P", properties: ["", "a"])
        #expect(try meaning(parser, "findByA") == "a = ?")
        #expect(throws: FinderError.self) { try parser.parse("findBy") }
        #expect(throws: FinderError.self) { try FinderParser(className: "P", properties: []).parse("findByA") }
    }
}

private func meaning(_ parser: FinderParser, _ name: String) throws -> String {
    parser.text(of: try parser.parse(name))
}

/// What finder names mean, against a second reader and at random.
struct FinderParserRandomTests {
    private static let pieces = [
        "a", "b", "an", "and", "or", "is", "isA", "equal", "equals", "by", "name", "age", "order", "🍏", "é",
        "full name",
    ]

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `random names mean what a search through all readings says`(seed: UInt64) {
        var random = Seeded(state: seed)
        var counts = (unique: 0, ambiguous: 0)
        for _ in 0..<1000 {
            let properties = randomProperties(&random)
            let parser = FinderParser(className: "P", properties: properties)
            let (criteria, tree) = randomCriteria(of: properties, &random)
            #expect(allReadings(of: Array(criteria.utf8), properties).contains(tree))
            for criteria in [criteria, changed(criteria, &random)] {
                let all = allReadings(of: Array(criteria.utf8), properties)
                do {
                    let parsed = try parser.parse("findBy" + criteria)
                    counts.unique += 1
                    #expect(all == [parsed.alternatives.map { $0.map { $0.path[0] } }], "\(criteria) \(properties)")
                } catch .ambiguous(_, _, let readings) {
                    counts.ambiguous += 1
                    #expect(all.count > 1 && Set(readings).count == 2, "\(criteria) \(properties)")
                } catch {
                    #expect(all.isEmpty, "\(criteria) \(properties)")
                }
            }
        }
        #expect(counts.unique > 900 && counts.ambiguous > 8)
    }

    @Test func `random bytes never trap`() {
        var random = Seeded(state: 7)
        let parser = FinderParser(className: "P", properties: ["id", "a", "and", "or", "is", "é", "🍏", "lastName"])
        let words = [
            "find", "First", "By", "And", "Or", "Is", "Equals", "Id", "A", "É", "🍏", "LastName", "\0", "\"", "9",
        ]
        for _ in 0..<20_000 {
            var bytes: [UInt8] = random.pick([Array("findBy".utf8), []])
            for _ in 0..<random.below(12) {
                bytes += random.pick([Array(random.pick(words).utf8), [UInt8(random.below(256))]])
            }
            do { _ = try parser.parse(String(decoding: bytes, as: UTF8.self)) } catch { _ = error.description }
        }
    }

    @Test func `names of 100 kB are read or refused within a moment`() {
        let parser = FinderParser(
            className: "P", properties: ["id", "and", "or", "andAnd", "orOr", "a", "aa", "is", "é", "lastName"])
        let count = 100_000
        let many = { (text: String) in String(repeating: text, count: count / text.utf8.count) }
        let names = [
            "findBy" + many("LastNameAnd") + "Id", "findBy" + many("LastNmeAnd") + "Id", "findBy" + many("LastNameOr"),
            "findBy" + many("And"), "findBy" + many("AndOr"), "findBy" + many("A"), "findBy" + many("Is"), many("find"),
            "findBy" + many("AndAndOrOr") + "!", "findBy" + many("x"), "findBy" + many("E\u{301}And"), many("By"),
            "findFirst" + many("9") + "ByA", "findFirst" + many("0") + "ByA", "findFirst" + many("1"), many("By"),
            "findByA" + many("\u{301}"), "findBy" + many("LastNameEquls"), "findByIdIs" + many("And"),
        ]
        for name in names {
            let time = ContinuousClock().measure {
                do { _ = try parser.parse(name) } catch { #expect("\(error)".utf8.count < 2_000) }
            }
            #expect(time < .seconds(10), "\(name.prefix(30))")
        }
    }

    private func randomProperties(_ random: inout Seeded) -> [String] {
        var properties: [String] = []
        for _ in 0...random.below(7) {
            var name = random.pick(Self.pieces)
            for _ in 0..<random.below(3) { name += FinderGrammar.token(of: random.pick(Self.pieces)) }
            if !properties.isEmpty, random.below(2) == 0 {
                name = random.pick(properties) + random.pick(["And", "Or"]) + FinderGrammar.token(of: name)
            }
            if !properties.contains(name) { properties.append(name) }
        }
        return properties
    }

    private func randomCriteria(of properties: [String], _ random: inout Seeded) -> (String, tree: [[Int]]) {
        var criteria = ""
        var tree: [[Int]] = [[]]
        for number in 0...random.below(5) {
            let connective = number == 0 ? "" : random.pick(["And", "Or"])
            if connective == "Or" { tree.append([]) }
            let property = random.below(properties.count)
            tree[tree.count - 1].append(property)
            criteria += connective + FinderGrammar.token(of: properties[property])
            criteria += random.pick(["", "", "Is", "Equal", "Equals"])
        }
        return (criteria, tree)
    }

    private func changed(_ criteria: String, _ random: inout Seeded) -> String {
        var scalars = Array(criteria.unicodeScalars)
        let place = random.below(scalars.count)
        switch random.below(3) {
        case 0: scalars.remove(at: place)
        case 1: scalars.insert(Unicode.Scalar(UInt8(random.below(128))), at: place)
        default: scalars[place] = random.pick(scalars)
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Every meaning of the criteria, found by trying everything.
    private func allReadings(of criteria: [UInt8], _ properties: [String]) -> Set<[[Int]]> {
        var readings: Set<[[Int]]> = []
        func read(_ rest: ArraySlice<UInt8>, _ groups: [[Int]]) {
            for (index, property) in properties.enumerated() {
                let token = Array(FinderGrammar.token(of: property).utf8)
                guard rest.starts(with: token) else { continue }
                let groups = groups.dropLast() + [groups[groups.count - 1] + [index]]
                for spelling in ["", "Is", "Equal", "Equals"]
                where rest.dropFirst(token.count).starts(with: spelling.utf8) {
                    let rest = rest.dropFirst(token.count + spelling.utf8.count)
                    if rest.isEmpty { readings.insert(Array(groups)) }
                    if rest.starts(with: "And".utf8) { read(rest.dropFirst(3), Array(groups)) }
                    if rest.starts(with: "Or".utf8) { read(rest.dropFirst(2), groups + [[]]) }
                }
            }
        }
        read(criteria[...], [[]])
        return readings
    }
}

/// SplitMix64: the same numbers for the same seed.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
