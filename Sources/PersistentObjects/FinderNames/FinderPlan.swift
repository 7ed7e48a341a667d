/// The meaning of a finder name for a class, and the plan of its most common query.
final class FinderPlan {
    let name: String
    let map: ClassMap
    private let meaning: FinderMeaning
    let criteria: [FinderCriterion]
    /// Whether all criteria are equalities, as in the most common finders.
    let isPlain: Bool
    /// The plan of a plain finder for non-nil arguments.
    var plain: QueryPlan?

    init(_ name: String, of map: ClassMap) throws {
        self.name = name
        self.map = map
        meaning = try FinderMeaning(name, of: map)
        criteria = meaning.alternatives.flatMap { $0 }
        isPlain = !criteria.isEmpty && criteria.allSatisfy(\.isPlain)
    }

    var parsed: ParsedFinder { meaning.parsed }

    /// The query with the arguments and options of a call.
    func definition(checking arguments: [Any?]) throws -> QueryDefinition {
        let arguments = arguments.map { OptionalValue.flattened($0) }
        let values = arguments.count { !($0 is FinderOption) }
        guard values == parsed.argumentCount else {
            throw FinderError.wrongArgumentCount(
                className: map.name, finder: name,
                properties: criteria.flatMap { Array(repeating: $0.name, count: $0.operation.argumentCount) },
                expected: parsed.argumentCount, given: values)
        }
        let options = try FinderOptions(arguments, self)
        var definition = try definition(Array(arguments.prefix(values)))
        options.apply(to: &definition)
        return definition
    }

    /// The query with the arguments of a call.
    func definition(_ arguments: [Any?]) throws -> QueryDefinition {
        try meaning.definition(arguments, of: map.type)
    }
}
