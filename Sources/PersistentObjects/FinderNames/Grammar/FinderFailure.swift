// Explanations why a name cannot be read, with suggestions.
extension FinderParser {
    private static let directionNames = NameSuggestions(FinderGrammar.directionNames)
    private static let markNames = NameSuggestions([FinderGrammar.mark.spelling])

    /// The reason why a name has no reading. It names the furthest position at which a reading ended, unless that
    /// position is inside a word and resembles nothing there: `ign` in `NameOrign`, where `Or` was read as the
    /// connective.
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
        case .afterLink(let path, let target):
            return .unknownPathProperty(
                className: className, finder: finder, path: path, target: target, part: best.part,
                offset: best.offset, suggestions: best.suggestions)
        case .afterProperty(let property):
            return .unknownOperator(
                className: className, finder: finder, property: property, part: best.part, offset: best.offset,
                suggestions: best.suggestions)
        case .after(let previous, let expected):
            return .unknownWord(
                className: className, finder: finder, previous: previous, part: best.part, offset: best.offset,
                expected: expected, suggestions: best.suggestions)
        }
    }
}

extension FinderParser {
    private struct Break {
        /// The context before the unknown part.
        enum Place {
            case property
            case afterLink(path: String, target: String)
            case afterProperty(String)
            /// The text that was read, and the words that can follow it.
            case after(String, [String])
        }

        var place: Place
        var part: String
        var offset: Int
        var suggestions: [String]
        var distance: Int?
        var startsWord: Bool
    }

    private func breakingOff(at node: Int, in chart: FinderChart) -> Break {
        switch chart.nodes[node].expectation {
        case .property, .measured, .orderedProperty: return unknownProperty(at: node, in: chart)
        case .closing:
            let previous = "AllIgnoreCase"
            return unknownWord(at: node, in: chart, after: previous, [FinderGrammar.order.spelling])
        case .measuredEnd:
            return unknownAfterProperty(at: node, in: chart, [FinderGrammar.mark.spelling], Self.markNames)
        case .orderConnective:
            let words = FinderGrammar.directionNames + ["And"]
            return unknownAfterProperty(at: node, in: chart, words, Self.directionNames)
        default: return unknownAfterProperty(at: node, in: chart, nil, vocabulary.operators.names)
        }
    }

    /// A part that follows a word with few possible successors.
    private func unknownWord(
        at node: Int, in chart: FinderChart, after previous: String, _ expected: [String]
    ) -> Break {
        let position = chart.nodes[node].position
        let part = chart.text(position..<(chart.cuts(after: position, .closing).first ?? chart.name.count))
        let near = NameSuggestions(expected).nearest(to: part)
        return Break(
            place: .after(previous, expected), part: part, offset: position, suggestions: near?.names ?? [],
            distance: near?.distance, startsWord: !chart.isInsideWord(position))
    }

    /// An unknown part after a property: a misspelled operator, or the rest of a misspelled property or path.
    ///
    /// `expected` is nil if an operator can follow.
    private func unknownAfterProperty(
        at node: Int, in chart: FinderChart, _ expected: [String]?, _ words: NameSuggestions
    ) -> Break {
        // Goes back from the failed position over the operator or direction to the property.
        var after = node
        var property: FinderChart.Step?
        var isAfterCase = false
        while property == nil, let step = chart.steps.last(where: { $0.to == after }) {
            if case .property = step.word {
                property = chart.steps.first { $0.to == after }
            } else {
                isAfterCase = isAfterCase || step.word == .ignoreCase || step.cost >= FinderChart.Price.fault
                after = step.from
            }
        }
        guard let property, case .property(let index) = property.word else {
            let position = chart.nodes[node].position
            return Break(place: .property, part: "", offset: position, suggestions: [], startsWord: false)
        }
        let path = vocabulary.text(of: chart.path(to: property.from) + [index])
        // The text before `rest` was read unambiguously.
        let rest = chart.nodes[isAfterCase ? node : after].position
        let whole = unknownProperty(at: property.from, in: chart)
        let part = chart.text(rest..<(chart.cuts(after: rest, chart.nodes[node].expectation).first ?? chart.name.count))
        let near = words.nearest(to: part)
        let isInsideWord = chart.isInsideWord(rest)
        let nearest = near?.distance ?? .max
        let link = chart.steps.last { $0.from == property.from && $0.word == .link(index) }
        if !isInsideWord, let next = link.map({ unknownProperty(at: $0.to, in: chart) }),
            next.distance ?? .max <= nearest,
            // The link resembles every path that begins with it, so its distance does not count.
            next.distance ?? .max <= whole.distance ?? .max
                || whole.suggestions.first == chart.propertyName(of: property)
        {
            return next
        }
        if !isAfterCase, isInsideWord && near == nil || whole.distance ?? .max < nearest { return whole }
        return Break(
            place: expected.map { .after(path, $0) } ?? .afterProperty(path), part: part, offset: rest,
            suggestions: near?.names ?? [], distance: near?.distance, startsWord: !isInsideWord)
    }

    private func unknownProperty(at node: Int, in chart: FinderChart) -> Break {
        let start = chart.nodes[node].position
        let expectation = chart.nodes[node].expectation
        let names = chart.vocabularies[chart.nodes[node].vocabulary]
        let unknown = unknownPart(at: start, expectation, in: chart, names.propertyNames)
        let startsWord = !chart.isInsideWord(start)
        let links = chart.path(to: node)
        guard !links.isEmpty else {
            var suggestions = unknown.suggestions
            // A misspelled link does not resemble a property, so whole paths are compared.
            if suggestions.isEmpty {
                suggestions = unknownPart(at: start, expectation, in: chart, names.pathNames).suggestions
            }
            return Break(
                place: .property, part: unknown.part, offset: start, suggestions: suggestions,
                distance: unknown.distance, startsWord: startsWord)
        }
        let path = vocabulary.text(of: links)
        return Break(
            place: .afterLink(path: path, target: names.className), part: unknown.part, offset: start,
            suggestions: unknown.suggestions.map { "\(path).\($0)" }, distance: unknown.distance,
            startsWord: startsWord)
    }

    /// The part of the rest that was probably meant as one property: up to the first `And` or `Or` that may be a
    /// connective, unless a longer or shorter part is closer to a property.
    private func unknownPart(
        at position: Int, _ expectation: FinderGrammar.Expectation, in chart: FinderChart, _ names: NameSuggestions
    ) -> (part: String, distance: Int?, suggestions: [String]) {
        let ends = chart.cuts(after: position, expectation) + [chart.name.count]
        var best = (part: chart.text(position..<ends[0]), distance: Int?.none, suggestions: [String]())
        for end in ends {
            for length in closings(of: expectation, before: end, after: position, in: chart) {
                let part = chart.text(position..<end - length)
                guard let near = names.nearest(to: part), near.distance < best.distance ?? .max else {
                    continue
                }
                best = (part, near.distance, near.names)
            }
        }
        return best
    }

    /// The lengths of operators that may end a part which begins with a property, shortest first.
    private func closings(
        of expectation: FinderGrammar.Expectation, before end: Int, after position: Int, in chart: FinderChart
    ) -> [Int] {
        guard expectation == .property else { return [0] }
        return [0]
            + vocabulary.operators.closingWords.filter { word in
                end - word.bytes.count > position && word.occurs(at: end - word.bytes.count, in: chart.name)
            }.map(\.bytes.count)
    }
}
