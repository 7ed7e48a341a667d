/// What a user typed to search for, as FTS5 understands it.
///
/// Words are all looked for, in any order; `"some words"` for these next to each
/// other; `smi*` for words that begin so; `-word` or `NOT word` for texts without
/// it; `OR` between alternatives. All else is a separator. Each word and phrase
/// goes to FTS5 in quotes, so that nothing in it has a meaning there.
struct SearchText {
    /// How many words and phrases one search may have: FTS5 looks for each of them.
    static let limit = 1000

    /// In FTS5's language; finds nothing where the text asks for nothing.
    private(set) var query = "\"\""
    private(set) var problem: QueryError?

    private struct Term {
        let text: String
        let isPrefix: Bool

        var sql: String { "\"\(text)\"" + (isPrefix ? "*" : "") }
    }

    private struct Alternative {
        var wanted: [Term] = []
        var excluded: [Term] = []

        var isEmpty: Bool { wanted.isEmpty }

        var sql: String {
            let all = wanted.map(\.sql).joined(separator: " AND ")
            guard !excluded.isEmpty else { return all }
            return "(\(all)) NOT (\(excluded.map(\.sql).joined(separator: " OR ")))"
        }
    }

    init(_ text: String) {
        var reader = Reader(text)
        var alternatives = [Alternative()]
        var count = 0
        while let item = reader.next() {
            switch item {
            case .or: alternatives.append(Alternative())
            case .term(let term, let isExcluded):
                count += 1
                let last = alternatives.count - 1
                if isExcluded {
                    alternatives[last].excluded.append(term)
                } else {
                    alternatives[last].wanted.append(term)
                }
            }
        }
        guard count <= SearchText.limit else {
            problem = .notExpressible("The search has \(count) words, but at most \(SearchText.limit) are allowed")
            return
        }
        // What only leaves out finds nothing to leave it out of.
        let parts = alternatives.filter { !$0.isEmpty }.map(\.sql)
        if !parts.isEmpty { query = parts.map { "(\($0))" }.joined(separator: " OR ") }
    }
}

// Reading.
extension SearchText {
    private enum Item {
        case or
        case term(Term, isExcluded: Bool)
    }

    private struct Reader {
        private let scalars: [Unicode.Scalar]
        private var place = 0

        init(_ text: String) { scalars = Array(text.unicodeScalars) }

        private var current: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

        mutating func next() -> Item? {
            var isExcluded = false
            while let first = current {
                if Reader.isSeparator(first) {
                    place += 1
                } else if first == "-", place + 1 < scalars.count, !Reader.isSeparator(scalars[place + 1]) {
                    place += 1
                    isExcluded = true
                } else if Reader.isQuote(first) {
                    if let term = phrase() { return .term(term, isExcluded: isExcluded) }
                    isExcluded = false
                } else {
                    let start = place
                    while let scalar = current, !Reader.isSeparator(scalar), !Reader.isQuote(scalar) { place += 1 }
                    let word = scalars[start..<place]
                    // After a hyphen it is a word like any other.
                    let isDashed = start > 0 && scalars[start - 1] == "-"
                    if !isDashed, word.elementsEqual("OR".unicodeScalars) { return .or }
                    if word.elementsEqual("AND".unicodeScalars) { continue }
                    if word.elementsEqual("NOT".unicodeScalars) {
                        isExcluded = true
                    } else if let term = Reader.term(word, isPrefix: word.last == "*") {
                        return .term(term, isExcluded: isExcluded)
                    } else {
                        isExcluded = false
                    }
                }
            }
            return nil
        }

        /// Up to the next quote, or the end where there is none.
        private mutating func phrase() -> Term? {
            place += 1
            let start = place
            while let scalar = current, !Reader.isQuote(scalar) { place += 1 }
            let text = scalars[start..<place]
            place += 1
            let isPrefix = current == "*"
            return Reader.term(text, isPrefix: isPrefix)
        }

        /// Nil where the text has no word in it, which FTS5 would find nowhere.
        private static func term(_ text: ArraySlice<Unicode.Scalar>, isPrefix: Bool) -> Term? {
            guard text.contains(where: isPartOfWord) else { return nil }
            // FTS5 reads a text up to a NUL.
            let view = String.UnicodeScalarView(text.map { $0 == "\0" ? " " : $0 })
            return Term(text: String(view), isPrefix: isPrefix)
        }

        private static func isQuote(_ scalar: Unicode.Scalar) -> Bool { ["\"", "“", "”", "„"].contains(scalar) }

        private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || scalar == "\0"
        }

        /// Letters, numbers and characters of private use, as FTS5's `unicode61` has it.
        private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber, .privateUse:
                true
            default: false
            }
        }
    }
}
