import TestSupport
import Testing

@testable import PersistentObjects

/// Random finder names are parsed as by a second parser.
struct FinderParserRandomTests {
    private static let pieces = [
        "a", "b", "an", "and", "or", "is", "isA", "equal", "equals", "by", "name", "age", "order", "🍏", "é",
        "full name",
    ]

    @Test(arguments: SeededGenerator.seeds(8))
    func `random names have the meaning that a search of all readings finds`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var counts = (unique: 0, ambiguous: 0)
        let rounds = Scale.of(300)
        for _ in 0..<rounds {
            let properties = randomProperties(&random)
            let parser = FinderParser(className: "P", properties: properties)
            let (criteria, meant) = randomCriteria(of: properties, &random)
            #expect(AllReadings(of: criteria, properties).found.contains(meant), "\(criteria) \(properties)")
            for criteria in [criteria, changed(criteria, &random)] {
                let all = AllReadings(of: criteria, properties).best
                for (place, reading) in all.enumerated() { #expect(!all[..<place].contains(reading), "\(criteria)") }
                do {
                    let parsed = try parser.parse("findBy" + criteria)
                    counts.unique += 1
                    #expect(all == [parsed], "\(criteria) \(properties)")
                } catch .ambiguous(_, _, let readings) {
                    counts.ambiguous += 1
                    #expect(all.count > 1 && Set(readings).count == 2, "\(criteria) \(properties)")
                } catch .misplacedWord(_, _, _, _, .noCaseToIgnore) {
                    #expect(all.allSatisfy { $0.ignoresCaseOfTexts && $0.argumentCount == 0 }, "\(criteria)")
                } catch {
                    #expect(all.isEmpty, "\(criteria) \(properties)")
                }
            }
        }
        #expect(counts.unique * 3 > rounds * 2 && (counts.ambiguous > 2 || !Scale.isFull))
    }

    @Test func `random bytes never trap the parser`() {
        var random = SeededGenerator(seed: 7)
        let parser = FinderParser(className: "P", properties: ["id", "a", "and", "or", "is", "é", "🍏", "lastName"])
        let words = [
            "find", "First", "By", "And", "Or", "Is", "Equals", "Id", "A", "É", "🍏", "LastName", "\0", "\"", "9",
        ]
        for _ in 0..<Scale.of(20_000) {
            var bytes: [UInt8] = random.pick([Array("findBy".utf8), []])
            for _ in 0..<random.below(12) {
                bytes += random.pick([Array(random.pick(words).utf8), [UInt8(random.below(256))]])
            }
            do { _ = try parser.parse(String(decoding: bytes, as: UTF8.self)) } catch { _ = error.description }
        }
    }

    /// Names that repeat one piece many times.
    private static let longNames: [(start: String, piece: String, end: String)] = [
        ("findBy", "LastNameAnd", "Id"), ("findBy", "LastNmeAnd", "Id"), ("findBy", "LastNameOr", ""),
        ("findBy", "And", ""), ("findBy", "AndOr", ""), ("findBy", "A", ""), ("findBy", "Is", ""), ("", "find", ""),
        ("findBy", "AndAndOrOr", "!"), ("findBy", "x", ""), ("findBy", "E\u{301}And", ""), ("", "By", ""),
        ("findFirst", "9", "ByA"), ("findFirst", "0", "ByA"), ("findFirst", "1", ""), ("findByA", "\u{301}", ""),
        ("findBy", "LastNameEquls", ""), ("findByIdIs", "And", ""),
    ]

    @Test func `parsing work grows linearly with the length of the name, for valid and invalid names`() throws {
        let parser = FinderParser(
            className: "P", properties: ["id", "and", "or", "andAnd", "orOr", "a", "aa", "is", "é", "lastName"])
        for (start, piece, end) in Self.longNames {
            let name = { count in start + String(repeating: piece, count: count) + end }
            // Other names are refused before parsing starts.
            if start.hasPrefix("findBy") {
                try requireLinearWork("\(start)\(piece)") { count in parser.work(on: name(count)) }
            }
            do { _ = try parser.parse(name(Scale.of(100_000) / piece.utf8.count)) } catch {
                #expect("\(error)".utf8.count < 2_000, "\(start)\(piece)")
            }
        }
    }

    private func randomProperties(_ random: inout SeededGenerator) -> [String] {
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

    private func randomCriteria(
        of properties: [String], _ random: inout SeededGenerator
    ) -> (String, meant: ParsedFinder) {
        var criteria = ""
        var meant = ParsedFinder(subject: .find, alternatives: [[]])
        for number in 0...random.below(4) {
            let connective = number == 0 ? "" : random.pick(["And", "Or"])
            if connective == "Or" { meant.alternatives.append([]) }
            let property = random.below(properties.count)
            let row = random.happens(inOneOf: 2) ? FinderGrammar.operators[0] : random.pick(FinderGrammar.operators)
            var criterion = ParsedFinder.Criterion(
                path: [property], comparison: row.comparison, ignoresCase: row.ignoresCase,
                firstArgument: meant.argumentCount)
            var words = [row.spelling]
            if !row.ignoresCase, row.comparison.argumentCount > 0, random.happens(inOneOf: 5) {
                words.insert(random.pick(["IgnoreCase", "IgnoringCase"]), at: random.below(2))
                criterion.ignoresCase = true
            }
            criteria += connective + FinderGrammar.token(of: properties[property]) + words.joined()
            meant.alternatives[meant.alternatives.count - 1].append(criterion)
            meant.argumentCount += row.comparison.argumentCount
        }
        if random.happens(inOneOf: 6) {
            criteria += random.pick(["AllIgnoreCase", "AllIgnoringCase"])
            meant.ignoresCaseOfTexts = true
        }
        while random.happens(inOneOf: 3) {
            let property = random.below(properties.count)
            let direction = random.pick(["", "Asc", "Desc", "Ascending", "Descending"])
            let isGlued = ["sc", "ng"].contains { criteria.hasSuffix($0) } && random.happens(inOneOf: 2)
            criteria += meant.orders.isEmpty ? "OrderBy" : isGlued ? "" : "And"
            criteria += FinderGrammar.token(of: properties[property]) + direction
            meant.orders.append(.init(path: [property], isDescending: direction.hasPrefix("Desc")))
        }
        return (criteria, meant)
    }

    private func changed(_ criteria: String, _ random: inout SeededGenerator) -> String {
        var scalars = Array(criteria.unicodeScalars)
        let place = random.below(scalars.count)
        switch random.below(3) {
        case 0: scalars.remove(at: place)
        case 1: scalars.insert(Unicode.Scalar(UInt8(random.below(128))), at: place)
        default: scalars[place] = random.pick(scalars)
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension SeededGenerator {
    /// Returns a number from 0 up to, but not including, the limit.
    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// Returns true with a probability of one in `cases`.
    mutating func happens(inOneOf cases: Int) -> Bool { below(cases) == 0 }
}
