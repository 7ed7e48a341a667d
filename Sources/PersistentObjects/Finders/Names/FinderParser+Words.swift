// The user's own words between a subject and `By`. They do not restrict the result, so words that seem to are rejected.
extension FinderParser {
    /// The user's own words between a subject and `By`.
    struct OwnWords {
        let subject: ParsedFinder.Subject
        /// Their range in the name.
        let range: Range<Int>
        /// The single words. Each starts with an uppercase letter.
        let humps: [Hump]
    }

    /// A single word: `WarmPets` has two.
    struct Hump {
        let text: String
        let start: Int
        var end: Int { start + text.utf8.count }
    }

    /// The words in a range of a name. The class name is not included, because `findToysBy` names the class, although
    /// `Toys` resembles `Top`.
    func humps(of words: Range<Int>, in name: [UInt8]) -> [Hump] {
        let text = String(decoding: name[words], as: UTF8.self)
        let own = text.hasPrefix(className) ? className.utf8.count : 0
        var humps: [Hump] = []
        var start = words.lowerBound + own
        var hump = ""
        for character in text.dropFirst(own == 0 ? 0 : className.count) {
            if character.isUppercase, !hump.isEmpty {
                humps.append(Hump(text: hump, start: start))
                start += hump.utf8.count
                hump = ""
            }
            hump.append(character)
        }
        return hump.isEmpty ? humps : humps + [Hump(text: hump, start: start)]
    }

    /// The reason why words before `By` are rejected: they seem to restrict the result, or the name deletes. Nil if
    /// they only name the objects.
    func refusal(of words: OwnWords, in name: [UInt8]) -> FinderError? {
        guard let (range, use) = restriction(in: words, name) else { return nil }
        return .misplacedWord(
            className: className, finder: String(decoding: name, as: UTF8.self),
            part: String(decoding: name[range], as: UTF8.self), offset: range.lowerBound,
            reason: .restrictsNothing(use: use))
    }

    private func restriction(in words: OwnWords, _ name: [UInt8]) -> (Range<Int>, use: String)? {
        if let (token, range) = property(named: words.range, in: name) {
            let use = compared(
                token, isTruth: isTruth(token), isNegated: false, Spelling(words, name, from: range.lowerBound))
            guard !isTruth(token), words.subject != .delete else { return (range, use) }
            return (range, "\(use), or query.values(of:) for its values")
        }
        let spelling = Spelling(words, name, from: words.range.lowerBound)
        for (index, hump) in words.humps.enumerated() {
            for truth in truths {
                if let end = truth.end(from: index, in: words.humps) {
                    let isNegated = index > 0 && FinderGrammar.negations.contains(words.humps[index - 1].text)
                    let start = isNegated ? words.humps[index - 1].start : hump.start
                    return (start..<end, compared(truth.token, isTruth: true, isNegated: isNegated, spelling))
                }
                if truth.isDenied(by: hump.text) {
                    return (hump.start..<hump.end, compared(truth.token, isTruth: true, isNegated: true, spelling))
                }
            }
            guard
                let property = lexicon.properties(at: hump.start, in: name)
                    .first(where: { hump.start + $0.bytes.count == words.range.upperBound })
            else { continue }
            let before = index > 0 ? words.humps[index - 1] : nil
            let range = (before?.start ?? hump.start)..<words.range.upperBound
            if let word = FinderGrammar.extremes[before?.text ?? ""] {
                return (range, word + property.spelling + spelling.criteria)
            }
            let isNegated = FinderGrammar.negations.contains(before?.text ?? "")
            return (range, compared(property.spelling, isTruth: false, isNegated: isNegated, spelling))
        }
        for hump in words.humps {
            guard let use = FinderGrammar.restrictingWords[hump.text] else { continue }
            return (hump.start..<hump.end, spelling.use(instead: use))
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

    private func compared(_ token: String, isTruth: Bool, isNegated: Bool, _ spelling: Spelling) -> String {
        let ending = isTruth ? (isNegated ? "False" : "True") : (isNegated ? "Not" : "")
        return spelling.candidates(adding: token + ending).first(where: means) ?? "…And\(token)\(ending)"
    }

    /// Whether a name can be parsed and has no alternatives, so that each criterion restricts the whole result.
    private func means(_ name: String) -> Bool {
        reads(name) && (try? parse(name)).map { $0.alternatives.count == 1 } ?? false
    }

    // MARK: Boolean properties

    private var truths: [Truth] { vocabulary.truths.sorted().map { Truth(vocabulary.properties[$0]) } }

    private func isTruth(_ token: String) -> Bool { truths.contains { $0.token == token } }

    /// The words before `By` that may name a Boolean property: `Active` for `isActive`, and `Inactive` for its
    /// negation.
    private struct Truth {
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
        func end(from index: Int, in humps: [Hump]) -> Int? {
            var text = ""
            for hump in humps[index...] {
                text += hump.text
                if forms.contains(text) { return hump.end }
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

    init(_ words: FinderParser.OwnWords, _ name: [UInt8], from start: Int) {
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
