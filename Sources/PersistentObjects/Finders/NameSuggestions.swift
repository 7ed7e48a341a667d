/// Names to choose from when one was misspelt. Case does not count; a swap of
/// neighbours counts as one edit; failing that, a longer name that the text
/// opens or closes is near. Long texts are not compared at all, so the cost
/// stays small whatever the user wrote.
struct NameSuggestions: Sendable {
    private let names: [(name: String, folded: [Unicode.Scalar])]
    private static let longest = 128

    init(_ names: [String]) {
        self.names = names.map { ($0, Self.folded($0)) }
    }

    /// The names near a text, nearest first, at most three, and the distance of
    /// the nearest; nil where none is near.
    func nearest(to text: String) -> (distance: Int, names: [String])? {
        guard text.utf8.count <= 4 * Self.longest else { return nil }
        let wanted = Self.folded(text)
        guard !wanted.isEmpty, wanted.count <= Self.longest else { return nil }
        let limit = Self.tolerance(for: wanted.count)
        let near = names.enumerated().compactMap { index, entry -> (distance: Int, index: Int)? in
            guard let distance = Self.distance(wanted, entry.folded, atMost: limit) else { return nil }
            return (distance, index)
        }.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
        if let best = near.first { return (best.distance, near.prefix(3).map { names[$0.index].name }) }
        let longer = wanted.count < 3 ? [] : names.filter { Self.opensOrCloses(wanted, $0.folded) }
        return longer.isEmpty ? nil : (limit + 1, longer.prefix(3).map(\.name))
    }

    private static func opensOrCloses(_ part: [Unicode.Scalar], _ whole: [Unicode.Scalar]) -> Bool {
        whole.starts(with: part) || whole.suffix(part.count).elementsEqual(part)
    }

    /// A third of the letters: more would suggest names that share nothing but
    /// their length.
    private static func tolerance(for length: Int) -> Int {
        length < 2 ? 0 : min(4, max(1, length / 3))
    }

    private static func folded(_ text: String) -> [Unicode.Scalar] {
        Array(text.lowercased().unicodeScalars)
    }

    /// Optimal string alignment distance, or nil where it exceeds the limit.
    static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], atMost limit: Int) -> Int? {
        guard abs(a.count - b.count) <= limit else { return nil }
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            row.reserveCapacity(b.count + 1)
            for j in 1...b.count {
                var best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, beforeLast[j - 2] + 1) }
                row.append(best)
            }
            if let least = row.min(), least > limit, let before = last.min(), before >= limit { return nil }
            (beforeLast, last) = (last, row)
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }
}

extension FinderParser {
    private static let operatorNames = NameSuggestions(FinderGrammar.operators.map(\.spelling).filter { !$0.isEmpty })
    private static let subjectNames = NameSuggestions(FinderGrammar.subjects.map(\.spelling))
    private static let staticNames = NameSuggestions(FinderGrammar.staticNames)

    /// Why a name has no reading. The furthest place that a reading broke off
    /// at is shown, unless it lies inside a word (`ign` in `NameOrign`, where
    /// `Or` was taken for the connective) and resembles nothing there.
    func failure(in finder: String, _ chart: FinderChart) -> FinderError {
        let nodes = chart.deadEnds.suffix(8).reversed().flatMap { node in
            [node] + chart.steps.filter { $0.to == node && $0.isConnective }.map(\.from)
        }
        let breaks = nodes.map { breakingOff(at: $0, in: chart) }
        let best = breaks.first { $0.startsWord || !$0.suggestions.isEmpty } ?? breaks.first
        guard let best else {
            return .unknownProperty(className: className, finder: finder, part: "", offset: 0, suggestions: [])
        }
        if let property = best.property {
            return .unknownOperator(
                className: className, finder: finder, property: properties[property], part: best.part,
                offset: best.offset, suggestions: best.suggestions)
        }
        return .unknownProperty(
            className: className, finder: finder, part: best.part, offset: best.offset, suggestions: best.suggestions)
    }

    /// Existing names that an unknown one may have meant.
    func namesMeant(by name: String) -> [String] {
        guard name.utf8.count <= 256 else { return [] }
        var meant: [String] = []
        for (subject, criteria) in splits(of: name) {
            let repaired = subject + FinderGrammar.mark + criteria
            meant.append(reads(repaired) ? repaired : subject + FinderGrammar.mark + "…")
        }
        if let near = Self.staticNames.nearest(to: name) {
            let isNearer = near.distance == 0 || meant.isEmpty
            meant = isNearer ? near.names + meant : meant + near.names
        }
        var seen = Set<String>()
        return Array(meant.filter { seen.insert($0).inserted }.prefix(3))
    }
}

