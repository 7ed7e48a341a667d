/// A row of which a query read some properties; the other properties are read on demand.
///
/// ```swift
/// for person in try Person.query.only(\.lastName, \.age) { print(try person.lastName, person.id) }
/// ```
///
/// The properties that were read keep the values that they had then, as `values(of:)` returns them, without unsaved
/// edits. Every other property is the object's, including edits. Its row is read on the first access to such a
/// property, together with its neighbors' rows, fifty with one query, as `lazily()` does. Properties cannot be set
/// here: change the object.
@dynamicMemberLookup
public final class PartialObject<T: Persistent> {
    private let rows: PartialRows<T>
    private let place: Int
    private let values: [Any]
    private var held: T?

    init(_ rows: PartialRows<T>, _ place: Int, _ values: [Any]) {
        self.rows = rows
        self.place = place
        self.values = values
    }

    /// The id of the row.
    public var id: Int64 { rows.objects.ids[place] }

    /// A property: as the query read it if it was selected, otherwise the object's.
    ///
    /// - Throws: The errors of `object()`, for a property that was not selected.
    public subscript<V>(dynamicMember property: KeyPath<T, V>) -> V {
        get throws {
            if let column = rows.column(of: property), let value = values[column] as? V { return value }
            return try object()[keyPath: property]
        }
    }

    /// Returns the object, the session's instance; it is read by this call and held afterwards.
    ///
    /// - Throws: `StoreError`, with the code `rowGone` if the row was deleted since the query ran, and `sessionEnded`.
    public func object() throws -> T {
        if let held, held.object.lifecycle != .deleted { return held }
        let object = try rows.objects[place]
        held = object
        return object
    }
}

/// The common data of one query's rows: the columns that were read, and the source of the rest.
final class PartialRows<T: Persistent> {
    let objects: LazyResults<T>
    private let map: ClassMap
    /// The columns of the class's own properties, by index, because a property can have several key paths.
    private var byOrdinal: [Int: Int] = [:]
    /// The columns of all other properties, by key path.
    private var byPath: [AnyKeyPath: Int] = [:]

    init(_ objects: LazyResults<T>, _ map: ClassMap, _ chosen: [ChosenColumn]) {
        (self.objects, self.map) = (objects, map)
        for (column, chosen) in chosen.enumerated() {
            switch chosen {
            case .ordinal(let ordinal): byOrdinal[ordinal] = column
            case .path(let path):
                if let ordinal = PartialRows.ordinal(of: path, in: map) {
                    byOrdinal[ordinal] = column
                } else {
                    byPath[path] = column
                }
            }
        }
    }

    /// The column of a property in the rows; nil if the query did not read it.
    func column(of property: AnyKeyPath) -> Int? {
        if !byPath.isEmpty, let column = byPath[property] { return column }
        return PartialRows.ordinal(of: property, in: map).flatMap { byOrdinal[$0] }
    }

    private static func ordinal(of path: AnyKeyPath, in map: ClassMap) -> Int? {
        if case .property(let ordinal)? = try? KeyPathResolver.subject(of: path, in: map) { ordinal } else { nil }
    }
}

/// How a column was selected: by the user with a key path, or because the user did not exclude it.
enum ChosenColumn {
    case path(AnyKeyPath)
    case ordinal(Int)

    var queryPath: QueryPath {
        switch self {
        case .path(let path): QueryPath(path)
        case .ordinal(let ordinal): QueryPath(.ordinal(ordinal))
        }
    }
}
