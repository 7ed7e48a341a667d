/// A user's search text, converted to FTS5's syntax.
///
/// All words must be found, in any order. `"some words"` are words next to each other, `smi*` is a prefix, `-word` or
/// `NOT word` excludes a word, and `OR` separates alternatives. All other characters are separators. Each word and
/// phrase is quoted for FTS5, so that nothing in it has a special meaning.
struct SearchText {
    /// The maximum number of words and phrases in one search, because FTS5 looks up each of them.
    static let limit = 1000

    /// The search in FTS5's syntax. It finds nothing if the text contains no words to find.
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
        // An alternative with exclusions only finds nothing.
        let parts = alternatives.filter { !$0.isEmpty }.map(\.sql)
        if !parts.isEmpty { query = parts.map { "(\($0))" }.joined(separator: " OR ") }
    }
}

// Parsing.
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
                    // A keyword after a hyphen is a plain word.
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

        /// Reads up to the next quote, or to the end if there is none.
        private mutating func phrase() -> Term? {
            place += 1
            let start = place
            while let scalar = current, !Reader.isQuote(scalar) { place += 1 }
            let text = scalars[start..<place]
            place += 1
            let isPrefix = current == "*"
            return Reader.term(text, isPrefix: isPrefix)
        }

        /// Nil if the text contains no word, because FTS5 could not find it.
        private static func term(_ text: ArraySlice<Unicode.Scalar>, isPrefix: Bool) -> Term? {
            guard text.contains(where: isPartOfWord) else { return nil }
            // FTS5 reads a string only up to a NUL.
            let view = String.UnicodeScalarView(text.map { $0 == "\0" ? " " : $0 })
            return Term(text: String(view), isPrefix: isPrefix)
        }

        private static func isQuote(_ scalar: Unicode.Scalar) -> Bool { ["\"", "“", "”", "„"].contains(scalar) }

        private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || scalar == "\0"
        }

        /// Letters, numbers and private-use characters, as FTS5's `unicode61` tokenizer defines words.
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
