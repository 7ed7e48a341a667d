// Values that another query finds.
extension Term where Value: Persistent {
    /// Whether the object is one of the objects that a query finds.
    ///
    /// ```swift
    /// Person.where { $0.employer.isIn(Company.where { $0.city == "Graz" }) }
    /// ```
    ///
    /// If the query has a limit or an offset, the terminal method throws.
    public func isIn(_ query: Query<Value>) -> Condition { isIn(query, QueryPath(\Value.id)) }
}

extension Term where Value: Equatable {
    /// Whether the value equals a property of one of the objects that a query finds; false for nil.
    ///
    /// ```swift
    /// Person.where { $0.city.isIn(Company.query, \.city) }
    /// ```
    public func isIn<T: Persistent>(_ query: Query<T>, _ property: KeyPath<T, Value>) -> Condition {
        isIn(query, QueryPath(property))
    }

    /// Whether the value equals an optional property of an object that a query finds; false for nil.
    public func isIn<T: Persistent>(_ query: Query<T>, _ property: KeyPath<T, Value?>) -> Condition {
        isIn(query, QueryPath(property))
    }
}

extension Term {
    fileprivate func isIn<T>(_ query: Query<T>, _ property: QueryPath) -> Condition {
        let condition = query.definition.condition ?? QueryExpression(.operation(.always))
        let first = scopes.next(condition.lastScope + 1)
        var result = expression
        result.append(.enterQuery(scope: first, QueryClass(type: query.definition.type)))
        result.append(condition.renumbered(by: first))
        result.append(.leaveQuery(scope: first, property))
        if query.definition.limit != nil || query.definition.offset != 0 {
            result.fail(QueryError.notExpressible("A query with a limit or offset cannot be part of another query"))
        }
        return Condition(result)
    }
}
