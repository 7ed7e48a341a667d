internal import StoreEngine

/// A row of which a query has read some properties; the others are those of its object, which is read when one is asked
/// for.
///
/// ```swift
/// for person in try Person.query.only(\.lastName, \.age) { print(try person.lastName, person.id) }
/// ```
///
/// What was read stays as it was then, as `values(of:)` has it: unsaved edits
/// are not in it. Every other property is the object's, edits included; that is
/// the one that the session holds, or is read with the first such property.
/// Nothing can be set here: change the object.
@dynamicMemberLookup
public final class PartialObject<T: Persistent> {
    private let found: FoundObjects
    private let place: Int
    private let values: [AnyKeyPath: Any]
    private var held: T?

    init(_ found: FoundObjects, _ place: Int, _ values: [AnyKeyPath: Any]) {
        self.found = found
        self.place = place
        self.values = values
    }

    /// The id of the row.
    public var id: Int64 { found.ids[place] }

    /// A property: as the query has read it, else the object's.
    ///
    /// - Throws: What `object()` throws, for a property that was not chosen.
    public subscript<V>(dynamicMember property: KeyPath<T, V>) -> V {
        get throws {
            // In two steps: without a value the cast to an optional would make a nil.
            if let known = values[property], let value = known as? V { return value }
            return try object()[keyPath: property]
        }
    }

    /// The object: the one that the session holds, else read now and held from then on.
    ///
    /// - Throws: `StoreError`, with the code `rowGone` where the row was deleted
    ///   meanwhile, and `sessionEnded`.
    public func object() throws -> T {
        if let held, held.object.lifecycle != .deleted { return held }
        guard let object = try found.objects(place..<place + 1).first ?? nil, object.lifecycle != .deleted else {
            throw found.gone(place)
        }
        let made = ObjectMemory.cast(object, to: T.self)
        held = made
        return made
    }
}

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
        let call = QueryCall(definition)
        let map = try ClassMap.map(of: definition.type)
        let idReader = try ColumnReader<Int64>(paths.count)
        let selection =
            paths.map { QueryExpression(.column(scope: 0, QueryPath($0))) }
            + [QueryExpression(.column(scope: 0, QueryPath(.place(map.properties.count))))]
        return try call.ask(selection, of: paths, .all) { ask, place in
            let rows = try ask.values(
                .all,
                { statement in (try idReader.value(statement), try readers.map { try $0(statement) }) }, place: place)
            let found = FoundObjects(ask.session, definition, rows.map(\.0))
            return rows.indices.map { row in
                PartialObject(
                    found, row, Dictionary(zip(paths, rows[row].1), uniquingKeysWith: { first, _ in first }))
            }
        }
    }
}
