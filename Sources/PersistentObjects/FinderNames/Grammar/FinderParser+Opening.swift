// The start of a name: its subject, and the user's own words after it.
extension FinderParser {
    /// The subject of a name.
    struct Opening {
        var row: FinderGrammar.SubjectRow
        var subject: ParsedFinder.Subject
        var isDistinct: Bool
        /// The position after the subject and the user's words, where the chart starts.
        var end: Int

        /// The word kind after the subject.
        var expectation: FinderGrammar.Expectation { row.isAggregate ? .measured : .mark }
    }

    /// The subject that a name begins with; nil if there is none.
    func opening(of name: String, _ bytes: [UInt8]) throws(FinderError) -> Opening? {
        for row in FinderGrammar.subjects {
            guard let end = row.end(in: bytes) else { continue }
            let goesOn = [FinderGrammar.mark, FinderGrammar.order].contains { $0.occurs(at: end.whole, in: bytes) }
            guard goesOn || row.isAggregate else { continue }
            return try opening(row, name, bytes, end)
        }
        // The user's own words may follow the subject, as in Spring Data: `findPeopleByAge`. The longest subject is
        // used, so that its words do not count as the user's.
        for row in FinderGrammar.subjects.reversed() where row.takesWords {
            guard let end = row.end(in: bytes), let words = freeWords(from: end.whole, in: bytes) else { continue }
            var opening = try opening(row, name, bytes, end)
            var nameWords = nameWords(of: words, in: bytes)
            if opening.subject.canBeDistinct, let place = nameWords.firstIndex(where: { $0.text == "Distinct" }) {
                nameWords.remove(at: place)
                opening.isDistinct = true
            }
            let isDeletion = opening.subject == .delete
            let isMistake =
                nameWords.first?.text == "Or"
                || nameWords.contains { nameWord in
                    FinderGrammar.isSubjectWord(nameWord.text)
                        && !(isDeletion && FinderGrammar.restrictingWords[nameWord.text] != nil)
                }
            guard !isMistake else { return nil }
            let own = CustomWords(subject: opening.subject, range: words, nameWords: nameWords)
            if let refusal = refusal(of: own, in: bytes) { throw refusal }
            opening.end = words.upperBound
            return opening
        }
        return nil
    }

    private func opening(
        _ row: FinderGrammar.SubjectRow, _ name: String, _ bytes: [UInt8], _ end: FinderGrammar.SubjectRow.End
    ) throws(FinderError) -> Opening {
        guard !end.digits.isEmpty else {
            return Opening(row: row, subject: row.subject(nil), isDistinct: row.isDistinct, end: end.whole)
        }
        let number = String(decoding: bytes[end.digits], as: UTF8.self)
        guard let limit = Int(number), limit > 0 else {
            throw .invalidLimit(className: className, finder: name, part: number, offset: end.digits.lowerBound)
        }
        return Opening(row: row, subject: row.subject(limit), isDistinct: row.isDistinct, end: end.whole)
    }

    /// The text between a subject and `By` or `OrderBy`, if it consists of letters and begins like a word. Text with
    /// digits is a misspelled limit: `findFrst3ByAge`.
    private func freeWords(from start: Int, in name: [UInt8]) -> Range<Int>? {
        guard start < name.count else { return nil }
        let end = (start + 1..<name.count).first { position in
            [FinderGrammar.order, FinderGrammar.mark].contains { word in
                word.end(at: position, in: name).map { $0 == name.count || !(0x61...0x7A).contains(name[$0]) } ?? false
            }
        }
        guard let end else { return nil }
        let words = String(decoding: name[start..<end], as: UTF8.self)
        guard words.first?.isLowercase == false, words.allSatisfy(\.isLetter) else { return nil }
        return start..<end
    }
}

extension FinderGrammar.SubjectRow {
    /// The end of a subject, and the number in it.
    struct End {
        let digits: Range<Int>
        let whole: Int
    }

    /// The end of the subject in a name; nil if the name does not begin with it.
    fileprivate func end(in name: [UInt8]) -> End? {
        guard let start = opening.end(at: 0, in: name) else { return nil }
        var digits = start
        while takesLimit, digits < name.count, (0x30...0x39).contains(name[digits]) { digits += 1 }
        return closing.end(at: digits, in: name).map { End(digits: start..<digits, whole: $0) }
    }
}

extension ParsedFinder.Subject {
    /// Whether the subject supports `Distinct`.
    fileprivate var canBeDistinct: Bool {
        switch self {
        case .find, .first, .last, .count: true
        case .only, .exists, .delete, .findOrCreate, .findOrInitialize, .ids, .aggregate: false
        }
    }
}
