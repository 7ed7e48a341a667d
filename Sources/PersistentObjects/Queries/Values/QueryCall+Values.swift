internal import StoreEngine

// Values of rows, without objects.
extension QueryCall {
    /// The results of `read` for each row of a terminal method's statement.
    ///
    /// - Parameter paths: The selected properties.
    func rows<R>(
        _ paths: [AnyKeyPath], _ ending: ValueEnding, _ read: (ValueRow) throws -> R
    ) throws -> [R] {
        try rows(paths.map { QueryExpression(.column(scope: 0, QueryPath($0))) }, of: paths, ending, read)
    }

    /// The results of `read` for rows of computed values.
    private func rows<R>(
        _ selection: [QueryExpression], of paths: [AnyKeyPath], _ ending: ValueEnding,
        _ read: (ValueRow) throws -> R
    ) throws -> [R] {
        try ask(selection, of: paths, ending) { ask, place in try ask.values(ending, read, place: place) }
    }

    /// The columns of each row of a terminal method's statement, as rows of a type.
    func rows<Row>(
        _ paths: [AnyKeyPath], _ ending: ValueEnding, _ columns: ValueColumns, as type: Row.Type = Row.self
    ) throws -> [Row] {
        try rows(paths.map { QueryExpression(.column(scope: 0, QueryPath($0))) }, of: paths, ending, columns)
    }

    /// The columns of each row for computed values.
    func rows<Row>(
        _ selection: [QueryExpression], of paths: [AnyKeyPath] = [], _ ending: ValueEnding, _ columns: ValueColumns,
        as type: Row.Type = Row.self
    ) throws -> [Row] {
        try ask(selection, of: paths, ending) { ask, place in try ask.values(ending, columns, place: place) }
    }

    func ask<R>(
        _ selection: [QueryExpression], of paths: [AnyKeyPath?], _ ending: ValueEnding,
        _ body: (Ask, (ColumnFault) -> Int?) throws -> R
    ) throws -> R {
        var definition = definition
        definition.selection = selection
        if !ending.followsOrder, definition.limit == nil, definition.offset == 0 { definition.orders = [] }
        return try QueryCall(definition, self.ending).ask { ask in
            try body(ask) { fault in
                let path = paths.indices.contains(fault.place) ? paths[fault.place] : paths.last
                return path.flatMap { $0 }.flatMap { property($0, ask.space.map) }
            }
        }
    }

    private func property(_ path: AnyKeyPath, _ map: ClassMap) -> Int? {
        if case .property(let place)? = try? KeyPathResolver.subject(of: path, in: map) { place } else { nil }
    }

    /// An error for a property of the query's class.
    func failure(_ code: StoreError.Code, _ message: String, _ path: AnyKeyPath?) -> StoreError {
        let map = try? ClassMap.map(of: definition.type)
        let name = map.flatMap { map in path.flatMap { property($0, map) }.map { map.properties[$0].name } }
        return StoreError(code, message, className: String(describing: definition.type), property: name)
    }
}

extension Ask {
    /// The results of `read` for each row of a terminal method's statement, in order.
    ///
    /// - Parameter place: Returns the property of a value that cannot be read.
    func values<R>(
        _ ending: ValueEnding, _ read: (ValueRow) throws -> R, place: (ColumnFault) -> Int? = { _ in nil }
    ) throws -> [R] {
        var found: [R] = []
        var ids: [Int64] = []
        let idColumn = plan.idColumn(of: ending)
        do {
            try space.forEachRow(of: plan.text(ending), bind: bind) { statement in
                found.append(try read(ValueRow(statement, plan, ending)))
                if let idColumn { ids.append(statement.integer(idColumn)) }
            }
        } catch let error as ColumnFault {
            throw space.located(error.fault, property: place(error), sql: plan.text(ending).text)
        }
        return idColumn == nil ? found : IDOrder.sorted(found, by: ids)
    }

    /// The columns of each row of a terminal method's statement, in the order of the results.
    ///
    /// - Parameter place: Returns the property of a value that cannot be read.
    func values<Row>(
        _ ending: ValueEnding, _ columns: ValueColumns, place: (ColumnFault) -> Int?
    ) throws -> [Row] {
        let columns = columns.reading(plan, ending)
        let rows = TupleRows<Row>(columns.layout)
        var ids: [Int64] = []
        let idColumn = plan.idColumn(of: ending)
        do {
            try space.run(plan.text(ending), bind: bind) { statement in
                try columns.readRows(of: statement, into: rows) { row in
                    if let idColumn { ids.append(row.integer(idColumn)) }
                }
            }
        } catch let error as ColumnFault {
            throw space.located(error.fault, property: place(error), sql: plan.text(ending).text)
        }
        return idColumn == nil ? rows.take() : IDOrder.sorted(rows.take(), by: ids)
    }
}
