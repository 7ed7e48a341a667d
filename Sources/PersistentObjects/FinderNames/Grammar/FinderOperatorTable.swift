/// The operators in finder names of one class: the built-in operators, then the class's custom operators.
struct FinderOperatorTable: Sendable {
    let rows: [FinderGrammar.OperatorRow]
    /// The operators as words whose meanings are row indices. The empty operator is not included.
    let words: FinderWords<Int>
    /// The operators, shortest first.
    let closingWords: [FinderWord<Void>]
    let names: NameSuggestions
    /// The names of the custom operators, by index.
    private let ownNames: [String]

    /// The table of classes without custom operators.
    static let builtIn = FinderOperatorTable(FinderGrammar.operators, own: [])

    /// Creates the table of the built-in operators and of custom operators with their numbers of arguments.
    init(own: [(name: String, argumentCount: Int)]) {
        let rows = own.enumerated().flatMap { place, own in
            FinderGrammar.operatorPrefixes.map { prefix in
                FinderGrammar.OperatorRow(
                    spelling: prefix + own.name,
                    comparison: FinderComparison(
                        .own(place, argumentCount: own.argumentCount), isNegated: prefix.hasSuffix("Not")),
                    ignoresCase: false)
            }
        }
        self.init(FinderGrammar.operators + rows, own: own.map(\.name))
    }

    private init(_ rows: [FinderGrammar.OperatorRow], own: [String]) {
        self.rows = rows
        ownNames = own
        let spellings = rows.map(\.spelling).filter { !$0.isEmpty }
        words = FinderWords(rows.enumerated().map { ($1.spelling, $0) })
        closingWords = spellings.sortedUnspecialized { $0.utf8.count < $1.utf8.count }.map { FinderWord($0, ()) }
        names = NameSuggestions(spellings + ["OrderBy", "IgnoreCase", "AllIgnoreCase"])
    }

    /// The text after the property in a reading that is shown to the user.
    func reading(_ comparison: FinderComparison) -> String {
        guard case .own(let place, let count) = comparison.operation else { return comparison.reading }
        let marks = Array(repeating: "?", count: count).joined(separator: ", ")
        return (comparison.isNegated ? " not " : " ") + ownNames[place] + (marks.isEmpty ? "" : " " + marks)
    }
}

// Names that a custom operator of a class cannot have.
extension FinderOperatorTable {
    /// The first name that no custom operator can have, and the reason.
    static func objection(to names: [String]) -> (name: String, reason: FinderError.OperatorReason)? {
        let builtIn = FinderGrammar.operators.map(\.spelling)
        var taken = Set(builtIn)
        for name in names {
            if let reason = objection(to: name) { return (name, reason) }
            if taken.contains(name) { return (name, builtIn.contains(name) ? .builtIn : .givenTwice) }
            taken.insert(name)
        }
        for name in names {
            // The empty operator is included, because a word after a property also follows the empty operator.
            for other in builtIn + names where other.utf8.count < name.utf8.count && name.hasPrefix(other) {
                let rest = Array(name.utf8.dropFirst(other.utf8.count))
                if let word = followingWords.first(where: { occurs($0, before: rest) }) {
                    return (name, .beginsWith(other + word.spelling))
                }
            }
        }
        return nil
    }

    private static func objection(to name: String) -> FinderError.OperatorReason? {
        let bytes = Array(name.utf8)
        let isWord = bytes.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
        guard let first = bytes.first, (0x41...0x5A).contains(first), isWord else { return .noWord }
        return prefixes.first { occurs($0, before: bytes) }.map { .beginsWith($0.spelling) }
    }

    private static let prefixes = [FinderWord("Is", ()), FinderWord("Not", ())]

    /// The words that may follow a property or an operator, so that no custom operator may begin with them.
    private static let followingWords = FinderGrammar.separators(of: .connective).spellings.map { FinderWord($0, ()) }

    /// Whether the name starts with the word and the word ends there: `Organic` does not start with `Or`.
    private static func occurs(_ word: FinderWord<Void>, before name: [UInt8]) -> Bool {
        guard let end = word.end(at: 0, in: name) else { return false }
        return end == name.count || !(0x61...0x7A).contains(name[end])
    }
}
