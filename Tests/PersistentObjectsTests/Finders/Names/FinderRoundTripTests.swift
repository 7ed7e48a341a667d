import TestSupport
import Testing

@testable import PersistentObjects

/// Names generated from a meaning are parsed as that meaning.
struct FinderRoundTripTests {
    private let model = GrammarModel.people

    @Test(arguments: SeededGenerator.seeds(4))
    func `a random name is parsed as the meaning that it was generated from`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parser = model.parser
        var ambiguous = 0
        for _ in 0..<750 {
            let (name, meant) = name(&random)
            switch Result(catching: { () throws(FinderError) in try parser.parse(name) }) {
            case .success(let parsed): #expect(parsed == meant, "\(name)")
            case .failure(.ambiguous(_, _, let readings)):
                ambiguous += 1
                #expect(readings.contains(parser.text(of: meant)), "\(name)")
            case .failure(let error): Issue.record(error, "\(name)")
            }
        }
        #expect(ambiguous < 20)
    }

    @Test func `parsing work grows linearly with the length of the name`() throws {
        let parser = model.parser
        let pieces = [
            "LastNameStartingWithIgnoreCaseAnd", "AgeNotBetweenOr", "EmployerCountryCodeIsNotNullAnd",
            "Mentor_MentorLastNameIgnoringCaseNotInOr", "TagsContainingAllAnd",
        ]
        for piece in pieces {
            try requireLinearWork("\(piece)") { count throws in
                let criteria = String(repeating: piece, count: count)
                let name = "findBy" + criteria + "IdOrderBy" + String(repeating: "AgeDesc", count: count)
                try expect(parser.parse(name).orders.count, count)
                return parser.work(on: name)
            }
        }
    }

    private func name(_ random: inout SeededGenerator) -> (String, ParsedFinder) {
        let rows = FinderGrammar.subjects
        let row = random.pick(rows)
        var name = row.opening.spelling
        var limit: Int?
        if row.takesLimit, random.happens(inOneOf: 2) {
            limit = random.below(1000) + 1
            name += limit.map(String.init) ?? ""
        }
        name += row.closing.spelling
        var meant = ParsedFinder(subject: row.subject(limit), isDistinct: row.isDistinct)
        var hasCriteria = random.below(5) > 0
        if case .aggregate(let aggregate, _) = meant.subject {
            let (text, path) = path(&random)
            name += text
            meant.subject = .aggregate(aggregate, of: path)
        } else if [.count, .exists, .only, .findOrCreate, .findOrInitialize].contains(meant.subject) {
            hasCriteria = true
        }
        let creates = [.findOrCreate, .findOrInitialize].contains(meant.subject)
        if hasCriteria { name += "By" + criteria(creates, &meant, &random) }
        let hasOrder: Bool =
            switch meant.subject {
            case .find, .first, .last, .delete, .ids: !hasCriteria || random.happens(inOneOf: 2)
            default: false
            }
        if hasOrder { name += random.pick(hasCriteria ? [""] : ["", "By"]) + order(&meant, &random) }
        return (name, meant)
    }

    private func criteria(
        _ creates: Bool, _ meant: inout ParsedFinder, _ random: inout SeededGenerator
    ) -> String {
        var name = ""
        meant.alternatives = [[]]
        for number in 0...random.below(6) {
            let connective = number == 0 ? "" : creates ? "And" : random.pick(["And", "Or"])
            if connective == "Or" { meant.alternatives.append([]) }
            let (text, path) = creates ? ("LastName", [0]) : path(&random)
            let hasElements = ["Tags", "Pets", "Staff"].contains { text.hasSuffix($0) }
            var row = random.pick(FinderGrammar.operators)
            while creates && row.comparison != FinderComparison(.equal)
                || !hasElements && [.containingAll, .containingAny].contains(row.comparison.operation)
            { row = random.pick(FinderGrammar.operators) }
            var words = [row.spelling]
            var ignoresCase = row.ignoresCase
            if !creates, !ignoresCase, row.comparison.argumentCount > 0, random.happens(inOneOf: 4) {
                words.insert(random.pick(["IgnoreCase", "IgnoringCase"]), at: random.below(2))
                ignoresCase = true
            }
            name += connective + text + words.joined()
            meant.alternatives[meant.alternatives.count - 1].append(
                .init(
                    path: path, comparison: row.comparison, ignoresCase: ignoresCase,
                    firstArgument: meant.argumentCount))
            meant.argumentCount += row.comparison.argumentCount
        }
        if !creates, meant.argumentCount > 0, random.happens(inOneOf: 6) {
            name += random.pick(["AllIgnoreCase", "AllIgnoringCase"])
            meant.ignoresCaseOfTexts = true
        }
        return name
    }

    private func order(_ meant: inout ParsedFinder, _ random: inout SeededGenerator) -> String {
        var name = "OrderBy"
        var isDirected = false
        for number in 0...random.below(4) {
            if number > 0, !isDirected || random.happens(inOneOf: 2) { name += "And" }
            let (text, path) = path(&random)
            let direction = random.pick(["", "Asc", "Desc", "Ascending", "Descending"])
            isDirected = !direction.isEmpty
            name += text + direction
            meant.orders.append(.init(path: path, isDescending: direction.hasPrefix("Desc")))
        }
        return name
    }

    /// Returns a path of up to four steps.
    private func path(_ random: inout SeededGenerator) -> (String, [Int]) {
        var vocabulary = model.vocabulary("Person")
        var path: [Int] = []
        var text = ""
        while true {
            let place = random.below(vocabulary.properties.count)
            path.append(place)
            text += FinderGrammar.token(of: vocabulary.properties[place])
            guard path.count < 4, let target = vocabulary.target(of: place), random.happens(inOneOf: 2) else { break }
            text += random.pick(["", "_"])
            vocabulary = target
        }
        return (text, path)
    }
}
