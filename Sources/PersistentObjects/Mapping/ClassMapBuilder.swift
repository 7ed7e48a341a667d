internal import StoreEngine

/// Examines a class and creates its map, or reports what cannot be stored and why.
struct ClassMapBuilder {
    let type: PersistentObject.Type
    let name: String

    init(_ type: PersistentObject.Type) {
        self.type = type
        name = String(describing: type)
    }

    func build() throws -> ClassMap {
        guard type != PersistentObject.self, !ClassLineage.isAbstract(type) else {
            throw SchemaError.isAbstract(className: name)
        }
        let root = root
        let table = try tableName(of: root)
        let fields = try storedFields()
        let object = type.init()
        let scratch = ScratchObject(object)
        let (stored, others) = try scratch.withObject { try self.properties(fields, in: $1) }
        let properties = ClassMapBuilder.inOrder(try key(of: root) + stored)
        try checkOrigin(root, table, properties)
        try checkNames(properties)
        try SoftDeletes.check(type, root: root, properties)
        try KeptHistory.check(type, root: root)
        try SyncedClass.check(type, root: root, properties)
        return ClassMap(
            type: type, root: root, table: table, properties: properties,
            indexes: try indexes(properties, table, scratch),
            declaredIndexes: try declaredIndexes(properties, scratch),
            searchColumns: try SearchColumns(of: type, root: root, properties, scratch).names, scratch: scratch,
            defaults: scratch.withObject { defaults(properties, in: $1) },
            foreign: try ForeignTable(type, properties, scratch),
            observed: ObservedClass.of(
                type, fields, boxes: properties.indices.filter { properties[$0].boxOffset != nil }),
            observedOnly: others)
    }

    var isForeign: Bool { !type.origin.isOwn }

    private func checkOrigin(_ root: PersistentObject.Type, _ table: String, _ properties: [Property]) throws {
        let problems = ForeignRules(type, root: root, properties).problems
        guard problems.isEmpty else {
            throw SchemaError.tableDiffers(className: name, table: table, differences: problems)
        }
    }

    private var root: PersistentObject.Type { ClassLineage.root(of: type) }

    /// Sorts selected columns first, then other columns, then properties without columns.
    private static func inOrder(_ properties: [Property]) -> [Property] {
        properties.filter(\.isSelected) + properties.filter { $0.hasColumn && !$0.isSelected }
            + properties.filter { !$0.hasColumn }
    }

