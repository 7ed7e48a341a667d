internal import StoreEngine

// Aggregates of the elements of collections, and of the rows of groups.
extension ExpressionWriter {
    /// An aggregate of a value of each object of a collection. It ends the closure of the collection.
    func leave(_ function: AggregateFunction) throws {
        let value = try popNumber()
        guard let (number, source) = open.popLast(), let scope = scopes.removeValue(forKey: number) else {
            throw QueryError.notExpressible("The expression ends a closure that it did not begin")
        }
        // NULL values are ignored. So are rows in which the value can only be NULL.
        let joins = scope.joins(needed: function == .count ? [] : value.needed)
        stack.append(
            try function.written(of: value, dialect, needed: source.owner.chain) { made in
                "(SELECT \(made) FROM \(source.rows(withElement: true, joined: joins)))"
            })
    }

    /// A value as users see it, or a decimal number with a scale as it is stored, because SQL calculates with that
    /// form.
    private func popNumber() throws -> QueryOperand {
        let value = try popStored()
        return value.decimalScale == nil ? value.seen(dialect) : value
    }

    /// An aggregate of the values in a collection.
    func ofElements(_ function: AggregateFunction) throws -> QueryOperand {
        let source = try source(try pop())
        guard source.element == nil, let codec = source.valueCodec else {
            throw QueryError.notExpressible(
                "Objects themselves cannot be added or ordered. Name one of their properties")
        }
        let value = QueryOperand(source.value, givenAs: codec).seen(dialect)
        return try function.written(of: value, dialect, needed: source.owner.chain) { made in
            "(SELECT \(made) FROM \(source.rows(withElement: false)))"
        }
    }

    /// An aggregate of a value in all rows of a group.
    func ofGroup(_ function: AggregateFunction) throws -> QueryOperand {
        guard function != .rows else {
            return QueryOperand(AggregateFunction.rows.of("*", dialect), mayBeNull: false)
        }
        return try function.written(of: try popNumber(), dialect, needed: [])
    }

    /// The value for a key of a dictionary.
    func valueOfKey() throws -> QueryOperand {
        let (key, operand) = (try pop(), try pop())
        let source = try source(operand)
        guard let column = source.keyInDictionary else {
            throw QueryError.notExpressible(
                "Only a dictionary has keys. Use contains, count or any { } with other collections")
        }
        let rows = source.rows(withElement: false)
        let sql: SQL = "(SELECT \(source.value) FROM \(rows) AND \(column) = \(key.sql))"
        guard let codec = source.valueCodec else {
            return QueryOperand(sql, mayBeNull: true, needed: source.owner.chain)
        }
        let shown = codec.logicalType == .decimal ? dialect.decimalText(sql) : sql
        return QueryOperand(shown, made: codec, needed: source.owner.chain)
    }
}
