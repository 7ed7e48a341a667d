/// A word of the grammar as bytes, with its meaning.
struct FinderWord<Meaning: Sendable>: Sendable {
    let bytes: [UInt8]
    let meaning: Meaning

    init(_ spelling: String, _ meaning: Meaning) {
        bytes = Array(spelling.utf8)
        self.meaning = meaning
    }

    var spelling: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the word occurs at a position of a name.
    func occurs(at position: Int, in name: [UInt8]) -> Bool {
        guard name.count - position >= bytes.count else { return false }
        for offset in bytes.indices where name[position + offset] != bytes[offset] { return false }
        return true
    }

    /// The word's end if it occurs at a position; otherwise nil.
    func end(at position: Int, in name: [UInt8]) -> Int? {
        occurs(at: position, in: name) ? position + bytes.count : nil
    }
}

/// Words that are looked up by position. Empty words are not included.
struct FinderWords<Meaning: Sendable>: Sendable {
    /// By their first byte, longest first.
    private let words: [UInt8: [FinderWord<Meaning>]]

    init(_ spelled: [(String, Meaning)]) {
        let words = spelled.map { FinderWord($0, $1) }.filter { !$0.bytes.isEmpty }
        self.words = Dictionary(grouping: words) { $0.bytes[0] }.mapValues { words in
            words.sortedUnspecialized { $0.bytes.count > $1.bytes.count }
        }
    }

    var spellings: [String] { words.values.flatMap { $0.map(\.spelling) }.sortedUnspecialized() }

    /// The words that occur at a position, longest first.
    func matches(at position: Int, in name: [UInt8]) -> [FinderWord<Meaning>] {
        guard position < name.count, let words = words[name[position]] else { return [] }
        return words.filter { $0.occurs(at: position, in: name) }
    }
}

/// The properties of one class as words of its finder names.
struct FinderLexicon: Sendable {
    private let tokens: FinderWords<Int>
    /// One spelling for each non-ASCII character: é may be one scalar or two, and the declaration and the call may
    /// differ.
    private let spellings: [Character: Character]

    init(properties: [String]) {
        var named = properties.enumerated().map { (FinderGrammar.token(of: $1), $0) }
        // A field of an embedded value, `address.city`, is written `AddressCity`.
        for (index, name) in properties.enumerated() where name.contains(".") {
            named.append((name.split(separator: ".").map { FinderGrammar.token(of: String($0)) }.joined(), index))
        }
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
        tokens = FinderWords(named)
        self.spellings = spellings
    }

    func properties(at position: Int, in name: [UInt8]) -> [FinderWord<Int>] {
        tokens.matches(at: position, in: name)
    }

    /// The name with each character after its subject spelled as in the tokens; nil if no token has a non-ASCII
    /// character.
    func uniform(_ name: [UInt8], from start: Int) -> [UInt8]? {
        guard !spellings.isEmpty else { return nil }
        let criteria = String(decoding: name[start...], as: UTF8.self)
        return Array(name[..<start]) + Array(String(criteria.map { spellings[$0] ?? $0 }).utf8)
    }
}
