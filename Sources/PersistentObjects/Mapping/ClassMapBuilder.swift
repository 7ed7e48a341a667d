internal import StoreEngine

/// Examines a class and makes its map, or says what cannot be stored and why.
struct ClassMapBuilder {
    private let type: PersistentObject.Type
    private let name: String

    init(_ type: PersistentObject.Type) {
        self.type = type
        name = String(describing: type)
    }

    func build() throws -> ClassMap {
        guard type != PersistentObject.self, !isAbstract else { throw SchemaError.isAbstract(className: name) }
        let table = try tableName()
        let fields = try storedFields()
        let object = type.init()
        let scratch = ScratchObject(object)
        let properties = try scratch.withObject { try self.properties(fields, in: $1) }
        try checkNames(properties)
        return ClassMap(
            type: type, table: table, properties: properties, indexes: try indexes(properties, table, scratch),
            scratch: scratch, defaults: scratch.withObject { defaults(properties, in: $1) })
    }

    /// `isAbstract` is inherited, being abstract is not: subclasses of an abstract class have tables.
    private var isAbstract: Bool {
        guard type.isAbstract else { return false }
        let superclass = _getSuperclass(type) as? PersistentObject.Type
        return superclass?.isAbstract != true
    }

    private func tableName() throws -> String {
        let table = type.tableName
        if table.isEmpty, let reason = TableNaming.refusal(for: type) {
            throw SchemaError.needsTableName(className: name, reason: reason)
        }
        try checkName(table)
        guard !Naming.folded(table).hasPrefix("sqlite_") else {
            throw SchemaError.invalidName(
                className: name, name: table, reason: "SQLite keeps names with sqlite_ to itself")
        }
        return table
    }

    private func checkName(_ candidate: String) throws {
        let reason: String? =
            if candidate.isEmpty { "it is empty" } else if candidate.utf8.contains(0) {
                "it has a NUL in it"
            } else if candidate.utf8.count > 1000 { "it is longer than 1,000 bytes" } else { nil }
        if let reason { throw SchemaError.invalidName(className: name, name: candidate, reason: reason) }
    }

    private func storedFields() throws -> [StoredField] {
        do { return try FieldMetadata.fields(of: type, below: PersistentObject.self) } catch {
            switch error {
            case .compiledAway(let aClass), .namesCompiledAway(let aClass):
                throw SchemaError.metadataCompiledAway(className: aClass)
            }
        }
    }

    // MARK: Properties

    private func properties(_ fields: [StoredField], in object: UnsafeMutableRawPointer) throws -> [Property] {
        let observable = Set(fields.filter { $0.name == "_$observationRegistrar" }.map(\.level))
        let transient = type.transient
        let columns = type.columns
        var properties: [Property] = []
        var unknown = transient.union(columns.keys)
        for field in fields {
            guard !field.name.hasPrefix("$__lazy_storage_$"), !field.name.hasPrefix("_$") else { continue }
            var wrapped = WrappedField(field, in: object)
            if wrapped.isWrapped || observable.contains(field.level), field.name.hasPrefix("_") {
                wrapped.name = String(field.name.dropFirst())
            }
            let property = Naming.withoutBackticks(wrapped.name)
            unknown.remove(property)
            guard field.isVar, !wrapped.options.isTransient, !transient.contains(property) else { continue }
            properties.append(
                Property(
                    name: property, column: columns[property] ?? wrapped.options.column ?? Naming.snakeCase(property),
                    formerColumns: wrapped.options.formerColumns, offset: wrapped.offset,
                    codec: try codec(of: field, type: wrapped.type, property: property),
                    isIndexed: wrapped.options.isIndexed, isUnique: wrapped.options.isUnique))
        }
        if let property = unknown.sorted().first {
            let place = columns[property] != nil ? "columns" : "transient"
            throw SchemaError.unknownProperty(className: name, property: property, place: place)
        }
        return properties
    }

