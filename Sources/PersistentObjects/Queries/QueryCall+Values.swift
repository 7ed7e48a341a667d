internal import StoreEngine

// Values of rows, without objects.
extension QueryCall {
    /// What `read` makes of each row of an ending's statement.
    ///
    /// - Parameter paths: The properties that are asked for.
    func rows<R>(
        _ paths: [AnyKeyPath], _ ending: ValueEnding, _ read: (Statement) throws -> R
    ) throws -> [R] {
        try rows(paths.map { QueryExpression(.column(scope: 0, QueryPath($0))) }, of: paths, ending, read)
    }

    /// The same of values that are made of properties.
    func rows<R>(
        _ selection: [QueryExpression], of paths: [AnyKeyPath] = [], _ ending: ValueEnding,
        _ read: (Statement) throws -> R
    ) throws -> [R] {
        var definition = definition
        definition.selection = selection
        if !ending.followsOrder, definition.limit == nil, definition.offset == 0 { definition.orders = [] }
        let call = QueryCall(definition)
        return try call.run { session, space, plan in
            let statement = try space.prepared(plan.text(ending))
            try call.bind(plan, to: statement, session, space)
            defer { statement.finish() }
            do { return try plan.rows(of: statement, ending, read) } catch let error as ColumnFault {
                let path = paths.indices.contains(error.place) ? paths[error.place] : paths.last
                throw space.located(
                    error.fault, property: path.flatMap { property($0, space.map) }, sql: statement.sql)
            } catch { throw space.located(error, sql: statement.sql) }
        }
    }

    /// What `read` makes of each row of an ending's statement, of a query with its selection.
    func rows<R>(_ space: ClassSpace, _ ending: ValueEnding, _ read: (Statement) throws -> R) throws -> [R] {
        try run(in: space.session) { session, space, plan in
            let statement = try space.prepared(plan.text(ending))
            try bind(plan, to: statement, session, space)
            defer { statement.finish() }
            do { return try plan.rows(of: statement, ending, read) } catch {
                throw space.located((error as? ColumnFault)?.fault ?? error, sql: statement.sql)
            }
        }
    }

    private func property(_ path: AnyKeyPath, _ map: ClassMap) -> Int? {
        if case .property(let place)? = try? KeyPathResolver.subject(of: path, in: map) { place } else { nil }
    }

    /// An error about a property of the query's class.
    func failure(_ code: StoreError.Code, _ message: String, _ path: AnyKeyPath) -> StoreError {
        let map = try? ClassMap.map(of: definition.type)
        let name = map.flatMap { map in property(path, map).map { map.properties[$0].name } }
        return StoreError(code, message, className: String(describing: definition.type), property: name)
    }
}

extension QueryPlan {
    /// What `read` makes of each row of a bound statement, in the order of the answer.
    fileprivate func rows<R>(
        of statement: Statement, _ ending: ValueEnding, _ read: (Statement) throws -> R
    ) throws -> [R] {
        var found: [R] = []
        guard let idColumn = idColumn(of: ending) else {
            while try statement.step() { found.append(try read(statement)) }
            return found
        }
        var ids: [Int64] = []
        while try statement.step() {
            found.append(try read(statement))
            ids.append(statement.integer(idColumn))
        }
        return IDOrder.sorted(found, by: ids)
    }
}