extension FinderParser {
    private struct Break {
        var part: String
        var offset: Int
        var suggestions: [String]
        /// The property read before an unknown operator.
        var property: Int?
        var startsWord: Bool
    }

    private func breakingOff(at node: Int, in chart: FinderChart) -> Break {
        let position = FinderChart.position(of: node)
        if FinderChart.expectation(at: node) == .property {
            let unknown = unknownProperty(at: position, in: chart)
            return Break(
                part: unknown.part, offset: position, suggestions: unknown.suggestions, property: nil,
                startsWord: !chart.isInsideWord(position))
        }
        // Back from the broken off end over the operator to the property.
        guard let operation = chart.steps.last(where: { $0.to == node }),
            let property = chart.steps.first(where: { $0.to == operation.from }),
            case .property(let index) = property.word
        else { return Break(part: "", offset: position, suggestions: [], property: nil, startsWord: false) }
        let start = FinderChart.position(of: property.from)
        let rest = FinderChart.position(of: operation.from)
        let whole = unknownProperty(at: start, in: chart)
        let part = chart.text(rest..<(chart.cuts(after: rest).first ?? chart.name.count))
        let operators = Self.operatorNames.nearest(to: part)
        let isInsideWord = chart.isInsideWord(rest)
        let prefersProperty = (whole.distance ?? .max) < (operators?.distance ?? .max)
        if isInsideWord && operators == nil || prefersProperty {
            return Break(
                part: whole.part, offset: start, suggestions: whole.suggestions, property: nil,
                startsWord: !chart.isInsideWord(start))
        }
        return Break(
            part: part, offset: rest, suggestions: operators?.names ?? [], property: index, startsWord: !isInsideWord)
    }

    /// How much of the rest was meant as one property: up to the first `And` or
    /// `Or` that may be a connective, unless a longer or shorter part is nearer
    /// to a property.
    private func unknownProperty(
        at position: Int, in chart: FinderChart
    ) -> (part: String, distance: Int?, suggestions: [String]) {
        let ends = chart.cuts(after: position).prefix(3) + [chart.name.count]
        var best = (part: chart.text(position..<ends[0]), distance: Int?.none, suggestions: [String]())
        for end in ends {
            for word in chart.lexicon.operators.reversed() {
                let partEnd = end - word.bytes.count
                guard partEnd > position, word.stands(at: partEnd, in: chart.name) else { continue }
                let part = chart.text(position..<partEnd)
                guard let near = propertyNames.nearest(to: part), near.distance < best.distance ?? .max else {
                    continue
                }
                best = (part, near.distance, near.names)
            }
        }
        return best
    }

    /// Ways to see a subject and criteria in a name that has no subject: the
    /// subject misspelt before `By`, `By` in lower case, or `By` left out.
    private func splits(of name: String) -> [(subject: String, criteria: String)] {
        var splits: [(subject: String, criteria: String)] = []
        let lowercased = Array(name.utf8).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        let mark = FinderWord(FinderGrammar.mark.lowercased(), ())
        if let place = lowercased.indices.first(where: { mark.stands(at: $0, in: lowercased) }) {
            let head = String(decoding: name.utf8.prefix(place), as: UTF8.self)
            let criteria = String(decoding: name.utf8.dropFirst(place + mark.bytes.count), as: UTF8.self)
            let digits = head.filter { $0.isASCII && $0.isNumber }
            if let near = Self.subjectNames.nearest(to: head.filter { !$0.isNumber })?.names.first,
                let row = FinderGrammar.subjects.first(where: { $0.spelling == near })
            {
                splits.append((row.takesLimit ? near + digits : near, criteria))
            }
        }
        for subject in FinderGrammar.subjects where name.utf8.starts(with: subject.spelling.utf8) {
            let criteria = String(decoding: name.utf8.dropFirst(subject.spelling.utf8.count), as: UTF8.self)
            if reads(subject.spelling + FinderGrammar.mark + criteria) { splits.append((subject.spelling, criteria)) }
        }
        return splits
    }
}

extension FinderChart {
    /// Places of an `And` or `Or` that the next word may begin behind.
    fileprivate func cuts(after start: Int) -> [Int] {
        guard start < name.count else { return [] }
        return name.indices[(start + 1)...].filter { position in
            lexicon.connectives.contains { word in
                word.stands(at: position, in: name) && !isInsideWord(position + word.bytes.count)
            }
        }
    }

    /// Whether a small letter stands here: a token rarely begins so.
    fileprivate func isInsideWord(_ position: Int) -> Bool {
        position < name.count && (0x61...0x7A).contains(name[position])
    }

    fileprivate func text(_ range: Range<Int>) -> String {
        String(decoding: name[range], as: UTF8.self)
    }
}