    private func codec(of field: StoredField, type: Any.Type, property: String) throws -> PropertyCodec {
        func refusal(_ reason: String, _ typeName: String? = nil) -> SchemaError {
            .notStorable(
                className: name, property: property, type: typeName ?? String(describing: type), reason: reason)
        }
        switch field.ownership {
        case .strong: break
        case .weak: throw refusal("weak references cannot be stored yet; mark it @Transient or declare it elsewhere")
        case .unowned, .unmanaged: throw refusal("an unowned reference cannot be stored; use an optional")
        }
        // The run time shows types that it cannot describe as Void; they have a place in the object all the same.
        guard type != Void.self else {
            throw field.offset == 0
                ? refusal("it holds nothing") : refusal("a noncopyable type cannot be stored", "its type")
        }
        switch CodecFactory.codec(for: type) {
        case .failure(let refused): throw refusal(refused.reason)
        case .success(let codec):
            guard codec.facts.alignment <= 16 else {
                throw refusal("its alignment of \(codec.facts.alignment) bytes is more than the 16 that are supported")
            }
            return codec
        }
    }

    // MARK: Names

    /// SQLite folds ASCII case, Swift folds Unicode forms: names that differ in these only are refused here.
    private func checkNames(_ properties: [Property]) throws {
        var columns = ["id": "id"]
        for property in properties {
            try checkName(property.column)
            let folded = Naming.folded(property.column)
            if let other = columns.updateValue(property.name, forKey: folded) {
                throw SchemaError.duplicateColumn(
                    className: name, column: property.column, properties: [other, property.name])
            }
        }
    }

    // MARK: Indexes

    private func indexes(
        _ properties: [Property], _ table: String, _ scratch: ScratchObject
    ) throws -> [IndexDefinition] {
        var definitions: [IndexDefinition] = []
        func add(_ columns: [String], isUnique: Bool, isDescending: Bool) {
            // Index names share one space with each other and with tables. Default names have no dots, so `order`
            // with `item_name` and `order_item` with `name` get two names.
            let name = "\(table).\(columns.joined(separator: ",")).\(isUnique ? "unique" : "index")"
            let definition = IndexDefinition(
                name: isDescending ? name + ".descending" : name, columns: columns, isUnique: isUnique,
                isDescending: isDescending)
            if !definitions.contains(definition) { definitions.append(definition) }
        }
        for property in properties {
            // A unique index serves finders as well, so @Indexed beside @Unique adds nothing.
            if property.isUnique {
                add([property.column], isUnique: true, isDescending: false)
            } else if property.isIndexed {
                add([property.column], isUnique: false, isDescending: false)
            }
        }
        for index in type.indexes {
            let columns = try index.properties.map { try column(of: $0, properties, scratch) }
            add(columns, isUnique: index.isUnique, isDescending: index.order == .descending)
        }
        return definitions
    }

    private func column(of property: Index.Property, _ properties: [Property], _ scratch: ScratchObject) throws
        -> String
    {
        switch property {
        case .name(let wanted):
            if let found = properties.first(where: { $0.name == wanted }) { return found.column }
            throw SchemaError.unknownProperty(className: name, property: "\"\(wanted)\"", place: "indexes")
        case .path(let path):
            let resolved = KeyPathProbe(properties, scratch).property(of: path)
            if case .success(let place) = resolved { return properties[place].column }
            throw SchemaError.unknownProperty(className: name, property: "\(path)", place: "indexes")
        }
    }

    // MARK: Initial values

    private func defaults(
        _ properties: [Property], in object: UnsafeMutableRawPointer
    ) -> [ClassMap.DefaultValue?] {
        // A second object tells which initial values are constant.
        let second = type.init()
        let start = ObjectMemory.start(of: second)
        return withExtendedLifetime(second) {
            properties.map { property in
                guard let value = try? property.codec.encode(object + property.offset) else { return nil }
                let again = try? property.codec.encode(start + property.offset)
                return ClassMap.DefaultValue(value: value, isConstant: value == again)
            }
        }
    }
}
