internal import StoreEngine

// Binding the values of one query to a plan.
extension QueryPlan {
    /// The statement that selects the objects. The caller finishes it.
    @inline(__always)
    func selectStatement(_ space: ClassSpace) throws(StoreError) -> Statement {
        if let kept, !kept.isBusy {
            kept.take()
            return kept
        }
        let statement = try space.prepared(select)
        kept = statement
        return statement
    }

    /// The value that the query compares, as the column stores it; nil for an object.
    func uniqueValue(_ argument: QueryExpression.Argument) throws -> DatabaseValue? {
        guard case .value(let value) = argument else { return nil }
        guard !keys.isEmpty, let form = keys[0] else { return value }
        return try form.stored(value)
    }

    /// Binds the values of a query that has this plan.
    func bind(_ definition: QueryDefinition, to statement: Statement, _ session: SessionParts) throws {
        try bind(definition.arguments, limit: definition.limit, offset: definition.offset, to: statement, session)
    }

    /// Binds the value of a query that has one value.
    func bind(_ argument: QueryExpression.Argument, to statement: Statement, _ session: SessionParts) throws {
        if comparesHashes { try session.store.sealed?.prepareToCompare(session.connection) }
        try Fetch(session).bind(argument, at: 1, as: keys.isEmpty ? nil : keys[0], to: statement)
    }

    /// Binds the values for callers that keep only the values, because copying these costs less than copying a query.
    func bind(
        _ arguments: [QueryExpression.Argument], limit: Int?, offset: Int, to statement: Statement,
        _ session: SessionParts
    ) throws {
        if comparesHashes { try session.store.sealed?.prepareToCompare(session.connection) }
        // A statement without the query's order has no placeholders for the values of the order.
        for index in 0..<Swift.min(arguments.count, statement.placeholderCount) {
            let key = keys.isEmpty ? nil : keys[index]
            try Fetch(session).bind(arguments[index], at: Int32(index) + 1, as: key, to: statement)
        }
        guard hasPart else { return }
        if let limit { try statement.bind(Int64(limit), at: Int32(argumentCount) + 1) }
        if hasOffset { try statement.bind(Int64(offset), at: Int32(argumentCount) + 2) }
    }
}

extension Fetch {
    /// Binds a value of a query. `form` is the form of the column that the value is compared with, if it has a special
    /// form.
    func bind(
        _ argument: QueryExpression.Argument, at place: Int32, as form: ComparedForm?, to statement: Statement
    ) throws {
        switch argument {
        case .value(let value):
            guard let form else { return try statement.bind(value, at: place) }
            try statement.bind(form.stored(value), at: place)
        case .object(let name):
            let object = try find(try session.space(of: name.objectClass), named: name)
            try statement.bind(object?.rowID ?? 0, at: place)
        }
    }
}

extension JoinPlan {
    func bind(_ definition: JoinDefinition, to statement: Statement, _ session: SessionParts) throws {
        statement.beginBinding()
        // A count has no order, so it has no placeholders for the values of an order.
        for (index, argument) in definition.arguments.enumerated() where index < statement.placeholderCount {
            try Fetch(session).bind(argument, at: Int32(index) + 1, as: keys[index], to: statement)
        }
        guard definition.limit != nil || definition.offset != 0 else { return }
        if let limit = definition.limit { try statement.bind(Int64(limit), at: Int32(argumentCount) + 1) }
        try statement.bind(Int64(definition.offset), at: Int32(argumentCount) + 2)
    }
}
