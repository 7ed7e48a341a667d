internal import StoreEngine

// Values of rows, without objects.
extension QueryCall {
    /// The results of `read` for each row of a terminal method's statement.
    ///
    /// - Parameter paths: The selected properties.
    func rows<R>(
        _ paths: [AnyKeyPath], _ resultKind: ValueResultKind, _ read: (ValueRow) throws -> R
    ) throws -> [R] {
        try rows(paths.map { QueryExpression(.column(scope: 0, QueryPath($0))) }, of: paths, resultKind, read)
    }

    /// The results of `read` for rows of computed values.
    private func rows<R>(
        _ selection: [QueryExpression], of paths: [AnyKeyPath], _ resultKind: ValueResultKind,
        _ read: (ValueRow) throws -> R
    ) throws -> [R] {
        try run(selection, of: paths, resultKind) { query, ordinal in
            try query.values(resultKind, read, ordinal: ordinal)
        }
    }

    /// The columns of each row of a terminal method's statement, as rows of a type.
    func rows<Row>(
        _ paths: [AnyKeyPath], _ resultKind: ValueResultKind, _ columns: ValueColumns, as type: Row.Type = Row.self
    ) throws -> [Row] {
        try rows(paths.map { QueryExpression(.column(scope: 0, QueryPath($0))) }, of: paths, resultKind, columns)
    }

    /// The columns of each row for computed values.
    func rows<Row>(
        _ selection: [QueryExpression], of paths: [AnyKeyPath] = [], _ resultKind: ValueResultKind,
        _ columns: ValueColumns,
        as type: Row.Type = Row.self
    ) throws -> [Row] {
        try run(selection, of: paths, resultKind) { query, ordinal in
            try query.values(resultKind, columns, ordinal: ordinal)
        }
    }

    func run<R>(
        _ selection: [QueryExpression], of paths: [AnyKeyPath?], _ resultKind: ValueResultKind,
        _ body: (BoundQuery, (ColumnFault) -> Int?) throws -> R
    ) throws -> R {
        var definition = definition
        definition.selection = selection
        if !resultKind.followsOrder, definition.limit == nil, definition.offset == 0 { definition.orders = [] }
        return try QueryCall(definition, self.terminalMethod).run { query in
            try body(query) { fault in
                let path = paths.indices.contains(fault.ordinal) ? paths[fault.ordinal] : paths.last
                return path.flatMap { $0 }.flatMap { property($0, query.space.map) }
            }
        }
    }

    private func property(_ path: AnyKeyPath, _ map: ClassMap) -> Int? {
        if case .property(let ordinal)? = try? KeyPathResolver.subject(of: path, in: map) { ordinal } else { nil }
    }

    /// An error for a property of the query's class.
    func failure(_ code: StoreError.Code, _ message: String, _ path: AnyKeyPath?) -> StoreError {
        let map = try? ClassMap.map(of: definition.type)
        let name = map.flatMap { map in path.flatMap { property($0, map) }.map { map.properties[$0].name } }
        return StoreError(code, message, className: String(describing: definition.type), property: name)
    }
}

extension BoundQuery {
    /// The results of `read` for each row of a terminal method's statement, in order.
    ///
    /// - Parameter ordinal: Returns the property of a value that cannot be read.
    func values<R>(
        _ resultKind: ValueResultKind, _ read: (ValueRow) throws -> R, ordinal: (ColumnFault) -> Int? = { _ in nil }
    ) throws -> [R] {
        var found: [R] = []
        var ids: [Int64] = []
        let idColumn = plan.idColumn(of: resultKind)
        do {
            try space.forEachRow(of: plan.text(resultKind), bind: bind) { statement in
                found.append(try read(ValueRow(statement, plan, resultKind)))
                if let idColumn { ids.append(statement.integer(idColumn)) }
            }
        } catch let error as ColumnFault {
            throw space.located(error.fault, property: ordinal(error), sql: plan.text(resultKind).text)
        }
        return idColumn == nil ? found : IDOrder.sorted(found, by: ids)
    }

    /// The columns of each row of a terminal method's statement, in the order of the results.
    ///
    /// - Parameter ordinal: Returns the property of a value that cannot be read.
    func values<Row>(
        _ resultKind: ValueResultKind, _ columns: ValueColumns, ordinal: (ColumnFault) -> Int?
    ) throws -> [Row] {
        let columns = columns.reading(plan, resultKind)
        let rows = TupleRows<Row>(columns.layout)
        var ids: [Int64] = []
        let idColumn = plan.idColumn(of: resultKind)
        do {
            try space.run(plan.text(resultKind), bind: bind) { statement in
                try columns.readRows(of: statement, into: rows) { row in
                    if let idColumn { ids.append(row.integer(idColumn)) }
                }
            }
        } catch let error as ColumnFault {
            throw space.located(error.fault, property: ordinal(error), sql: plan.text(resultKind).text)
        }
        return idColumn == nil ? rows.take() : IDOrder.sorted(rows.take(), by: ids)
    }
}
