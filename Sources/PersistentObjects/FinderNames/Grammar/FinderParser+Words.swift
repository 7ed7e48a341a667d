// The user's own words between a subject and `By`. They do not restrict the result, so words that seem to are rejected.
extension FinderParser {
    /// The user's own words between a subject and `By`.
    struct CustomWords {
        let subject: ParsedFinder.Subject
        /// Their range in the name.
        let range: Range<Int>
        /// The single words. Each starts with an uppercase letter.
        let nameWords: [NameWord]
    }

    /// A single word: `WarmPets` has two.
    struct NameWord {
        let text: String
        let start: Int
        var end: Int { start + text.utf8.count }
    }

    /// The words in a range of a name. The class name is not included, because `findToysBy` names the class, although
    /// `Toys` resembles `Top`.
    func nameWords(of words: Range<Int>, in name: [UInt8]) -> [NameWord] {
        let text = String(decoding: name[words], as: UTF8.self)
        let own = text.hasPrefix(className) ? className.utf8.count : 0
        var nameWords: [NameWord] = []
        var start = words.lowerBound + own
        var nameWord = ""
        for character in text.dropFirst(own == 0 ? 0 : className.count) {
            if character.isUppercase, !nameWord.isEmpty {
                nameWords.append(NameWord(text: nameWord, start: start))
                start += nameWord.utf8.count
                nameWord = ""
            }
            nameWord.append(character)
        }
        return nameWord.isEmpty ? nameWords : nameWords + [NameWord(text: nameWord, start: start)]
    }

    /// The reason why words before `By` are rejected: they seem to restrict the result, or the name deletes. Nil if
    /// they only name the objects.
    func refusal(of words: CustomWords, in name: [UInt8]) -> FinderError? {
        guard let (range, use) = restriction(in: words, name) else { return nil }
        return .misplacedWord(
            className: className, finder: String(decoding: name, as: UTF8.self),
            part: String(decoding: name[range], as: UTF8.self), offset: range.lowerBound,
            reason: .restrictsNothing(use: use))
    }

    private func restriction(in words: CustomWords, _ name: [UInt8]) -> (Range<Int>, use: String)? {
        if let (token, range) = property(named: words.range, in: name) {
            let use = compared(
                token, isBooleanProperty: isBooleanProperty(token), isNegated: false,
                Spelling(words, name, from: range.lowerBound))
            guard !isBooleanProperty(token), words.subject != .delete else { return (range, use) }
            return (range, "\(use), or query.values(of:) for its values")
        }
        let spelling = Spelling(words, name, from: words.range.lowerBound)
        for (index, nameWord) in words.nameWords.enumerated() {
            for truth in booleanProperties {
                if let end = truth.end(from: index, in: words.nameWords) {
                    let isNegated = index > 0 && FinderGrammar.negations.contains(words.nameWords[index - 1].text)
                    let start = isNegated ? words.nameWords[index - 1].start : nameWord.start
                    return (start..<end, compared(truth.token, isBooleanProperty: true, isNegated: isNegated, spelling))
                }
                if truth.isDenied(by: nameWord.text) {
                    return (
                        nameWord.start..<nameWord.end,
                        compared(truth.token, isBooleanProperty: true, isNegated: true, spelling)
                    )
                }
            }
            guard
                let property = lexicon.properties(at: nameWord.start, in: name)
                    .first(where: { nameWord.start + $0.bytes.count == words.range.upperBound })
            else { continue }
            let before = index > 0 ? words.nameWords[index - 1] : nil
            let range = (before?.start ?? nameWord.start)..<words.range.upperBound
            if let word = FinderGrammar.extremes[before?.text ?? ""] {
                return (range, word + property.spelling + spelling.criteria)
            }
            let isNegated = FinderGrammar.negations.contains(before?.text ?? "")
            return (range, compared(property.spelling, isBooleanProperty: false, isNegated: isNegated, spelling))
        }
        for nameWord in words.nameWords {
            guard let use = FinderGrammar.restrictingWords[nameWord.text] else { continue }
            return (nameWord.start..<nameWord.end, spelling.use(instead: use))
        }
        guard words.subject == .delete else { return nil }
        return (words.range, spelling.verb + spelling.criteria)
    }

