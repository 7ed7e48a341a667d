internal import StoreEngine

/// The meaning of a finder name in one session: its subject, criteria and order.
final class FinderPlan: NamePlan {
    let name: String
    private let meaning: FinderMeaning
    private let criteria: [FinderCriterion]
    /// The space keeps this plan alive, so the reference can be unowned.
    unowned let space: ClassSpace
    /// The plan for non-nil arguments if all criteria are equalities, which are the most common finders.
    private var plain: QueryPlan?
    private let isPlain: Bool

    private init(_ name: String, _ space: ClassSpace) throws {
        self.name = name
        self.space = space
        meaning = try FinderMeaning(name, of: space.map)
        criteria = meaning.alternatives.flatMap { $0 }
        isPlain = !criteria.isEmpty && criteria.allSatisfy(\.isPlain)
    }

    /// The plan of a name, created at first use.
    static func plan(_ name: String, _ space: ClassSpace) throws -> FinderPlan {
        let plan = try space.finders.plan(for: name) { try FinderPlan(name, space) }
        // The cache contains no other type.
        return ObjectMemory.exactly(plan, as: FinderPlan.self)
    }

    var parsed: ParsedFinder { meaning.parsed }
    var className: String { space.map.name }
    var map: ClassMap { space.map }

    /// The query of the finder with the arguments of a call, which are checked before any SQL runs. If options follow
    /// the arguments, it is compiled like any other query.
    func query(_ arguments: [Any?]) throws -> BoundQuery {
        guard arguments.count == parsed.argumentCount else {
            return try BoundQuery(definition(checking: arguments), space)
        }
        do { return try queryWithoutOptions(arguments) } catch let error as FinderError {
            // An option in place of a missing value must not be reported as a value of a wrong type.
            if arguments.contains(where: { $0 is FinderOption }) { _ = try definition(checking: arguments) }
            throw error
        }
    }

    /// The query for arguments without options.
    private func queryWithoutOptions(_ arguments: [Any?]) throws -> BoundQuery {
        if isPlain, QueryDefinition.scope(of: space.map.type) == nil, let query = try plainQuery(arguments) {
            return query
        }
        return try BoundQuery(definition(arguments.map { OptionalValue.flattened($0) }), space)
    }

    /// The query with the arguments and options of a call.
    func definition(checking arguments: [Any?]) throws -> QueryDefinition {
        let arguments = arguments.map { OptionalValue.flattened($0) }
        let values = arguments.count { !($0 is FinderOption) }
        guard values == parsed.argumentCount else {
            throw FinderError.wrongArgumentCount(
                className: space.map.name, finder: name,
                properties: criteria.flatMap { Array(repeating: $0.name, count: $0.operation.argumentCount) },
                expected: parsed.argumentCount, given: values)
        }
        let options = try FinderOptions(arguments, self, space.map)
        var definition = try definition(Array(arguments.prefix(values)))
        options.apply(to: &definition)
        return definition
    }

    private func plainQuery(_ arguments: [Any?]) throws -> BoundQuery? {
        // A single value is the most common case and needs no array.
        if criteria.count == 1 {
            guard let value = try criteria[0].plainValue(arguments) else { return nil }
            let plan = try plainPlan(arguments)
            let stored = try stored(value, 0, plan)
            return BoundQuery(space, plan, key: plan.subject == nil ? nil : value) { try $0.bind(stored, at: 1) }
        }
        var values: [DatabaseValue] = []
        values.reserveCapacity(criteria.count)
        for criterion in criteria {
            guard let value = try criterion.plainValue(arguments) else { return nil }
            values.append(value)
        }
        let plan = try plainPlan(arguments)
        if !plan.keys.isEmpty { for index in values.indices { values[index] = try stored(values[index], index, plan) } }
        return BoundQuery(space, plan) { statement in
            for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
        }
    }

    /// An argument in the form of the column that it is compared with.
    private func stored(_ value: DatabaseValue, _ index: Int, _ plan: QueryPlan) throws -> DatabaseValue {
        guard !plan.keys.isEmpty, let form = plan.keys[index] else { return value }
        // A plain criterion has one argument.
        do throws(ValueFault) { return try form.stored(value) } catch { throw criteria[index].located(error) }
    }

    private func plainPlan(_ arguments: [Any?]) throws -> QueryPlan {
        if let plain { return plain }
        let made = try space.makePlan(definition(arguments.map { OptionalValue.flattened($0) }))
        plain = made
        return made
    }

    /// The query with the arguments of a call.
    func definition(_ arguments: [Any?]) throws -> QueryDefinition {
        try meaning.definition(arguments, of: space.map.type)
    }

    /// Sets the properties of a new object to the compared values.
    func fill(_ object: PersistentObject, _ arguments: [Any?]) throws {
        for criterion in criteria {
            try ObjectState(object).set(criterion.name, to: OptionalValue.flattened(arguments[criterion.firstArgument]))
        }
    }
}
