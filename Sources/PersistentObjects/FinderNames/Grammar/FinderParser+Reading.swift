// Turns a path through the chart into a parsed finder.
extension FinderParser {
    func finder(_ opening: Opening, _ steps: [FinderChart.Step], _ chart: FinderChart) -> ParsedFinder {
        var finder = ParsedFinder(subject: opening.subject, isDistinct: opening.isDistinct)
        var group: [ParsedFinder.Criterion] = []
        var path: [Int] = []
        var ignoresCase = false
        for step in steps {
            switch step.word {
            case .link(let ordinal):
                path.append(ordinal)
            case .property(let ordinal):
                path.append(ordinal)
                switch chart.nodes[step.from].expectation {
                case .measured:
                    if case .aggregate(let aggregate, _) = opening.subject {
                        finder.subject = .aggregate(aggregate, of: path)
                    }
                    path = []
                case .orderedProperty:
                    finder.orders.append(ParsedFinder.Order(path: path))
                    path = []
                default: break
                }
            case .operation(let place):
                let row = vocabulary.operators.rows[place]
                group.append(
                    ParsedFinder.Criterion(
                        path: path, comparison: row.comparison, ignoresCase: row.ignoresCase || ignoresCase,
                        firstArgument: finder.argumentCount))
                finder.argumentCount += row.comparison.argumentCount
                path = []
                ignoresCase = false
            case .ignoreCase:
                // The word is after the operator if the path is empty, otherwise before it.
                if path.isEmpty { group[group.count - 1].ignoresCase = true } else { ignoresCase = true }
            case .connective(.or):
                finder.alternatives.append(group)
                group = []
            case .ignoreAllCase:
                finder.ignoresCaseOfTexts = true
            case .direction(let isDescending):
                finder.orders[finder.orders.count - 1].isDescending = isDescending
            case .end:
                if !group.isEmpty { finder.alternatives.append(group) }
            case .mark, .connective(.and), .order, .fault: break
            }
        }
        return finder
    }

    /// The first word that is not allowed in its place, or not with this subject.
    func misplacedWord(
        in steps: [FinderChart.Step], of subject: ParsedFinder.Subject, _ chart: FinderChart
    ) -> (range: Range<Int>, reason: FinderError.MisplacedReason)? {
        let rows = vocabulary.operators.rows
        if let fault = steps.firstIndex(where: { $0.cost >= FinderChart.Price.fault }),
            case .fault(let reason) = steps[fault].word
        {
            let isAfterCustom = fault > 0 && steps[fault - 1].row(in: rows)?.comparison.operation.isOwn ?? false
            return (chart.range(of: steps[fault]), reason == .noCaseToIgnore && isAfterCustom ? .ownOperator : reason)
        }
        var canIgnoreCase = false
        for step in steps {
            let isMisplaced =
                switch step.word {
                case .operation: step.row(in: rows)?.comparison != FinderComparison(.equal)
                case .connective(.or), .link, .ignoreCase, .ignoreAllCase: true
                default: false
                }
            if isMisplaced, subject.creates { return (chart.range(of: step), .notForCreation) }
            switch step.word {
            case .operation:
                let comparison = step.row(in: rows)?.comparison ?? FinderComparison(.equal)
                canIgnoreCase = canIgnoreCase || (comparison.argumentCount > 0 && !comparison.operation.isOwn)
            case .ignoreAllCase where !canIgnoreCase: return (chart.range(of: step), .noCaseToIgnore)
            case .order where !subject.hasOrder:
                let end = chart.nodes[step.to].position
                return (end - FinderGrammar.order.bytes.count..<end, .noOrder)
            default: break
            }
        }
        return nil
    }

    /// A reading as shown to the user: `lastName = ? and age = ?`.
    func text(of finder: ParsedFinder) -> String {
        var text = finder.alternatives.map { group in
            group.map { criterion in
                vocabulary.text(of: criterion.path) + vocabulary.operators.reading(criterion.comparison)
                    + (criterion.ignoresCase ? " ignoring case" : "")
            }.joined(separator: " and ")
        }.joined(separator: " or ")
        if text.isEmpty { text = "all" }
        if finder.ignoresCaseOfTexts { text += ", all ignoring case" }
        if case .aggregate(let aggregate, let path) = finder.subject {
            text = "\(aggregate) of \(vocabulary.text(of: path)) where \(text)"
        }
        let orders = finder.orders.map { vocabulary.text(of: $0.path) + ($0.isDescending ? " descending" : "") }
        return orders.isEmpty ? text : text + " by " + orders.joined(separator: ", ")
    }
}

extension FinderChart.Step {
    /// The operator row of the step; nil for other steps.
    fileprivate func row(in rows: [FinderGrammar.OperatorRow]) -> FinderGrammar.OperatorRow? {
        if case .operation(let place) = word { rows[place] } else { nil }
    }
}

extension ParsedFinder.Subject {
    /// Whether the finder returns objects or ids in an order that matters.
    fileprivate var hasOrder: Bool {
        switch self {
        case .find, .first, .last, .delete, .ids: true
        case .only, .count, .exists, .findOrCreate, .findOrInitialize, .aggregate: false
        }
    }

    /// Whether the finder creates an object from its arguments if it finds none.
    fileprivate var creates: Bool { self == .findOrCreate || self == .findOrInitialize }
}
