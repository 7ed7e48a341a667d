internal import StoreEngine

/// A value that is asked for: a property, or what is made of properties.
struct AskedValue {
    let expression: QueryExpression
    /// The property, where it is one.
    let path: AnyKeyPath?

    init(_ path: AnyKeyPath) {
        expression = QueryExpression(.column(scope: 0, QueryPath(path)))
        self.path = path
    }

    init(_ expression: QueryExpression) {
        self.expression = expression
        path = nil
    }

    /// What a closure makes of the properties of a class.
    init<T, V, A>(_ value: (Columns<T>) throws -> Term<V, A>) rethrows {
        self.init(try value(Columns(scope: 0, scopes: ScopeCounter())).expression)
    }
}

/// Reads the first column of a statement's rows as what they are grouped by: values, or objects, of which the file has
/// the ids.
struct KeyReader<Key> {
    private let column: ColumnReader<Key>?
    /// The class of the objects.
    private let type: PersistentObject.Type?
    private let place: Int

    /// What a row has.
    enum Raw {
        case value(Key)
        case id(Int64?)
    }

    init(_ place: Int = 0) throws {
        self.place = place
        type = KeyReader.objectClass
        column = type == nil ? try ColumnReader(place) : nil
    }

    /// The class, where the keys are objects.
    private static var objectClass: PersistentObject.Type? {
        ((Key.self as? any OptionalType.Type)?.wrapped ?? Key.self) as? PersistentObject.Type
    }

    /// What the row has that the statement stands on.
    func raw(_ row: ValueRow) throws -> Raw {
        if let column { return .value(try column.value(row)) }
        let id = row.statement.column(Int32(place))
        return .id(id.isNull ? nil : id.integer)
    }

    /// Whether the keys are objects, which are fetched after the statement.
    var readsObjects: Bool { type != nil }

    /// The keys of all rows, in their order: objects are fetched together, with one query for those not in memory.
    ///
    /// - Throws: `StoreError` with the code `brokenReference` where the object
    ///   of an id is not there.
    func keys(_ raw: [Raw], _ session: Session) throws -> [Key] {
        var byID: [Int64: PersistentObject] = [:]
        if let type {
            let ids = raw.compactMap { if case .id(let id?) = $0 { id } else { nil } }
            for object in try Fetch(session).find(try session.space(of: type), IDOrder.sortedUnique(ids)) {
                byID[object.rowID] = object
            }
        }
        return try raw.map { raw in
            switch raw {
            case .value(let key): return key
            case .id(let id):
                let object = id.flatMap { byID[$0] }
                guard object != nil || id == nil, let key = object as Any as? Key else {
                    let row = id.map { " #\($0)" } ?? ""
                    throw StoreError(
                        .brokenReference,
                        "Rows refer to \(type.map { "\($0)" } ?? TypeSpelling.of(Key.self))\(row), which was deleted")
                }
                return key
            }
        }
    }
}

extension QueryCall {
    /// The results of `read` for each row of a terminal method's statement, in addition to the grouping keys.
    func rows<Key, R>(
        _ values: [AskedValue], _ ending: ValueEnding, _ grouping: Grouping<Key>, _ read: (ValueRow) throws -> R
    ) throws -> [(key: Key, value: R)] {
        try ask(values.map(\.expression), of: values.map(\.path), ending) { ask, place in
            func found() throws -> [(key: Key, value: R)] {
                // In parallel arrays: rows are ordered by their ids.
                let rows = try ask.values(ending, { (try grouping.raw($0), try read($0)) }, place: place)
                let keys = try grouping.keys(rows.map(\.0), ask.session)
                return zip(keys, rows).map { (key: $0, value: $1.1) }
            }
            return try grouping.readsObjects ? ask.session.readTransaction.inOneState(found) : found()
        }
    }
}
