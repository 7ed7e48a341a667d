// Why a name cannot be read, and what may have been meant.
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
        switch best.place {
        case .property:
            return .unknownProperty(
                className: className, finder: finder, part: best.part, offset: best.offset,
                suggestions: best.suggestions)
        case .behindLink(let path, let target):
            return .unknownPathProperty(
                className: className, finder: finder, path: path, target: target, part: best.part,
                offset: best.offset, suggestions: best.suggestions)
        case .behindProperty(let property):
            return .unknownOperator(
                className: className, finder: finder, property: property, part: best.part, offset: best.offset,
                suggestions: best.suggestions)
        }
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
        /// What stands before the unknown part.
        enum Place {
            case property
            case behindLink(path: String, target: String)
            case behindProperty(String)
        }

        var place: Place
        var part: String
        var offset: Int
        var suggestions: [String]
        var distance: Int?
        var startsWord: Bool
    }

    private func breakingOff(at node: Int, in chart: FinderChart) -> Break {
        let position = chart.nodes[node].position
        if chart.nodes[node].expectation == .property { return unknownProperty(at: node, in: chart) }
        // Back from the broken off end over the operator to the property.
        guard let operation = chart.steps.last(where: { $0.to == node }),
            let property = chart.steps.first(where: { $0.to == operation.from }),
            case .property(let index) = property.word
        else { return Break(place: .property, part: "", offset: position, suggestions: [], startsWord: false) }
        let rest = chart.nodes[operation.from].position
        let whole = unknownProperty(at: property.from, in: chart)
        let part = chart.text(rest..<(chart.cuts(after: rest).first ?? chart.name.count))
        let operators = Self.operatorNames.nearest(to: part)
        let isInsideWord = chart.isInsideWord(rest)
        let nearest = operators?.distance ?? .max
        let behind = chart.steps.last { $0.from == property.from && $0.word == .link(index) }
        if !isInsideWord, let next = behind.map({ unknownProperty(at: $0.to, in: chart) }),
            next.distance ?? .max <= nearest,
            // The link itself is near to what begins with it, and says nothing.
            next.distance ?? .max <= whole.distance ?? .max
                || whole.suggestions.first == chart.propertyName(of: property)
        {
            return next
        }
        if isInsideWord && operators == nil || whole.distance ?? .max < nearest { return whole }
        let path = vocabulary.text(of: chart.path(to: property.from) + [index])
        return Break(
            place: .behindProperty(path), part: part, offset: rest, suggestions: operators?.names ?? [],
            distance: operators?.distance, startsWord: !isInsideWord)
    }

    private func unknownProperty(at node: Int, in chart: FinderChart) -> Break {
        let start = chart.nodes[node].position
        let names = chart.vocabularies[chart.nodes[node].vocabulary]
        let unknown = unknownPart(at: start, in: chart, names.propertyNames)
        let startsWord = !chart.isInsideWord(start)
        let links = chart.path(to: node)
        guard !links.isEmpty else {
            var suggestions = unknown.suggestions
            // A link that is misspelt is not near to any property: the whole path is looked at.
            if suggestions.isEmpty { suggestions = unknownPart(at: start, in: chart, names.pathNames).suggestions }
            return Break(
                place: .property, part: unknown.part, offset: start, suggestions: suggestions,
                distance: unknown.distance, startsWord: startsWord)
        }
        let path = vocabulary.text(of: links)
        return Break(
            place: .behindLink(path: path, target: names.className), part: unknown.part, offset: start,
            suggestions: unknown.suggestions.map { "\(path).\($0)" }, distance: unknown.distance,
            startsWord: startsWord)
    }

    /// How much of the rest was meant as one property: up to the first `And` or
    /// `Or` that may be a connective, unless a longer or shorter part is nearer
    /// to a property.
    private func unknownPart(
        at position: Int, in chart: FinderChart, _ names: NameSuggestions
    ) -> (part: String, distance: Int?, suggestions: [String]) {
        let ends = chart.cuts(after: position).prefix(3) + [chart.name.count]
        var best = (part: chart.text(position..<ends[0]), distance: Int?.none, suggestions: [String]())
        for end in ends {
            for word in chart.lexicon.operators.reversed() {
                let partEnd = end - word.bytes.count
                guard partEnd > position, word.stands(at: partEnd, in: chart.name) else { continue }
                let part = chart.text(position..<partEnd)
                guard let near = names.nearest(to: part), near.distance < best.distance ?? .max else {
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
