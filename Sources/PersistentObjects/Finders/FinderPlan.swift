internal import StoreEngine

/// What a finder name means in one session: its subject, its condition, and the properties of its arguments.
final class FinderPlan {
    let name: String
    let subject: ParsedFinder.Subject
    let condition: ConditionPlan
    private let className: String

    private init(_ name: String, _ space: ClassSpace) throws {
        self.name = name
        className = space.map.name
        let parsed = try ParsedFinders.finder(name, of: space.map)
        subject = parsed.subject
        let alternatives = try parsed.alternatives.map { criteria in
            try criteria.map { try FinderPlan.comparison($0, space) }
        }
        condition = try ConditionPlan(FinderCondition(alternatives: alternatives), space, finder: name)
    }

    /// The plan of a name, made at its first use.
    static func plan(_ name: String, _ space: ClassSpace) throws -> FinderPlan {
        try space.finder(name) { try FinderPlan(name, space) }
    }

    private static func comparison(
        _ criterion: ParsedFinder.Criterion, _ space: ClassSpace
    ) throws -> FinderCondition.Comparison {
        var map = space.map
        for place in criterion.path.dropLast() {
            if let link = map.properties[place].codec as? any LinkCodec { map = try ClassMap.map(of: link.target) }
        }
        let operation: FinderCondition.Operation =
            switch criterion.operation {
            case .equal: .equal
            case .containing: .containing
            case .isEmpty: .isEmpty
            case .isNotEmpty: .isNotEmpty
            }
        return FinderCondition.Comparison(
            path: criterion.path, operation: operation, isID: criterion.path.last == map.properties.count)
    }

    /// The arguments as the columns hold them, checked before any SQL.
    func values(_ arguments: [Any?]) throws -> [DatabaseValue] {
        let comparisons = condition.arguments
        guard arguments.count == comparisons.count else {
            throw FinderError.wrongArgumentCount(
                className: className, finder: name, properties: comparisons.map(\.name),
                expected: comparisons.count, given: arguments.count)
        }
        return try zip(comparisons, arguments).map { comparison, argument in
            try comparison.checkedValue(of: OptionalValue.flattened(argument), className: className, finder: name)
        }
    }
}

extension ResolvedComparison {
    /// The argument as the column holds it, or an error that says what is wrong with it.
    func checkedValue(of argument: Any?, className: String, finder: String) throws -> DatabaseValue {
        let value: DatabaseValue?
        do { value = try self.value(of: argument) } catch let fault as ValueFault {
            throw StoreError.value(fault).at(className: className, property: name)
        }
        if let value { return value }
        throw FinderError.wrongArgumentType(
            className: className, finder: finder, property: name, expected: argumentType,
            given: argument.map { "\(type(of: $0))" } ?? "nil")
    }
}
