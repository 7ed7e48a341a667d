internal import StoreEngine

// The indexes that a class declares: column indexes, and indexes whose SQL the schema generates.
extension ClassMapBuilder {
    func indexes(
        _ properties: [Property], _ table: String, _ scratch: ScratchObject
    ) throws -> [IndexDefinition] {
        var definitions: [IndexDefinition] = []
        func add(_ columns: [String], isUnique: Bool, isDescending: Bool, isOfHashes: Bool = false) {
            // Index names share one namespace with each other and with tables. Default names have no dots, so `order`
            // with `item_name` and `order_item` with `name` get two names.
            let name = "\(table).\(columns.joined(separator: ",")).\(isUnique ? "unique" : "index")"
            let definition = IndexDefinition(
                name: isDescending ? name + ".descending" : name, columns: columns, isUnique: isUnique,
                isDescending: isDescending, isOfHashes: isOfHashes)
            if !definitions.contains(definition) { definitions.append(definition) }
        }
        for property in properties where property.isUnique || property.isIndexed { try checkIndexable(property) }
        for property in properties where property.hasColumn {
            // Deleting an object, and reading an inverse, search for the referring rows.
            if case .reference = property.shape, !property.isUnique {
                if isForeign { continue }
                add([property.column], isUnique: false, isDescending: false)
                continue
            }
            if let sealing = property.sealing {
                guard sealing.isSearchable else { continue }
                add([property.column], isUnique: property.isUnique, isDescending: false, isOfHashes: true)
                continue
            }
            // A unique index also serves finders, so @Indexed next to @Unique adds nothing.
            if property.isUnique {
                add([property.column], isUnique: true, isDescending: false)
            } else if property.isIndexed {
                add([property.column], isUnique: false, isDescending: false)
            }
        }
        for index in type.indexes where !index.isDeclared {
            let columns = try index.properties.compactMap { try column(of: $0, properties, scratch) }
            add(columns, isUnique: index.isUnique, isDescending: index.order == .descending)
        }
        return definitions
    }

    func declaredIndexes(_ properties: [Property], _ scratch: ScratchObject) throws -> [DeclaredIndex] {
        try type.indexes.filter(\.isDeclared).map { index in
            guard !isForeign else {
                throw SchemaError.notIndexable(
                    className: name, reason: "the class uses an existing table, whose indexes its owner creates")
            }
            let keys: [DeclaredIndex.Key] = try index.properties.compactMap { property in
                if case .value(let value) = property { return .value(value) }
                if case .caseless(let property) = property { return try caseless(property, properties, scratch) }
                return try column(of: property, properties, scratch).map { .column($0) }
            }
            return DeclaredIndex(
                keys: keys, condition: index.condition, isUnique: index.isUnique,
                isDescending: index.order == .descending)
        }
    }

    private func caseless(
        _ property: Index.Property, _ properties: [Property], _ scratch: ScratchObject
    ) throws -> DeclaredIndex.Key? {
        guard let column = try column(of: property, properties, scratch) else { return nil }
        guard let found = properties.first(where: { $0.column == column }), !found.codec.isString else {
            return .caseless(column)
        }
        throw SchemaError.notIndexable(
            className: name, reason: "\(found.name) is not a String, and only a String can ignore case")
    }

    /// The column of a property; nil for an expression over several properties.
    private func column(
        of property: Index.Property, _ properties: [Property], _ scratch: ScratchObject
    ) throws -> String? {
        switch property {
        case .value, .caseless: return nil
        case .name(let wanted):
            if let found = properties.first(where: { $0.name == wanted }) {
                try checkIsPlain(found)
                try checkIndexable(found)
                return found.column
            }
            throw SchemaError.unknownProperty(className: name, property: "\"\(wanted)\"", place: "indexes")
        case .path(let path):
            let resolved = KeyPathProbe(properties, scratch).property(of: path)
            if case .success(let ordinal) = resolved {
                try checkIsPlain(properties[ordinal])
                try checkIndexable(properties[ordinal])
                return properties[ordinal].column
            }
            throw SchemaError.unknownProperty(className: name, property: "\(path)", place: "indexes")
        }
    }

    private func checkIsPlain(_ property: Property) throws {
        guard property.sealing != nil else { return }
        throw SchemaError.notIndexable(
            className: name,
            reason: "\(property.name) is encrypted. Write @Encrypted(.searchable), which creates an index of hashes, "
                + "or @Unique @Encrypted(.searchable)")
    }

    /// Rejects properties without a column to index.
    private func checkIndexable(_ property: Property) throws {
        switch property.shape {
        case .scalar, .reference: return
        case .collection:
            throw SchemaError.notIndexable(
                className: name,
                reason: "\(property.name) is a collection, whose elements have their own table")
        case .inverse:
            throw SchemaError.notIndexable(
                className: name,
                reason: "\(property.name) is an inverse, which is derived from other objects' references")
        }
    }
}

extension Index {
    /// Whether column names alone do not define the index.
    fileprivate var isDeclared: Bool {
        condition != nil
            || properties.contains { property in
                switch property {
                case .value, .caseless: true
                case .name, .path: false
                }
            }
    }
}
