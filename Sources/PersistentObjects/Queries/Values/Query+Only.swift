internal import StoreEngine

extension Query {
    /// The rows that the query finds with some properties only; the rest is read where it is asked for.
    ///
    /// ```swift
    /// let people = try Person.where { $0.age > 30 }.only(\.lastName, \.age)
    /// ```
    ///
    /// One SELECT of these columns and the id, in the order of the query; without
    /// one, in that of the ids.
    ///
    /// - Throws: As `values(of:)`: `QueryError` before any SQL for what is no
    ///   value of one column, such as references and collections.
    public func only<V, each W>(
        _ first: KeyPath<T, V>, _ others: repeat KeyPath<T, each W>, isolation: isolated (any Actor)? = #isolation
    ) throws -> [PartialObject<T>] {
        var paths: [AnyKeyPath] = []
        var readers: [(Statement) throws -> Any] = []
        func add<Value>(_ path: KeyPath<T, Value>) throws {
            let column = try ColumnReader<Value>(paths.count)
            paths.append(path)
            readers.append { try column.value($0) }
        }
        try add(first)
        repeat try add(each others)
        return try partialObjects(paths.map { QueryPath($0) }, of: paths, readers) { found, row, values in
            PartialObject(found, row, Dictionary(zip(paths, values), uniquingKeysWith: { first, _ in first }))
        }
    }

    /// The rows that the query finds without some properties, which are read where they are asked for.
    ///
    /// ```swift
    /// let people = try Person.query.except(\.photo, \.notes)
    /// ```
    ///
    /// One SELECT of the id and of all other properties that are values with a
    /// column of their own, in the order of the query; without one, in that of
    /// the ids. References, collections, `@Embedded` and `@Lazy` properties are
    /// those of the object, which is read when one of them is asked for.
    ///
    /// - Throws: `QueryError` before any SQL for a key path that is no property.
    public func except(
        _ properties: PartialKeyPath<T>..., isolation: isolated (any Actor)? = #isolation
    ) throws -> [PartialObject<T>] {
        let map = try ClassMap.map(of: definition.type)
        var left: Set<Int> = []
        for property in properties {
            // An embedded value is never read, so it may be named too.
            guard KeyPathResolver.embedded(property, in: map) == nil,
                case .property(let place) = try KeyPathResolver.subject(of: property, in: map)
            else { continue }
            left.insert(place)
        }
        var places: [Int] = []
        var readers: [(Statement) throws -> Any] = []
        for (place, property) in map.properties.enumerated() where !left.contains(place) {
            guard case .scalar = property.shape, property.hasColumn, !property.isLazy, property.part == nil,
                let column = AnyColumnReader(places.count, property.codec.valueType)
            else { continue }
            places.append(place)
            readers.append { try column.value($0) }
        }
        return try partialObjects(places.map { QueryPath(.place($0)) }, at: places, readers) { found, row, values in
            PartialObject(found, row, others: Dictionary(uniqueKeysWithValues: zip(places, values)))
        }
    }

    /// Rows with the values of some columns, each made by `make` of its place among them.
    ///
    /// - Parameters:
    ///   - columns: What is read.
    ///   - paths: The key paths that chose it, if these did; errors name their properties.
    ///   - places: The places of the properties, if these did.
    ///   - readers: What reads each of the columns.
    ///   - ending: The function that the user has called.
    ///   - make: Makes one of the rows.
    private func partialObjects(
        _ columns: [QueryPath], of paths: [AnyKeyPath] = [], at places: [Int] = [],
        _ readers: [(Statement) throws -> Any], _ ending: StaticString = #function,
        _ make: (FoundObjects, Int, [Any]) -> PartialObject<T>
    ) throws -> [PartialObject<T>] {
        let id = QueryPath(.place(try ClassMap.map(of: definition.type).properties.count))
        let idReader = try ColumnReader<Int64>(columns.count)
        let selection = (columns + [id]).map { QueryExpression(.column(scope: 0, $0)) }
        return try QueryCall(definition, ending).ask(selection, of: paths, .all) { ask, place in
            let rows = try ask.values(
                .all, { statement in (try idReader.value(statement), try readers.map { try $0(statement) }) },
                place: { places.indices.contains($0.place) ? places[$0.place] : place($0) })
            let found = FoundObjects(ask.session, definition, rows.map(\.0))
            return rows.indices.map { make(found, $0, rows[$0].1) }
        }
    }
}

/// Reads one column of a statement's rows as values of a type that only the class's map knows.
private struct AnyColumnReader {
    private let codec: PropertyCodec
    private let place: Int
    private let memory: ElementMemory

    /// Nil for a type whose values no query gives.
    init?(_ place: Int, _ type: Any.Type) {
        guard let codec = QueryArguments.codec(for: type), codec.valueType == type else { return nil }
        (self.codec, self.place, memory) = (codec, place, ElementMemory(codec))
    }

    /// The value in the row that the statement stands on.
    func value(_ statement: Statement) throws(ColumnFault) -> Any {
        do throws(ValueFault) { try codec.create(statement.column(Int32(place)), at: memory.address) } catch {
            throw ColumnFault(fault: error, place: place)
        }
        defer { codec.destroy(memory.address) }
        return codec.value(memory.address) as Any
    }
}
