// The words that are allowed at each node of the chart, and the nodes that they lead to.
extension FinderChart {
    /// Adds the words found at a node.
    mutating func step(from node: Int) {
        switch nodes[node].expectation {
        case .mark, .measuredEnd: stepOverMark(from: node)
        case .measured: stepOverPath(from: node, to: .measuredEnd)
        case .property:
            stepOverPath(from: node, to: .operation)
            stepOverCase(from: node, fault: .noCaseToIgnore)
        case .orderedProperty: stepOverPath(from: node, to: .direction)
        case .operation, .caselessOperation: stepOverOperator(from: node)
        case .modifier:
            for word in FinderGrammar.ignoreCase.matches(at: nodes[node].position, in: name) {
                add(.ignoreCase, from: node, to: nodeAfter(word, .connective, node))
            }
            stepOverConnective(from: node)
        case .connective:
            stepOverConnective(from: node)
            stepOverCase(from: node, fault: .caseIgnoredTwice)
        case .uncasedConnective:
            stepOverConnective(from: node)
            stepOverCase(from: node, fault: .noCaseToIgnore)
        case .closing:
            stepOverOrder(from: node)
            addEnd(from: node)
            for word in FinderGrammar.connectives.matches(at: nodes[node].position, in: name)
            where !isInsideWord(nodes[node].position + word.bytes.count) {
                add(.fault(.notLast), from: node, to: nodeAfter(word, .property, node), cost: Price.fault)
            }
        case .direction: stepOverDirection(from: node)
        case .orderConnective: stepOverOrderConnective(from: node)
        }
    }

    private mutating func stepOverMark(from node: Int) {
        if let end = FinderGrammar.mark.end(at: nodes[node].position, in: name) {
            add(.mark, from: node, to: Node(.property, at: end))
            if let end = FinderGrammar.order.end(at: end, in: name) {
                add(.order, from: node, to: Node(.orderedProperty, at: end))
            }
        }
        stepOverOrder(from: node)
        if nodes[node].expectation == .measuredEnd { addEnd(from: node) }
    }

    private mutating func stepOverPath(from node: Int, to next: FinderGrammar.Expectation) {
        let here = nodes[node]
        let vocabulary = vocabularies[here.vocabulary]
        for word in vocabulary.lexicon.properties(at: here.position, in: name) {
            let end = here.position + word.bytes.count
            let hasElements = next == .operation && vocabulary.hasElements(word.meaning)
            add(.property(word.meaning), from: node, to: Node(next, at: end, hasElements: hasElements))
            guard end < name.count, let target = vocabulary.target(of: word.meaning) else { continue }
            let place = place(of: target)
            add(
                .link(word.meaning), from: node, to: Node(here.expectation, at: end, of: place), cost: Price.link)
            if let end = FinderGrammar.boundary.end(at: end, in: name) {
                add(
                    .link(word.meaning), from: node, to: Node(here.expectation, at: end, of: place), cost: Price.link)
            }
        }
    }

    private mutating func stepOverOperator(from node: Int) {
        let here = nodes[node]
        let isCaseless = here.expectation == .caselessOperation
        let operators = vocabularies[0].operators
        for word in operators.words.matches(at: here.position, in: name) {
            let row = operators.rows[word.meaning]
            let next = nodeAfter(word, row.expectation(isCaseless: isCaseless), node)
            if isCaseless, let reason = row.faultOfCase {
                add(.fault(reason), from: node, to: next, cost: Price.fault)
            } else {
                let isMismatch = row.comparison.operation.requiresElements && !here.hasElements
                add(.operation(word.meaning), from: node, to: next, cost: isMismatch ? Price.mismatch : 0)
            }
            // A second negation after `Not` or `IsNot`.
            let isNegation = row.comparison == FinderComparison(.equal, isNegated: true)
            if isNegation, FinderGrammar.negation.occurs(at: here.position + word.bytes.count, in: name) {
                let next = Node(
                    here.expectation, at: here.position + word.bytes.count, hasElements: here.hasElements)
                add(.fault(.negatedTwice), from: node, to: next, cost: Price.fault)
            }
        }
        guard !isCaseless else { return }
        for word in FinderGrammar.ignoreCase.matches(at: here.position, in: name) {
            let end = here.position + word.bytes.count
            add(.ignoreCase, from: node, to: Node(.caselessOperation, at: end, hasElements: here.hasElements))
        }
        add(.operation(FinderGrammar.plainOperator), from: node, to: Node(.modifier, at: here.position))
    }

