// FinderNames: the meaning of finder names: criteria, order and options, as a query of a class. It knows conditions, and
// must know neither sessions nor stores.

internal import StoreEngine

/// The meaning of a finder name for a class: criteria whose operators fit their properties, and an order. It depends on
/// neither a session nor arguments.
struct FinderMeaning {
    let parsed: ParsedFinder
    /// The criteria, grouped by alternative.
    let alternatives: [[FinderCriterion]]
    let orders: [QueryDefinition.Order]

    init(_ name: String, of map: ClassMap) throws {
        let parsed = try ParsedFinders.finder(name, of: map)
        self.parsed = parsed
        let own = ParsedFinders.operators(of: map)
        alternatives = try parsed.alternatives.map { criteria in
            try criteria.map { criterion in
                try FinderCriterion(
                    criterion, of: map, ignoresCaseOfTexts: parsed.ignoresCaseOfTexts, finder: name, own)
            }
        }
        if case .aggregate(let aggregate, let path) = parsed.subject {
            try FinderMeaning.check(aggregate, path, of: map, finder: name)
        }
        let isReversed = if case .last = parsed.subject { true } else { false }
        var orders = try parsed.orders.map { order in
            QueryDefinition.Order(
                expression: try FinderMeaning.orderExpression(order.path, of: map, finder: name),
                style: .init(isDescending: order.isDescending != isReversed))
        }
        if isReversed {
            let id = QueryExpression(.column(scope: 0, QueryPath(.ordinal(map.properties.count))))
            orders.append(QueryDefinition.Order(expression: id, style: .init(isDescending: true)))
        }
        self.orders = orders
    }

    /// The expression to order by: the property at the end of a path of property indices.
    static func orderExpression(_ ordinals: [Int], of map: ClassMap, finder: String) throws -> QueryExpression {
        let (path, _, names) = try FinderCriterion.follow(ordinals, from: map)
        guard path.collections.isEmpty else {
            throw QueryError.notExpressible(
                "In \(map.name).\(finder): \(names) has many values, so it cannot be used to order objects")
        }
        return path.expression
    }

    /// Throws if the property does not support the aggregate.
    private static func check(
        _ aggregate: ParsedFinder.Aggregate, _ path: [Int], of start: ClassMap, finder: String
    ) throws {
        let (way, map, names) = try FinderCriterion.follow(path, from: start)
        guard way.collections.isEmpty else {
            throw QueryError.notExpressible("In \(start.name).\(finder): \(names) has many values, not a single value")
        }
        guard let ordinal = path.last, ordinal < map.properties.count else { return }
        let property = map.properties[ordinal]
        let type = property.codec.valueType
        let isNumber = ((type as? any OptionalType.Type)?.wrapped ?? type) is any Numeric.Type
        let fits =
            switch aggregate {
            case .sum, .total, .average:
                isNumber && ([.integer, .real, .any].contains(property.codec.columnType) || property.codec.isDecimal)
            case .minimum, .maximum: QueryOperand.isStoredInOrder(property.codec)
            }
        guard fits, !property.isLink, property.hasColumn, !(property.codec is CollectionCodec) else {
            let word = FinderGrammar.subjects.first { $0.isAggregate && finder.hasPrefix($0.spelling) }
            throw FinderError.wrongOperator(
                className: start.name, finder: finder, property: names, operation: word?.spelling ?? "\(aggregate)",
                isCollection: false)
        }
    }
}

// The query of a call.
extension FinderMeaning {
    /// The query of a class with the arguments of a call.
    func definition(_ arguments: [Any?], of type: PersistentObject.Type) throws -> QueryDefinition {
        var definition = QueryDefinition.scoped(type)
        definition.orders = orders
        var whole: QueryExpression?
        for criteria in alternatives {
            let condition = try FinderMeaning.condition(criteria, arguments)
            whole = whole?.applying(.or, condition) ?? condition
        }
        if let whole { definition.add(whole) }
        return definition
    }

    /// All of some criteria. Criteria on paths through the same collections apply to the same element.
    private static func condition(_ criteria: [FinderCriterion], _ arguments: [Any?]) throws -> QueryExpression {
        var left = criteria[...]
        var whole: QueryExpression?
        while let first = left.first {
            let collections = first.path.collections.map(\.words)
            let together = left.filter { $0.path.collections.map(\.words) == collections }
            var condition: QueryExpression?
            for criterion in collections.isEmpty ? [first] : together {
                let part = try criterion.condition(arguments)
                condition = condition?.applying(.and, part) ?? part
            }
            left =
                collections.isEmpty
                ? left.dropFirst() : left.filter { $0.path.collections.map(\.words) != collections }[...]
            guard let condition else { continue }
            let part = first.path.condition(condition)
            whole = whole?.applying(.and, part) ?? part
        }
        return whole ?? QueryExpression(.operation(.always))
    }
}
