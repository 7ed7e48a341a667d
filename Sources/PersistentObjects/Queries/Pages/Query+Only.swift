internal import StoreEngine

extension Query {
    /// Returns the rows that the query finds with some properties only; the rest is read on demand.
    ///
    /// ```swift
    /// let people = try Person.where { $0.age > 30 }.only(\.lastName, \.age)
    /// ```
    ///
    /// The rows are in the order of the query; without one, in order of their ids.
    ///
    /// - Throws: The errors of `values(of:)`. Before any SQL, `QueryError` for references and collections, which are
    ///   not the value of a single column, and `FinderError` for a computed property.
    /// - Complexity: One SELECT of these columns and the id.
    public func only<V, each W>(
        _ first: KeyPath<T, V>, _ others: repeat KeyPath<T, each W>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [PartialObject<T>] {
        var chosen: [ChosenColumn] = []
        var readers: [AnyColumnReader] = []
        func add<Value>(_ path: KeyPath<T, Value>) throws {
            readers.append(AnyColumnReader(chosen.count, try ColumnReader<Value>.codec()))
            chosen.append(.path(path))
        }
        try add(first)
        repeat try add(each others)
        return try partialObjects(chosen, readers)
    }

    /// Returns the rows that the query finds without some properties, which are read on demand.
    ///
    /// ```swift
    /// let people = try Person.query.except(\.photo, \.notes)
    /// ```
    ///
    /// The SELECT reads the id and all other properties that are stored as a value in a single column. The rows are in
    /// the order of the query; without one, in order of their ids. The object is read when a reference, a collection,
    /// an `@Embedded` or `@Lazy` property is accessed.
    ///
    /// - Throws: Before any SQL, `FinderError` for a key path that names no stored property; `StoreError` as
    ///   `values(of:)` does.
    /// - Complexity: One SELECT.
    public func except(
        _ properties: PartialKeyPath<T>..., isolation: isolated (any Actor)? = #isolation
    ) throws -> [PartialObject<T>] {
        let map = try ClassMap.map(of: definition.type)
        var left: Set<Int> = []
        for property in properties {
            // An embedded value is never read, so it may be named too.
            guard KeyPathResolver.embedded(property, in: map) == nil,
                case .property(let ordinal) = try KeyPathResolver.subject(of: property, in: map)
            else { continue }
            left.insert(ordinal)
        }
        var chosen: [ChosenColumn] = []
        var readers: [AnyColumnReader] = []
        for (ordinal, property) in map.properties.enumerated() where !left.contains(ordinal) {
            guard case .scalar = property.shape, property.hasColumn, !property.isLazy, property.part == nil,
                let codec = QueryArguments.codec(for: property.codec.valueType)
            else { continue }
            readers.append(AnyColumnReader(chosen.count, codec))
            chosen.append(.ordinal(ordinal))
        }
        return try partialObjects(chosen, readers)
    }

    /// - Parameter ending: The function that the user called.
    private func partialObjects(
        _ chosen: [ChosenColumn], _ readers: [AnyColumnReader], _ terminalMethod: StaticString = #function
    ) throws -> [PartialObject<T>] {
        let map = try ClassMap.map(of: definition.type)
        let id = try ColumnReader<Int64>(chosen.count)
        let paths = chosen.map(\.queryPath) + [QueryPath(.ordinal(map.properties.count))]
        // The key paths by which errors find the property of a column.
        let keyPaths = chosen.map { if case .path(let path) = $0 { path } else { nil as AnyKeyPath? } }
        let selection = paths.map { QueryExpression(.column(scope: 0, $0)) }
        return try QueryCall(definition, terminalMethod).run(selection, of: keyPaths, .all) { query, ordinal in
            // This throws the errors of invalid parts.
            _ = try LinkLoader(query.session).partNames(definition.parts, map)
            let found = try query.values(
                .all, { row in (try id.value(row), try readers.map { try $0.value(row) }) },
                ordinal: { fault in
                    if case .ordinal(let ordinal)? = chosen.dropFirst(fault.ordinal).first {
                        ordinal
                    } else {
                        ordinal(fault)
                    }
                })
            let objects = LazyResults<T>(FoundObjects(query.session, definition, found.map(\.0)))
            let rows = PartialRows(objects, map, chosen)
            return found.indices.map { PartialObject(rows, $0, found[$0].1) }
        }
    }
}
