internal import StoreEngine

/// What a finder name means in one session: its subject, its condition, and the properties of its arguments.
final class FinderPlan {
    let name: String
    let subject: ParsedFinder.Subject
    let condition: ConditionPlan
    private let map: ClassMap

    private init(_ name: String, _ map: ClassMap) throws(FinderError) {
        self.name = name
        self.map = map
        let parsed = try ParsedFinders.finder(name, of: map)
        subject = parsed.subject
        condition = ConditionPlan(
            Condition(
                alternatives: parsed.alternatives.map { criteria in
                    criteria.map { criterion in
                        let isID = criterion.property == map.properties.count
                        switch criterion.operation {
                        case .equal:
                            return Condition.Comparison(
                                subject: isID ? .id : .property(criterion.property), operation: .equal)
                        }
                    }
                }), map)
    }

    /// The plan of a name, made at its first use.
    static func plan(_ name: String, _ space: ClassSpace) throws -> FinderPlan {
        try space.finder(name) { try FinderPlan(name, space.map) }
    }

    /// The arguments as the columns hold them, checked before any SQL.
    func values(_ arguments: [Any?]) throws -> [DatabaseValue] {
        let comparisons = condition.comparisons
        guard arguments.count == comparisons.count else {
            throw FinderError.wrongArgumentCount(
                className: map.name, finder: name, properties: comparisons.map(propertyName),
                expected: comparisons.count, given: arguments.count)
        }
        return try zip(comparisons, arguments).map { comparison, argument in
            try value(OptionalValue.flattened(argument), comparison)
        }
    }

    private func value(_ argument: Any?, _ comparison: Condition.Comparison) throws -> DatabaseValue {
        let encoded: DatabaseValue?
        switch comparison.subject {
        case .id: encoded = try argument.flatMap { try Int64.argument($0) }
        case .property(let place):
            do { encoded = try map.properties[place].codec.encodeArgument(argument) } catch {
                throw StoreError.value(error).at(className: map.name, property: propertyName(comparison))
            }
        }
        guard let encoded else {
            throw FinderError.wrongArgumentType(
                className: map.name, finder: name, property: propertyName(comparison),
                expected: typeName(comparison), given: argument.map { "\(type(of: $0))" } ?? "nil")
        }
        return encoded
    }

    private func propertyName(_ comparison: Condition.Comparison) -> String {
        if case .property(let place) = comparison.subject { map.properties[place].name } else { "id" }
    }

    private func typeName(_ comparison: Condition.Comparison) -> String {
        if case .property(let place) = comparison.subject { map.properties[place].typeName } else { "Int64" }
    }
}
