// Suggestions for a name without a subject.
extension FinderParser {
    private static let subjectNames = NameSuggestions(FinderGrammar.subjects.map(\.spelling))
    private static let staticNames = NameSuggestions(FinderGrammar.staticNames)

    /// Existing names that an unknown name may have meant.
    func namesMeant(by name: String) -> [String] {
        guard name.utf8.count <= 256 else { return [] }
        var meant: [String] = []
        for (subject, criteria) in splits(of: name) {
            let repaired = subject + FinderGrammar.mark.spelling + criteria
            meant.append(reads(repaired) ? repaired : subject + FinderGrammar.mark.spelling + "…")
        }
        meant += aggregates(in: name)
        if let near = Self.staticNames.nearest(to: name) {
            let isNearer = near.distance == 0 || meant.isEmpty
            meant = isNearer ? near.names + meant : meant + near.names
        }
        var seen = Set<String>()
        return Array(meant.filter { seen.insert($0).inserted }.prefix(3))
    }

    /// Possible splits of a name without a subject into a subject and criteria: the subject is misspelled before `By`,
    /// `By` is in lowercase, or `By` is missing.
    private func splits(of name: String) -> [(subject: String, criteria: String)] {
        var splits: [(subject: String, criteria: String)] = []
        let lowercased = Array(name.utf8).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        let mark = FinderWord(FinderGrammar.mark.spelling.lowercased(), ())
        if let place = lowercased.indices.first(where: { mark.occurs(at: $0, in: lowercased) }) {
            let head = String(decoding: name.utf8.prefix(place), as: UTF8.self)
            let criteria = String(decoding: name.utf8.dropFirst(place + mark.bytes.count), as: UTF8.self)
            let digits = head.filter { $0.isASCII && $0.isNumber }
            if let near = Self.subjectNames.nearest(to: head.filter { !$0.isNumber })?.names.first,
                let row = FinderGrammar.subjects.first(where: { $0.spelling == near }), !row.isAggregate
            {
                let number = row.takesLimit ? digits : ""
                splits.append((row.opening.spelling + number + row.closing.spelling, criteria))
            }
        }
        for row in FinderGrammar.subjects where !row.isAggregate {
            let criteria = String(decoding: name.utf8.dropFirst(row.spelling.utf8.count), as: UTF8.self)
            guard name.utf8.starts(with: row.spelling.utf8) else { continue }
            if reads(row.spelling + FinderGrammar.mark.spelling + criteria) { splits.append((row.spelling, criteria)) }
        }
        return splits
    }

    /// Aggregates without `Of`, or with `of` in lowercase.
    private func aggregates(in name: String) -> [String] {
        FinderGrammar.subjects.filter(\.isAggregate).flatMap { row in
            let word = String(row.spelling.dropLast(2))
            guard name.hasPrefix(word) else { return [String]() }
            let rest = String(name.dropFirst(word.count))
            let rests = rest.lowercased().hasPrefix("of") ? [String(rest.dropFirst(2)), rest] : [rest]
            return rests.map { row.spelling + $0 }.filter(reads)
        }
    }
}
