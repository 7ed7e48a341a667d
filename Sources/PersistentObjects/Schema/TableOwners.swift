internal import StoreEngine

/// The owners of a store's tables: a hierarchy, a collection, or a search index.
struct TableOwners {
    private enum Owner {
        case hierarchy([ClassMap])
        case collection(ChildTable, Property, ClassMap)
        case search(ClassMap)

        /// The owner's name for messages.
        var name: String {
            switch self {
            case .hierarchy(let maps): maps.first?.name ?? ""
            case .collection(_, let property, let map): "\(map.name).\(property.name)"
            case .search(let map): "the search of \(map.name)"
            }
        }
    }

    /// The owners by folded table name.
    private var owners: [String: Owner] = [:]
    /// What was added to `owners`, which is shared with other values and would be copied for each class.
    private var changes: [String: Owner] = [:]

    private func owner(_ key: String) -> Owner? { changes[key] ?? owners[key] }

    /// What changes if classes are added; throws if one of their tables belongs to another owner.
    func additions(of maps: [ClassMap]) throws -> TableOwners {
        var all = self
        for map in maps { try all.add(map) }
        var additions = TableOwners()
        additions.changes = all.changes
        return additions
    }

    mutating func apply(_ additions: TableOwners) { owners.merge(additions.changes) { _, new in new } }

    /// Records the tables of a class; throws if one of them belongs to another owner.
    mutating func add(_ map: ClassMap) throws {
        try addTable(of: map)
        for property in map.properties {
            if let table = ChildTable(property, of: map) { try add(table, of: property, in: map) }
        }
        guard map.isRoot, let search = SearchIndex(map) else { return }
        for table in search.allNames {
            let former = owner(Naming.folded(table))
            changes[Naming.folded(table)] = .search(map)
            if let former, former.name != Owner.search(map).name {
                throw SchemaError.duplicateTable(table: table, classNames: [former.name, Owner.search(map).name])
            }
        }
    }

    /// The classes of one table.
    func classes(sharing table: String) -> [ClassMap] {
        if case .hierarchy(let maps)? = owner(Naming.folded(table)) { maps } else { [] }
    }

    /// The class and, for a collection, the property that a table belongs to.
    func owner(of table: String) -> (map: ClassMap, property: Property?)? {
        switch owner(Naming.folded(table)) {
        case .hierarchy(let maps)?: (maps.first { $0.isRoot } ?? maps.first).map { ($0, nil) }
        case .collection(_, let property, let map)?: (map, property)
        case .search?, nil: nil
        }
    }

    /// The class whose strings a search index, or a table of it, contains.
    func searched(in table: String) -> ClassMap? {
        if case .search(let map)? = owner(Naming.folded(table)) { map } else { nil }
    }

    private mutating func addTable(of map: ClassMap) throws {
        let key = Naming.folded(map.table)
        switch owner(key) {
        case nil: changes[key] = .hierarchy([map])
        case .collection?, .search?:
            throw SchemaError.duplicateTable(table: map.table, classNames: [owner(key)?.name ?? "", map.name])
        case .hierarchy(let maps)?:
            // Several classes may use one existing table, with any of its columns.
            if let other = maps.first, other.root != map.root, other.foreign == nil || map.foreign == nil {
                throw SchemaError.duplicateTable(table: map.table, classNames: TableOwners.names(other, map))
            }
            if let other = maps.first(where: { $0.name == map.name && $0.type != map.type }) {
                throw SchemaError.duplicateClassName(name: map.name, classNames: TableOwners.names(other, map))
            }
            changes[key] = .hierarchy(maps.filter { $0.type != map.type } + [map])
        }
    }

    private mutating func add(_ table: ChildTable, of property: Property, in map: ClassMap) throws {
        let key = Naming.folded(table.name)
        let name = "\(map.name).\(property.name)"
        switch owner(key) {
        case nil: changes[key] = .collection(table, property, map)
        case .hierarchy?, .search?:
            throw SchemaError.duplicateTable(table: table.name, classNames: [owner(key)?.name ?? "", name])
        case .collection(let other, let otherProperty, let owner)?:
            // A subclass inherits the collection, or a sibling class has the same collection.
            let isSame = property.name == otherProperty.name || !ClassLineage.areRelated(map.type, owner.type)
            guard isSame, other.hasShape(of: table) else {
                throw SchemaError.duplicateTable(
                    table: table.name, classNames: ["\(owner.name).\(otherProperty.name)", name])
            }
        }
    }

    /// Nested classes with the same name are distinguished by their enclosing types.
    private static func names(_ one: ClassMap, _ other: ClassMap) -> [String] {
        [one, other].map { one.name == other.name ? String(reflecting: $0.type) : $0.name }
    }
}

extension ChildTable {
    /// Whether both can share one table.
    fileprivate func hasShape(of other: ChildTable) -> Bool {
        Naming.folded(ownerTable) == Naming.folded(other.ownerTable) && style == other.style && keyType == other.keyType
            && valueType == other.valueType && valueAcceptsNull == other.valueAcceptsNull && target == other.target
    }
}