    private func tableName(of root: PersistentObject.Type) throws -> String {
        let table = root.tableName
        if table.isEmpty, let reason = TableNaming.refusal(for: root) {
            throw SchemaError.needsTableName(className: String(describing: root), reason: reason)
        }
        let isOwn = [HistoryEntry.self, HistoryValue.self, HistoryElement.self].contains { $0 == type }
        if !isOwn, let reason = TableNaming.refusal(ofName: table) {
            throw SchemaError.invalidName(className: name, name: table, reason: reason)
        }
        // The property is inherited and may differ for each class; only the root's value is used.
        for below in ClassLineage.classes(above: type).drop(while: { $0 != root }).dropFirst()
        where below.tableName != table && MethodTable.overridesTableName(below) ?? true {
            throw SchemaError.tableNameDiffers(className: String(describing: below), root: String(describing: root))
        }
        return table
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

    /// The stored properties and, for an `Observable` class, the properties that are not stored and can be observed.
    private func properties(_ fields: [StoredField], in object: Address) throws -> ([Property], [Property]) {
        let observable = Set(fields.filter { $0.name == "_$observationRegistrar" }.map(\.level))
        let transient = type.transient
        let columns = type.columns
        let formerColumns = type.formerColumns
        let sayings = Sayings(transient: transient, columns: columns, formerColumns: formerColumns)
        let rules = type.deleteRules
        let embedded = type.embedded
        let mergeRules = type.mergeRules
        var properties: [Property] = []
        var others: [Property] = []
        var unknown = transient.union(columns.keys).union(formerColumns.keys).union(rules.keys)
            .union(embedded).union(mergeRules.keys)
        for field in fields {
            guard !field.name.hasPrefix("$__lazy_storage_$"), !field.name.hasPrefix("_$") else { continue }
            var wrapped = WrappedField(field, in: object)
            wrapped.name = Naming.withoutBackticks(wrapped.name)
            if wrapped.isWrapped || observable.contains(field.level), wrapped.name.hasPrefix("_") {
                wrapped.name = Naming.withoutBackticks(String(wrapped.name.dropFirst()))
            }
            let property = wrapped.name
            unknown.remove(property)
            guard field.isVar, !wrapped.options.isTransient, !transient.contains(property) else {
                if observable.contains(field.level), field.isVar, let other = observedOnly(field, wrapped) {
                    others.append(other)
                }
                continue
            }
            guard !wrapped.hasSeveralBoxes else {
                throw SchemaError.notStorable(
                    className: name, property: property, type: TypeSpelling.of(wrapped.type),
                    reason: "@Lazy has no effect together with @Inverse or a second @Lazy, because an inverse is "
                        + "lazy. Remove one of them")
            }
            let isEmbedded = wrapped.options.isEmbedded || embedded.contains(property)
            let codec = try codec(of: field, wrapped, property: property)
            let shape = shape(of: codec, wrapped.options)
            let ownColumn = columns[property] ?? wrapped.options.column
            let columns = [ownColumn ?? columnName(of: property, shape)] + wrapped.options.furtherColumns
            let order = (properties.last?.order ?? -1) + 1
            var stored = Property(
                name: property, column: columns.joined(separator: ","),
                formerColumns: wrapped.options.formerColumns + formerColumns[property, default: []],
                offset: wrapped.offset,
                boxOffset: wrapped.boxOffset, codec: codec, shape: shape,
                isIndexed: wrapped.options.isIndexed, isUnique: wrapped.options.isUnique,
                isLazy: wrapped.options.isLazy || wrapped.options.isEncrypted, isWeaklyLazy: wrapped.options.isWeak,
                deleteRule: rules[property] ?? wrapped.options.deleteRule ?? .nullify, order: order,
                level: field.level, isSearchable: wrapped.options.isSearchable,
                isReadOnly: wrapped.options.isReadOnly, foreignColumns: columns.count > 1 ? columns : nil)
            stored.sealing = try sealing(of: stored, wrapped.options, isEmbedded: isEmbedded)
            stored.mergeRule = try mergeRule(mergeRules[property] ?? wrapped.options.mergeRule, of: stored)
            if isEmbedded {
                properties += try self.embedded(stored, wrapped.options, sayings, unknown: &unknown)
            } else {
                properties.append(stored)
            }
        }
        if let property = unknown.sortedUnspecialized().first {
            let place =
                columns[property] != nil
                ? "columns"
                : formerColumns[property] != nil
                    ? "formerColumns"
                    : rules[property] != nil
                        ? "deleteRules"
                        : mergeRules[property] != nil
                            ? "mergeRules" : embedded.contains(property) ? "embedded" : "transient"
            throw SchemaError.unknownProperty(className: name, property: property, place: place)
        }
        if isForeign { ForeignTable.giveNames(to: &properties) }
        return (properties, others)
    }

    private func mergeRule(_ rule: MergeRule?, of property: Property) throws -> MergeRule? {
        guard let rule, let reason = SyncedClass.objection(to: rule, of: property) else { return rule }
        throw SchemaError.notStorable(
            className: name, property: property.name, type: property.typeName, reason: reason)
    }

    /// A property that is not stored, so that its observers are not notified of other properties; nil if its type has
    /// no codec.
    private func observedOnly(_ field: StoredField, _ wrapped: WrappedField) -> Property? {
        guard let codec = try? codec(of: field, wrapped, property: wrapped.name) else { return nil }
        return Property(
            name: wrapped.name, column: "", formerColumns: [], offset: wrapped.offset, boxOffset: nil, codec: codec,
            shape: .scalar, isIndexed: false, isUnique: false, isLazy: false, deleteRule: .nullify, order: 0,
            level: field.level)
    }

    /// The default name of a column.
    private func columnName(of property: String, _ shape: Property.Shape) -> String {
        if case .reference = shape { return Naming.snakeCase(property) + "_id" }
        return type.columnNaming == .verbatim ? property : Naming.snakeCase(property)
    }

    /// The property `key`, which the library adds to classes with keys.
    private func key(of root: PersistentObject.Type) throws -> [Property] {
        guard type.identity == root.identity else {
            throw SchemaError.identityDiffers(className: name, root: String(describing: root))
        }
        guard let codec = KeyCodecs.codec(for: root.identity) else { return [] }
        return [
            Property(
                name: Property.keyName, column: Property.keyName, formerColumns: [], offset: ObjectMemory.keyOffset,
                boxOffset: nil, codec: codec, shape: .scalar, isIndexed: false, isUnique: true, isLazy: false,
                deleteRule: .nullify, order: -1, level: 0)
        ]
    }

    private func shape(of codec: PropertyCodec, _ options: PropertyOptions) -> Property.Shape {
        switch codec {
        case is InverseCodec: options.inverse.map { .inverse(.init(path: $0)) } ?? .scalar
        case is ReferenceCodec: .reference
        case is CollectionCodec: .collection
        default: .scalar
        }
    }

    private func codec(of field: StoredField, _ wrapped: WrappedField, property: String) throws -> PropertyCodec {
        let type = wrapped.type
        func refusal(_ reason: String, _ typeName: String? = nil) -> SchemaError {
            .notStorable(
                className: name, property: property, type: typeName ?? TypeSpelling.of(type), reason: reason)
        }
        switch field.ownership {
        case .strong: break
        case .weak:
            guard type is any ReferenceType.Type else {
                throw refusal(
                    "it is a weak reference to something else than a class of the store. Mark it @Transient")
            }
        case .unowned, .unmanaged: throw refusal("it is an unowned reference. Use an optional")
        }
        // The runtime reports a type that it cannot describe as Void, although its value occupies memory in the object.
        guard type != Void.self else {
            throw field.offset == 0
                ? refusal("it holds no value") : refusal("a noncopyable type cannot be stored", "its type")
        }
        let isWeak = field.ownership == .weak
        switch CodecFactory.propertyCodec(for: type, wrapped.options, isWeak: isWeak, isForeign: isForeign) {
        case .failure(let refused): throw refusal(refused.reason)
        case .success(let codec):
            let linked = (codec as? CollectionCodec)?.element as? any LinkCodec ?? codec as? any LinkCodec
            if let target = linked?.target, target == PersistentObject.self || ClassLineage.isAbstract(target) {
                throw refusal("\(target) is abstract and has no table to refer to. Use one of its subclasses")
            }
            guard codec.facts.alignment <= 16 else {
                throw refusal("its alignment of \(codec.facts.alignment) bytes exceeds the supported 16 bytes")
            }
            guard wrapped.options.isEncrypted, linked == nil, let collection = codec as? CollectionCodec else {
                return codec
            }
            return WholeCollectionCodec(collection)
        }
    }

    // MARK: Names

    /// Rejects names that differ only in ASCII case, which SQLite ignores, or in Unicode normalization, which Swift
    /// ignores.
    private func checkNames(_ properties: [Property]) throws {
        if properties.count(where: { $0.name == Property.keyName }) > 1 {
            throw SchemaError.keyNameTaken(className: name)
        }
        // A raw identifier can contain a dot.
        let names = Dictionary(grouping: properties, by: \.name)
        if let (twice, both) = names.first(where: { $1.count > 1 }) {
            throw SchemaError.duplicateColumn(className: name, column: both[0].column, properties: [twice, twice])
        }
        var columns = ["id": "id"]
        for property in properties where property.hasColumn {
            if let reason = Naming.refusal(of: property.column) {
                throw SchemaError.invalidName(className: name, name: property.column, reason: reason)
            }
            let folded = Naming.folded(property.column)
            if let other = columns.updateValue(property.name, forKey: folded) {
                throw SchemaError.duplicateColumn(
                    className: name, column: property.column, properties: [other, property.name])
            }
        }
    }
}
