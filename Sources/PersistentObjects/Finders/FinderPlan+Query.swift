internal import StoreEngine

// The query of a finder in a session.
extension FinderPlan {
    /// The plan of a name, created at first use.
    static func plan(_ name: String, _ space: ClassSpace) throws -> FinderPlan {
        try space.finders.plan(for: name) { try FinderPlan(name, of: space.map) }
    }

    /// The query of the finder with the arguments of a call, which are checked before any SQL runs. If options follow
    /// the arguments, it is compiled like any other query.
    func query(_ arguments: [Any?], _ space: ClassSpace) throws -> BoundQuery {
        guard arguments.count == parsed.argumentCount else {
            return try BoundQuery(definition(checking: arguments), space)
        }
        do { return try queryWithoutOptions(arguments, space) } catch let error as FinderError {
            // An option in place of a missing value must not be reported as a value of a wrong type.
            if arguments.contains(where: { $0 is FinderOption }) { _ = try definition(checking: arguments) }
            throw error
        }
    }

    /// The query for arguments without options.
    private func queryWithoutOptions(_ arguments: [Any?], _ space: ClassSpace) throws -> BoundQuery {
        if isPlain, QueryDefinition.scope(of: map.type) == nil, let query = try plainQuery(arguments, space) {
            return query
        }
        return try BoundQuery(definition(arguments.map { OptionalValue.flattened($0) }), space)
    }

    private func plainQuery(_ arguments: [Any?], _ space: ClassSpace) throws -> BoundQuery? {
        // A single value is the most common case and needs no array.
        if criteria.count == 1 {
            guard let value = try criteria[0].plainValue(arguments) else { return nil }
            let plan = try plainPlan(arguments, space)
            let stored = try stored(value, 0, plan)
            return BoundQuery(space, plan, key: plan.subject == nil ? nil : value) { try $0.bind(stored, at: 1) }
        }
        var values: [DatabaseValue] = []
        values.reserveCapacity(criteria.count)
        for criterion in criteria {
            guard let value = try criterion.plainValue(arguments) else { return nil }
            values.append(value)
        }
        let plan = try plainPlan(arguments, space)
        if !plan.keys.isEmpty { for index in values.indices { values[index] = try stored(values[index], index, plan) } }
        return BoundQuery(space, plan) { statement in
            for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
        }
    }

    /// An argument in the form of the column that it is compared with.
    private func stored(_ value: DatabaseValue, _ index: Int, _ plan: QueryPlan) throws -> DatabaseValue {
        guard !plan.keys.isEmpty, let form = plan.keys[index] else { return value }
        return try form.stored(value)
    }

    private func plainPlan(_ arguments: [Any?], _ space: ClassSpace) throws -> QueryPlan {
        if let plain { return plain }
        let made = try space.makePlan(definition(arguments.map { OptionalValue.flattened($0) }))
        plain = made
        return made
    }

    /// Sets the properties of a new object to the compared values.
    func fill(_ object: PersistentObject, _ arguments: [Any?]) throws {
        for criterion in criteria {
            try ObjectState(object).set(criterion.name, to: OptionalValue.flattened(arguments[criterion.firstArgument]))
        }
    }
}