    /// A property that is named by the words, or by all text after a shorter subject, as if its values were queried.
    private func property(named words: Range<Int>, in name: [UInt8]) -> (token: String, Range<Int>)? {
        for row in FinderGrammar.subjects {
            guard let start = row.opening.end(at: 0, in: name), start < words.upperBound else { continue }
            let named = lexicon.properties(at: start, in: name).first { start + $0.bytes.count == words.upperBound }
            if let named { return (named.spelling, start..<words.upperBound) }
        }
        return nil
    }

    private func compared(_ token: String, isBooleanProperty: Bool, isNegated: Bool, _ spelling: Spelling) -> String {
        let ending = isBooleanProperty ? (isNegated ? "False" : "True") : (isNegated ? "Not" : "")
        return spelling.candidates(adding: token + ending).first(where: means) ?? "…And\(token)\(ending)"
    }

    /// Whether a name can be parsed and has no alternatives, so that each criterion restricts the whole result.
    private func means(_ name: String) -> Bool {
        reads(name) && (try? parse(name)).map { $0.alternatives.count == 1 } ?? false
    }

    // MARK: Boolean properties

    private var booleanProperties: [BooleanProperty] {
        vocabulary.booleanProperties.sortedUnspecialized().map { BooleanProperty(vocabulary.properties[$0]) }
    }

    private func isBooleanProperty(_ token: String) -> Bool { booleanProperties.contains { $0.token == token } }

    /// The words before `By` that may name a Boolean property: `Active` for `isActive`, and `Inactive` for its
    /// negation.
    private struct BooleanProperty {
        let token: String
        private let forms: [String]

        init(_ property: String) {
            let token = FinderGrammar.token(of: property)
            let short = ["Is", "Has"].compactMap { prefix -> String? in
                let rest = token.dropFirst(prefix.count)
                return token.hasPrefix(prefix) && rest.first?.isUppercase == true ? String(rest) : nil
            }
            self.token = token
            forms = [token] + short
        }

        /// The end of the words that name the property, starting at an index; nil if they do not.
        func end(from index: Int, in nameWords: [NameWord]) -> Int? {
            var text = ""
            for nameWord in nameWords[index...] {
                text += nameWord.text
                if forms.contains(text) { return nameWord.end }
            }
            return nil
        }

        /// Whether a word is the negation of the property.
        func isDenied(by word: String) -> Bool {
            FinderGrammar.negations.contains { negation in
                forms.contains { word == negation + $0.prefix(1).lowercased() + $0.dropFirst() }
            }
        }
    }
}

/// The parts of a name that contains the user's words, and corrected names built from them.
private struct Spelling {
    private let isDeletion: Bool
    /// The subject, with its number.
    let verb: String
    /// The text from `By` or `OrderBy` on.
    let criteria: String

    init(_ words: FinderParser.CustomWords, _ name: [UInt8], from start: Int) {
        isDeletion = words.subject == .delete
        verb = String(decoding: name[..<start], as: UTF8.self)
        criteria = String(decoding: name[words.range.upperBound...], as: UTF8.self)
    }

    /// The name with an additional criterion, once at each possible end of its criteria.
    func candidates(adding criterion: String) -> [String] {
        guard criteria.hasPrefix(FinderGrammar.mark.spelling) else {
            return [verb + FinderGrammar.mark.spelling + criterion + criteria]
        }
        let ends = criteria.indices.filter { place in
            [FinderGrammar.order.spelling, "AllIgnor"].contains { criteria[place...].hasPrefix($0) }
        }
        return (ends + [criteria.endIndex]).map { end in
            "\(verb)\(criteria[..<end])And\(criterion)\(criteria[end...])"
        }
    }

    /// The replacement for a word that restricts nothing.
    func use(instead word: FinderGrammar.Restriction) -> String {
        let order = FinderGrammar.order.spelling
        let ordered = criteria.contains(order) ? criteria : criteria + order + "…Desc"
        switch word {
        case .rank where isDeletion: return verb + ordered + " with .limit(1)"
        case .rank: return "findFirst" + ordered
        case .number where isDeletion: return verb + ordered + " with .limit(…)"
        case .number: return "findFirst\(criteria), findOnly\(criteria) or exists\(criteria)"
        case .state: return "…And…True or …And…False"
        case .negation: return "…And…Not or …And…False"
        }
    }
}
