/// Which properties an index would help to find, where a query reads every row of its class.
struct IndexAdvice {
    private let map: ClassMap
    /// Sets of indexes: with all those of one, SQLite need not read every row.
    private let choices: [[Candidate]]

    /// An index that is not there.
    private struct Candidate: Equatable {
        let property: String
        var ignoresCase = false
    }

    /// A part of a condition.
    private enum Part {
        case column(Property)
        /// A column whose texts are taken without regard to case.
        case caseless(Property)
        case argument
        /// A condition, by the choices that it offers.
        case condition([[Candidate]])
        case other
    }

    init(_ definition: QueryDefinition, _ map: ClassMap) {
        self.map = map
        var parts: [Part] = []
        for word in definition.condition?.words ?? [] {
            switch word {
            case .argument: parts.append(.argument)
            case .column(let scope, let path):
                parts.append(IndexAdvice.property(path, scope, map).map { .column($0) } ?? .other)
            case .enter:
                parts.removeLast(Swift.min(1, parts.count))
            case .leave, .leaveAggregate:
                parts.removeLast(Swift.min(1, parts.count))
                parts.append(.other)
            case .enterQuery: break
            case .leaveQuery:
                // The value and the condition of the other query.
                parts.removeLast(Swift.min(2, parts.count))
                parts.append(.other)
            case .leaveFirst(let first):
                // The id, the condition, the values and the orders.
                parts.removeLast(Swift.min(2 + first.keyCount + first.orders.count, parts.count))
                parts.append(.other)
            case .operation(let operation):
                let operands = Array(parts.suffix(operation.operandCount))
                parts.removeLast(operands.count)
                parts.append(IndexAdvice.part(operation, operands, map))
            }
        }
        if case .condition(let choices)? = parts.last { self.choices = choices } else { choices = [] }
    }

    private static func property(_ path: QueryPath, _ scope: Int, _ map: ClassMap) -> Property? {
        guard scope == 0, path.steps.count == 1, case .property(let place)? = try? path.steps[0].subject(in: map)
        else { return nil }
        return map.properties[place].hasColumn ? map.properties[place] : nil
    }

    /// An index on a property; nil where there is one.
    private static func candidate(_ part: Part?, _ map: ClassMap) -> Candidate? {
        switch part {
        case .column(let property):
            let isIndexed = property.isUnique || map.indexes.contains { $0.columns.first == property.column }
            return isIndexed ? nil : Candidate(property: property.name)
        case .caseless(let property):
            let isIndexed = map.declaredIndexes.contains { index in
                if case .caseless(property.column)? = index.keys.first { true } else { false }
            }
            return isIndexed ? nil : Candidate(property: property.name, ignoresCase: true)
        default: return nil
        }
    }

    private static func part(_ operation: QueryOperation, _ operands: [Part], _ map: ClassMap) -> Part {
        switch operation {
        case .folded:
            switch operands.first {
            case .column(let property)? where property.codec.isString:
                return .caseless(property)
            case .argument?: return .argument
            default: return .other
            }
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn, .isNil:
            if case .caseless? = operands.first { return .other }
            fallthrough
        case .equal, .hasPrefix:
            let areArguments = operands.dropFirst().allSatisfy { if case .argument = $0 { true } else { false } }
            guard areArguments, let candidate = candidate(operands.first, map) else { return .other }
            return .condition([[candidate]])
        case .and:
            return .condition(operands.flatMap(choices))
        case .or:
            // Each side must be found by an index.
            let sides = operands.map(choices)
            guard let first = sides.first?.first, let second = sides.last?.first else { return .other }
            return .condition([first + second.filter { !first.contains($0) }])
        default: return .other
        }
    }

    private static func choices(_ part: Part) -> [[Candidate]] {
        if case .condition(let choices) = part { choices } else { [] }
    }

    /// Whether an index could help at all.
    var isUseful: Bool { !choices.isEmpty }

    /// The suggestion, as a part of a sentence; nil if no index would help.
    var suggestion: String? {
        text { isFirst, property in (isFirst ? "@Indexed " : "") + "to \(map.name).\(property)" }.map { "add \($0)" }
    }

    /// One line; nil where no index would help.
    var hint: String? {
        text { isFirst, property in (isFirst ? "@Indexed " : "") + "on \(property)" }
            .map { "Hint: The query reads every row of \(map.table). Declare \($0) to avoid that." }
    }

    /// The choices in words.
    private func text(_ index: (_ isFirst: Bool, _ property: String) -> String) -> String? {
        guard !choices.isEmpty else { return nil }
        var isFirst = true
        var seen: [[Candidate]] = []
        for choice in choices where !seen.contains(choice) { seen.append(choice) }
        let texts = seen.map { choice in
            choice.map { candidate -> String in
                defer { isFirst = candidate.ignoresCase }
                guard !candidate.ignoresCase else {
                    return "Index(ignoringCase: \\\(map.name).\(candidate.property))"
                }
                return index(isFirst, candidate.property)
            }
            .joined(separator: " and ")
        }
        return texts.joined(separator: ", or ")
    }
}

extension QueryOperation {
    /// The number of values that it takes.
    fileprivate var operandCount: Int {
        switch self {
        case .always, .never, .random, .groupAggregate(.rows): 0
        case .function(let call): call.argumentCount
        case .raw(let condition): condition.lists.count
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .add, .subtract, .multiply, .divide,
            .remainder, .concatenate, .coalesce, .and, .or, .glob, .regexp, .anchoredRegexp, .contains,
            .containsElement, .isIn, .valueOfKey, .isOfHistory:
            2
        case .between, .hasPrefix, .hasSuffix: 3
        default: 1
        }
    }
}
