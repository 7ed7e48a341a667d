/// The words of dynamic finder names, as tables. This folder turns names into
/// queries; these tables and the parser above them know names only: neither
/// types nor columns nor sessions.
///
///     name      = subject "By" criterion { ("And" | "Or") criterion }
///     criterion = { link [ "_" ] } property operator
///
/// A word is added by adding a row. A part of its own (a modifier after the
/// operator, an ordering at the end) is a further `Expectation` with a table.
enum FinderGrammar {
    /// What a reader of criteria can stand before. A word of no length (the
    /// operator "") leads to a later case: the chart relies on it to be free
    /// of cycles.
    enum Expectation: Int, CaseIterable {
        case property
        case operation
        case connective
    }

    struct SubjectRow: Sendable {
        let spelling: String
        let takesLimit: Bool
        let subject: @Sendable (_ limit: Int?) -> ParsedFinder.Subject

        init(
            _ spelling: String, takesLimit: Bool = false,
            _ subject: @escaping @Sendable (_ limit: Int?) -> ParsedFinder.Subject
        ) {
            self.spelling = spelling
            self.takesLimit = takesLimit
            self.subject = subject
        }
    }

    struct OperatorRow: Sendable {
        let spelling: String
        let operation: FinderOperator
        let argumentCount: Int
        /// What follows the property where a reading is shown to the user.
        let reading: String
    }

    enum Connective: Sendable {
        case and
        case or
    }

    static let subjects = [
        SubjectRow("find") { _ in .find },
        SubjectRow("findAll") { _ in .find },
        SubjectRow("findFirst", takesLimit: true) { .first($0) },
        SubjectRow("count") { _ in .count },
        SubjectRow("exists") { _ in .exists },
        SubjectRow("delete") { _ in .delete },
    ].sorted { $0.spelling.utf8.count > $1.spelling.utf8.count }

    /// No spelling of an operator may be another of its spellings followed by
    /// `And` or `Or`: else one meaning would have two readings.
    static let operators = [
        OperatorRow(spelling: "", operation: .equal, argumentCount: 1, reading: " = ?"),
        OperatorRow(spelling: "Is", operation: .equal, argumentCount: 1, reading: " = ?"),
        OperatorRow(spelling: "Equal", operation: .equal, argumentCount: 1, reading: " = ?"),
        OperatorRow(spelling: "Equals", operation: .equal, argumentCount: 1, reading: " = ?"),
        OperatorRow(spelling: "Containing", operation: .containing, argumentCount: 1, reading: " contains ?"),
        OperatorRow(spelling: "IsEmpty", operation: .isEmpty, argumentCount: 0, reading: " is empty"),
        OperatorRow(spelling: "IsNotEmpty", operation: .isNotEmpty, argumentCount: 0, reading: " is not empty"),
    ].sorted { $0.spelling.utf8.count > $1.spelling.utf8.count }

    static let connectives: [(spelling: String, connective: Connective)] = [("And", .and), ("Or", .or)]

    /// Ends the subject.
    static let mark = "By"

    /// Says where a link ends, between the parts of a path.
    static let boundary = FinderWord("_", ())

    /// The property that every class has, and the second way to write it.
    static let identity = (name: "id", token: "ID")

    /// Static members that a misspelt name may have meant.
    static let staticNames = [
        "find", "all", "first", "count", "deleteAll", "tableName", "formerTableNames", "indexes", "columns",
        "transient",
        "isAbstract", "store", "findByCriteria", "findFirstByCriteria", "countByCriteria",
    ]

    /// How a property is written in a finder name: `lastName` as `LastName`.
    /// A first character without an upper case stays as it is.
    static func token(of property: String) -> String {
        guard let first = property.first else { return "" }
        return first.uppercased() + property.dropFirst()
    }
}

/// A word of the grammar as bytes, with what it stands for.
struct FinderWord<Meaning: Sendable>: Sendable {
    let bytes: [UInt8]
    let meaning: Meaning

    init(_ spelling: String, _ meaning: Meaning) {
        bytes = Array(spelling.utf8)
        self.meaning = meaning
    }

    /// Whether the word stands at a position of a name.
    func stands(at position: Int, in name: [UInt8]) -> Bool {
        guard name.count - position >= bytes.count else { return false }
        for offset in bytes.indices where name[position + offset] != bytes[offset] { return false }
        return true
    }
}

/// The words of one class's finder names as bytes, ready for look-up.
struct FinderLexicon: Sendable {
    let subjects = FinderGrammar.subjects.map { FinderWord($0.spelling, $0) }
    let operators = FinderGrammar.operators.enumerated().map { FinderWord($1.spelling, $0) }
    let connectives = FinderGrammar.connectives.map { FinderWord($0.spelling, $0.connective) }
    let mark = FinderWord(FinderGrammar.mark, ())

    /// Property tokens by their first byte, longest first.
    private let tokens: [UInt8: [FinderWord<Int>]]
    /// One spelling for each character beyond ASCII: é may be written with one
    /// scalar or with two, and the declaration and the call need not agree.
    private let spellings: [Character: Character]

    init(properties: [String]) {
        var named = properties.enumerated().map { (FinderGrammar.token(of: $1), $0) }
        let beyondASCII = named.flatMap { token, _ in token.filter { !$0.isASCII } }
        let spellings = Dictionary(beyondASCII.map { ($0, $0) }) { first, _ in first }
        let taken = Set(named.map(\.0))
        for (token, index) in named {
            let uniform = String(token.map { spellings[$0] ?? $0 })
            if !uniform.utf8.elementsEqual(token.utf8) { named.append((uniform, index)) }
        }
        let identity = FinderGrammar.identity
        if let index = properties.firstIndex(of: identity.name), !taken.contains(identity.token) {
            named.append((identity.token, index))
        }
        let words = named.map { FinderWord($0, $1) }.filter { !$0.bytes.isEmpty }
        tokens = Dictionary(grouping: words) { $0.bytes[0] }.mapValues { words in
            words.sorted { $0.bytes.count > $1.bytes.count }
        }
        self.spellings = spellings
    }

    func properties(at position: Int, in name: [UInt8]) -> [FinderWord<Int>] {
        guard position < name.count, let words = tokens[name[position]] else { return [] }
        return words.filter { $0.stands(at: position, in: name) }
    }

    /// The name with each character of its criteria spelled as in the tokens;
    /// nil where no token has a character beyond ASCII.
    func uniform(_ name: [UInt8], from start: Int) -> [UInt8]? {
        guard !spellings.isEmpty else { return nil }
        let criteria = String(decoding: name[start...], as: UTF8.self)
        return Array(name[..<start]) + Array(String(criteria.map { spellings[$0] ?? $0 }).utf8)
    }
}
