/// Which properties an index would help to find, where a query reads every row of its class.
struct IndexAdvice {
    private let map: ClassMap
    /// Sets of properties: with indexes on all those of one, SQLite need not read every row.
    private let choices: [[Property]]

    /// A part of a condition.
    private enum Part {
        case column(Property)
        case argument
        /// A condition, by the choices that it offers.
        case condition([[Property]])
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
                parts.append(IndexAdvice.part(operation, operands))
            }
        }
        if case .condition(let choices)? = parts.last { self.choices = choices } else { choices = [] }
    }

    private static func property(_ path: QueryPath, _ scope: Int, _ map: ClassMap) -> Property? {
        guard scope == 0, path.steps.count == 1, case .property(let place)? = try? path.steps[0].subject(in: map)
        else { return nil }
        let property = map.properties[place]
        let isIndexed = property.isUnique || map.indexes.contains { $0.columns.first == property.column }
        return property.hasColumn && !isIndexed ? property : nil
    }

    private static func part(_ operation: QueryOperation, _ operands: [Part]) -> Part {
        switch operation {
        case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .hasPrefix, .isIn, .isNil:
            guard case .column(let property)? = operands.first,
                operands.dropFirst().allSatisfy({ if case .argument = $0 { true } else { false } })
            else { return .other }
            return .condition([[property]])
        case .and:
            return .condition(operands.flatMap(choices))
        case .or:
            // Each side must be found by an index.
            let sides = operands.map(choices)
            guard let first = sides.first?.first, let second = sides.last?.first else { return .other }
            return .condition([first + second.filter { property in !first.contains { $0.name == property.name } }])
        default: return .other
        }
    }

    private static func choices(_ part: Part) -> [[Property]] {
        if case .condition(let choices) = part { choices } else { [] }
    }

    /// Whether an index could help at all.
    var isUseful: Bool { !choices.isEmpty }

    /// What to do, as a part of a sentence; nil where no index would help.
    var suggestion: String? {
        guard !choices.isEmpty else { return nil }
        var seen: Set<String> = []
        let texts = choices.map { $0.map { "\(map.name).\($0.name)" }.joined(separator: " and to ") }
        return "add @Indexed to " + texts.filter { seen.insert($0).inserted }.joined(separator: ", or to ")
    }

    /// One line; nil where no index would help.
    var hint: String? {
        guard !choices.isEmpty else { return nil }
        let names = choices.map { $0.map(\.name).joined(separator: " and on ") }
        var seen: Set<String> = []
        let text = names.filter { seen.insert($0).inserted }.joined(separator: ", or on ")
        return "Hint: every row of \(map.table) is read; @Indexed on \(text) would help."
    }
}

extension QueryOperation {
    /// How many values it takes.
    fileprivate var operandCount: Int {
        switch self {
        case .always, .never, .random, .groupAggregate(.rows): 0
        case .function(let call): call.argumentCount
        case .raw(let condition): condition.lists.count
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .add, .subtract, .multiply, .divide,
            .remainder, .concatenate, .coalesce, .and, .or, .glob, .regexp, .contains, .containsElement, .isIn,
            .valueOfKey, .isOfHistory:
            2
        case .between, .hasPrefix, .hasSuffix: 3
        default: 1
        }
    }
}
