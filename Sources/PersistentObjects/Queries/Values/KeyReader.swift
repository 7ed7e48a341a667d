internal import StoreEngine

/// A selected value: a property, or a value computed from properties.
struct SelectedValue {
    let expression: QueryExpression
    /// The property, if the value is a plain property.
    let path: AnyKeyPath?

    init(_ path: AnyKeyPath) {
        expression = QueryExpression(.column(scope: 0, QueryPath(path)))
        self.path = path
    }

    init(_ expression: QueryExpression) {
        self.expression = expression
        path = nil
    }

    /// The value that a closure computes from the properties of a class.
    init<T, V, A>(_ value: (Columns<T>) throws -> Term<V, A>) rethrows {
        self.init(try value(Columns(scope: 0, scopes: ScopeCounter())).expression)
    }
}

/// Reads a column of a statement's rows as the keys by which they are grouped. Keys are values, or objects whose ids
/// the column contains.
struct KeyReader<Key> {
    private let column: ColumnReader<Key>?
    /// The class of the keys, if they are objects.
    private let type: PersistentObject.Type?
    private let ordinal: Int

    /// A key as stored in a row.
    enum Raw {
        case value(Key)
        case id(Int64?)
    }

    init(_ ordinal: Int = 0) throws {
        self.ordinal = ordinal
        type = KeyReader.objectClass
        column = type == nil ? try ColumnReader(ordinal) : nil
    }

    /// The class of the keys, if they are objects.
    private static var objectClass: PersistentObject.Type? {
        ((Key.self as? any OptionalType.Type)?.wrapped ?? Key.self) as? PersistentObject.Type
    }

    /// The key of the statement's current row.
    func raw(_ row: ValueRow) throws -> Raw {
        if let column { return .value(try column.value(row)) }
        let id = row.statement.column(Int32(ordinal))
        return .id(id.isNull ? nil : id.integer)
    }

    /// Whether the keys are objects, which are fetched after the statement.
    var readsObjects: Bool { type != nil }

    /// The keys of all rows, in the order of the rows. Objects that are not in memory are fetched with one query.
    ///
    /// - Throws: `StoreError` with the code `brokenReference` if the object of an id does not exist.
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
        _ values: [SelectedValue], _ resultKind: ValueResultKind, _ grouping: Grouping<Key>,
        _ read: (ValueRow) throws -> R
    ) throws -> [(key: Key, value: R)] {
        try run(values.map(\.expression), of: values.map(\.path), resultKind) { query, ordinal in
            func found() throws -> [(key: Key, value: R)] {
                // Keys and values are read into parallel arrays, because `values` sorts the rows by their ids.
                let rows = try query.values(resultKind, { (try grouping.raw($0), try read($0)) }, ordinal: ordinal)
                let keys = try grouping.keys(rows.map(\.0), query.session)
                return zip(keys, rows).map { (key: $0, value: $1.1) }
            }
            return try grouping.readsObjects ? query.session.readTransaction.inOneState(found) : found()
        }
    }
}
