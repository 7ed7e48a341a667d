internal import StoreEngine

/// Whether a class with a table of the library can refer to rows of existing tables. Its column stores their ids, which
/// must be permanent.
struct ForeignReferences {
    private(set) var differences: [String] = []
    private let map: ClassMap

    init(_ map: ClassMap, _ connection: any Connection) throws {
        self.map = map
        guard map.foreign == nil else { return }
        for property in map.properties {
            if case .inverse = property.shape { continue }
            guard let type = property.linkedClass, !type.origin.isOwn else { continue }
            let target = try ClassMap.map(of: type)
            guard type.primaryKey.isEmpty else {
                differences.append(
                    "\(property.name): a \(target.name) is identified by "
                        + "\(target.keyColumns.joined(separator: ", ")), and a table of the library has no column for "
                        + "it. Store the key in a property, and find the object with find(key:)")
                continue
            }
            let inspector = SchemaInspector(connection)
            guard target.foreign?.idColumn == nil, let table = try inspector.table(target.table),
                try ForeignID(table, inspector).column == nil
            else { continue }
            differences.append(
                "\(property.name): the rows of \(target.table) have no permanent ids, because it has no INTEGER "
                    + "PRIMARY KEY. Store a value that identifies a \(target.name) in a property, and find the object "
                    + "by it")
        }
    }

    /// Throws if there are differences.
    func check() throws {
        guard !differences.isEmpty else { return }
        throw SchemaError.tableDiffers(className: map.name, table: map.table, differences: differences)
    }
}

extension ClassMap {
    /// The table that columns of the library can refer to with a foreign key; nil for an existing table, whose ids need
    /// not be its primary key.
    var referableTable: String? { foreign == nil ? table : nil }
}
