internal import PersistentObjects
internal import StoreEngine

/// The mapping from the columns of a statement to the JSON members of a class's rows.
struct ExportPlan {
    /// A name in the JSON, and the source of its value.
    struct Entry {
        let name: String
        let source: Source
    }

    enum Source {
        case id, className
        /// A column of the statement.
        case value(Int32, ColumnJSON)
        /// Encrypted bytes, written as Base64.
        case sealed(Int32)
        /// Encrypted bytes, written as the decrypted value. `key` is the column of the objects' keys.
        case opened(Int32, Property, key: Int32?)
        /// An id or a key: the row's own key, or the id or key of the row that it refers to.
        case link(Int32, hasKey: Bool)
        /// A collection. `flag` is the column that distinguishes nil from empty.
        case collection(Int, flag: Int32?)
    }

    /// Whether a property is encrypted.
    var hasEncrypted: Bool { map.properties.contains(where: \.isEncrypted) }

    let map: ClassMap
    /// Sorted by name.
    let entries: [Entry]

    /// The entries in the order of CSV columns: the class, the id and the key first, then as declared.
    var entriesAsDeclared: [Entry] {
        let order = Dictionary(
            map.inDeclaredOrder.enumerated().map { (map.properties[$1].name, $0) }, uniquingKeysWith: { a, _ in a })
        func place(_ entry: Entry) -> Int {
            switch entry.source {
            case .className: -3
            case .id: -2
            default: entry.name == Property.keyName && map.keyOrdinal != nil ? -1 : order[entry.name] ?? 0
            }
        }
        return entries.sorted { place($0) < place($1) }
    }
}

/// The statement that reads the rows of a class and its subclasses, and the plan for each of these classes.
struct ExportSource {
    let space: ClassSpace
    let select: SQL
    /// By the names in the class column. If there is no class column, the only plan has the name "".
    let plans: [String: ExportPlan]
    /// The plan of all rows; nil if it depends on the class column.
    let onlyPlan: ExportPlan?
    /// The index of the class column.
    let classColumn: Int32?
    let collections: [ExportCollection]

    /// - Parameter namesClass: Whether every row names its class.
    init(_ space: ClassSpace, namesClass: Bool, _ values: ExportedValues, _ session: Session) throws {
        self.space = space
        let family = space.family
        let hasClassColumn = space.hasClassColumn
        var columns: [SQL] = ["\(name: "id")"] + (hasClassColumn ? ["\(name: "class")"] : [])
        var places: [String: Int32] = [:]
        var collections: [ExportCollection] = []
        var collectionPlaces: [String: Int] = [:]
        var plans: [String: ExportPlan] = [:]

        func column(_ key: String, _ sql: @autoclosure () -> SQL) -> Int32 {
            if let place = places[key] { return place }
            places[key] = Int32(columns.count)
            columns.append(sql())
            return Int32(columns.count - 1)
        }
        for map in family {
            var entries = [ExportPlan.Entry(name: JSONNames.id, source: .id)]
            if namesClass || map !== space.map { entries.append(.init(name: JSONNames.className, source: .className)) }
            for property in map.properties where !property.isInverse {
                if property.isEncrypted {
                    let place = column(property.column, "\(name: property.column)")
                    let key = map.keyOrdinal.map { map.properties[$0].column }.map { column($0, "\(name: $0)") }
                    let source: ExportPlan.Source =
                        values == .sealed ? .sealed(place) : .opened(place, property, key: key)
                    entries.append(.init(name: property.name, source: source))
                    continue
                }
                let source: ExportPlan.Source
                switch property.form {
                case .value:
                    source = .value(column(property.column, "\(name: property.column)"), ColumnJSON(property, in: map))
                case .key:
                    // A key is written like a reference to its row, because the two must not differ.
                    source = .link(column(property.column, "\(name: property.column)"), hasKey: true)
                case .link:
                    guard let target = try ExportSource.target(property, session) else { continue }
                    let sql = ExportSource.link("\(column: property.column, of: space.map.table)", target)
                    source = .link(column(property.column, sql), hasKey: target.keyOrdinal != nil)
                case .collection(let form):
                    guard let table = ChildTable(property, of: map) else { continue }
                    let flag = property.hasColumn ? column(property.column, "\(name: property.column)") : nil
                    if collectionPlaces[table.name] == nil {
                        collectionPlaces[table.name] = collections.count
                        collections.append(
                            ExportCollection(table, form, try ExportSource.target(property, session)))
                    }
                    source = .collection(collectionPlaces[table.name] ?? 0, flag: flag)
                }
                entries.append(.init(name: property.name, source: source))
            }
            entries.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            plans[hasClassColumn ? map.name : ""] = ExportPlan(map: map, entries: entries)
        }
        classColumn = hasClassColumn ? 1 : nil
        self.plans = plans
        onlyPlan = hasClassColumn ? nil : plans[""]
        self.collections = collections
        select = "SELECT \(list: columns) FROM \(space.rows) ORDER BY \(name: "id")"
    }

    /// The class that a property refers to. Its table is created if necessary.
    private static func target(_ property: Property, _ session: Session) throws -> ClassMap? {
        guard let type = property.linkedClass else { return nil }
        return try session.space(of: type).map
    }

    /// The id in a column, or the key of the row with that id if the class has keys.
    ///
    /// - Parameter column: Qualified with its table, because SQL would look up a bare name in the target first.
    fileprivate static func link(_ column: SQL, _ target: ClassMap?) -> SQL {
        guard let target, let place = target.keyOrdinal else { return column }
        let key = target.properties[place].column
        let other: SQL = "\(name: " linked row")"
        return """
            (SELECT \(other).\(name: key) FROM \(name: target.table) AS \(other) WHERE \(other).\(name: "id") = \(column))
            """
    }
}

/// The statement that reads a collection's table, sorted by owner.
struct ExportCollection {
    let select: SQL
    let form: CollectionShape
    let elementHasKey: Bool

    init(_ table: ChildTable, _ form: CollectionShape, _ target: ClassMap?) {
        self.form = form
        elementHasKey = target?.keyOrdinal != nil
        let owner: SQL = "\(column: ChildTable.ownerColumn, of: table.name)"
        let key: [SQL] = form.style == .dictionary ? ["\(column: ChildTable.keyColumn, of: table.name)"] : []
        let value = ExportSource.link("\(column: table.valueColumn, of: table.name)", target)
        let order: SQL = "\(column: table.orderColumn, of: table.name)"
        select =
            "SELECT \(list: [owner] + key + [value]) FROM \(name: table.name) ORDER BY \(list: [owner, order])"
    }
}