    private mutating func stepOverConnective(from node: Int) {
        addEnd(from: node)
        for word in FinderGrammar.connectives.matches(at: nodes[node].position, in: name) {
            add(.connective(word.meaning), from: node, to: nodeAfter(word, .property, node))
        }
        for word in FinderGrammar.ignoreAllCase.matches(at: nodes[node].position, in: name) {
            add(.ignoreAllCase, from: node, to: nodeAfter(word, .closing, node))
        }
        stepOverOrder(from: node)
    }

    private mutating func stepOverOrder(from node: Int) {
        if let end = FinderGrammar.order.end(at: nodes[node].position, in: name) {
            add(.order, from: node, to: Node(.orderedProperty, at: end))
        }
    }

    /// Case words without a criterion that they could apply to.
    private mutating func stepOverCase(from node: Int, fault: FinderError.MisplacedReason) {
        for word in FinderGrammar.ignoreCase.matches(at: nodes[node].position, in: name) {
            add(.fault(fault), from: node, to: nodeAfter(word, .connective, node), cost: Price.fault)
        }
        guard nodes[node].expectation == .property else { return }
        for word in FinderGrammar.ignoreAllCase.matches(at: nodes[node].position, in: name) {
            add(.fault(fault), from: node, to: nodeAfter(word, .closing, node), cost: Price.fault)
        }
    }

    private mutating func stepOverDirection(from node: Int) {
        for word in FinderGrammar.directions.matches(at: nodes[node].position, in: name) {
            let direction = Word.direction(isDescending: word.meaning)
            add(direction, from: node, to: nodeAfter(word, .orderConnective, node))
            let next = nodeAfter(word, .orderedProperty, node)
            if next.position < name.count { add(direction, from: node, to: next) }
        }
        add(.direction(isDescending: false), from: node, to: Node(.orderConnective, at: nodes[node].position))
    }

    private mutating func stepOverOrderConnective(from node: Int) {
        addEnd(from: node)
        let position = nodes[node].position
        for word in FinderGrammar.connectives.matches(at: position, in: name) {
            let next = nodeAfter(word, .orderedProperty, node)
            if word.meaning == .and {
                add(.connective(.and), from: node, to: next)
            } else if !isInsideWord(next.position) {
                add(.fault(.orInOrder), from: node, to: next, cost: Price.fault)
            }
        }
        if let end = FinderGrammar.order.end(at: position, in: name) {
            add(.fault(.orderedTwice), from: node, to: Node(.orderedProperty, at: end), cost: Price.fault)
        }
        for word in FinderGrammar.directions.matches(at: position, in: name) {
            add(.fault(.directedTwice), from: node, to: nodeAfter(word, .orderConnective, node), cost: Price.fault)
        }
        for words in [FinderGrammar.ignoreCase, FinderGrammar.ignoreAllCase] {
            for word in words.matches(at: position, in: name) {
                add(.fault(.caseOfOrder), from: node, to: nodeAfter(word, .orderConnective, node), cost: Price.fault)
            }
        }
    }

    private func nodeAfter<M>(_ word: FinderWord<M>, _ expectation: FinderGrammar.Expectation, _ node: Int) -> Node {
        Node(expectation, at: nodes[node].position + word.bytes.count)
    }
}

extension FinderGrammar.OperatorRow {
    /// The words that can follow the operator, directly or after `IgnoreCase`.
    fileprivate func expectation(isCaseless: Bool) -> FinderGrammar.Expectation {
        if comparison.argumentCount == 0 || comparison.operation.isOwn { return .uncasedConnective }
        return isCaseless || ignoresCase ? .connective : .modifier
    }

    /// The fault of combining the operator with `IgnoreCase`.
    fileprivate var faultOfCase: FinderError.MisplacedReason? {
        if ignoresCase { return .caseIgnoredTwice }
        if comparison.operation.isOwn { return .ownOperator }
        return comparison.argumentCount == 0 ? .noCaseToIgnore : nil
    }
}

extension FinderOperation {
    /// Whether the operation supports only collections and inverses.
    fileprivate var requiresElements: Bool { self == .containingAll || self == .containingAny }
}
