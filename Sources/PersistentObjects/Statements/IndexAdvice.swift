/// The properties whose indexes would help a query that reads every row of its class.
struct IndexAdvice {
    private let map: ClassMap
    /// Alternative sets of indexes. With all indexes of one set, SQLite need not read every row.
    private let choices: [[Candidate]]

    /// An index that does not exist.
    private struct Candidate: Equatable {
        let property: String
        var ignoresCase = false
    }

    /// A part of a condition.
    private enum Part {
        case column(Property)
        /// A column of strings whose case is ignored.
        case caseless(Property)
        case argument
        /// A condition, with the sets of indexes that would help it.
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
                // Removes the value and the other query's condition.
                parts.removeLast(Swift.min(2, parts.count))
                parts.append(.other)
            case .leaveFirst(let first):
                // Removes the id, the condition, the values and the orders.
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
        guard scope == 0, path.steps.count == 1, case .property(let ordinal)? = try? path.steps[0].subject(in: map)
        else { return nil }
        return map.properties[ordinal].hasColumn ? map.properties[ordinal] : nil
    }

    /// An index on a property; nil if it exists.
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
        case .equal, .identical, .hasPrefix:
            let areArguments = operands.dropFirst().allSatisfy { if case .argument = $0 { true } else { false } }
            guard areArguments, let candidate = candidate(operands.first, map) else { return .other }
            return .condition([[candidate]])
        case .and:
            return .condition(operands.flatMap(choices))
        case .or:
            // Each side needs an index.
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

    /// One line; nil if no index would help.
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
