internal import StoreEngine

/// The columns of a class that are searched for words, according to its properties and `searchable`.
struct SearchColumns {
    /// The columns, in the declaration order of their properties.
    let names: [String]

    init(
        of type: PersistentObject.Type, root: PersistentObject.Type, _ properties: [Property], _ scratch: ScratchObject
    ) throws {
        let className = String(describing: type)
        var listed: Set<String> = []
        for path in type.searchable {
            guard case .success(let ordinal) = KeyPathProbe(properties, scratch).property(of: path) else {
                throw SchemaError.unknownProperty(className: className, property: "\(path)", place: "searchable")
            }
            listed.insert(properties[ordinal].name)
        }
        let table = root.tableName
        let rootLevel = ClassLineage.classes(above: root).count - 1
        names = try properties.sortedUnspecialized { $0.order < $1.order }.compactMap { property in
            guard property.isSearchable || listed.contains(property.name) else { return nil }
            if let reason = SearchColumns.refusal(property, table, rootLevel, root) {
                throw SchemaError.notSearchable(className: className, property: property.name, reason: reason)
            }
            return property.column
        }
    }

    private static func refusal(
        _ property: Property, _ table: String, _ rootLevel: Int, _ root: PersistentObject.Type
    ) -> String? {
        guard property.sealing == nil else { return "it is encrypted" }
        guard case .scalar = property.shape, property.codec.columnType == .text else {
            return "it is not stored as a string"
        }
        // A program without the subclass would create the index without its columns.
        guard property.level <= rootLevel else { return "a subclass cannot add words to the search of \(root)" }
        let column = Naming.folded(property.column)
        guard column != Naming.folded(SearchIndex.name(for: table)), !SearchIndex.reservedColumns.contains(column)
        else {
            return "SQLite reserves the name \"\(property.column)\" in a search index. Choose another name with "
                + "@Column(\"…\")"
        }
        return nil
    }
}
