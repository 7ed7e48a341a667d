internal import StoreEngine

// Properties whose values are embedded.
extension ClassMapBuilder {
    /// The class's declarations that can name a property or a field of an embedded value.
    struct Sayings {
        let transient: Set<String>
        let columns: [String: String]
        let formerColumns: [String: [String]]
    }

    /// The fields of an embedded value as properties of the class.
    ///
    /// - Parameter whole: The property as it would be without `@Embedded`.
    func embedded(
        _ whole: Property, _ options: PropertyOptions, _ sayings: Sayings, unknown: inout Set<String>
    ) throws -> [Property] {
        func refusal(_ reason: String) -> SchemaError {
            .notStorable(className: name, property: whole.name, type: whole.typeName, reason: reason)
        }
        if let reason = ClassMapBuilder.objection(to: options, whole) { throw refusal(reason) }
        let fields: [EmbeddedField]
        switch EmbeddedFields.fields(of: whole.codec.valueType, isForeign: isForeign) {
        case .failure(let refused): throw refusal("it cannot be embedded: \(refused.reason)")
        case .success(let found): fields = found
        }
        var properties: [Property] = []
        for field in fields {
            let property = "\(whole.name).\(field.name)"
            unknown.remove(property)
            if sayings.transient.contains(property) {
                if field.presence == .flag {
                    throw refusal("the field \(property), which is transient, determines whether it is nil")
                }
                // An optional value has no initial value whose fields could be used.
                if field.presence == .required {
                    throw refusal(
                        "the field \(property) is transient and cannot be nil, so its value is unknown after a "
                            + "fetch. Make the field optional, or \(whole.name) not optional")
                }
                continue
            }
            let ending = field.names.map { "_" + Naming.snakeCase($0) }.joined()
            properties.append(
                Property(
                    name: property, column: sayings.columns[property] ?? whole.column + ending,
                    formerColumns: whole.formerColumns.map { $0 + ending }
                        + sayings.formerColumns[property, default: []],
                    offset: whole.offset + field.codecOffset, boxOffset: nil, codec: field.codec, shape: .scalar,
                    isIndexed: false, isUnique: false, isLazy: false, deleteRule: .nullify,
                    order: whole.order + properties.count, level: whole.level, isReadOnly: whole.isReadOnly,
                    part: EmbeddedValue.Part(field, of: whole)))
        }
        guard properties.contains(where: { $0.part?.presence != .flag }) else {
            throw refusal("all of its fields are transient. Mark \(whole.name) itself as transient")
        }
        return properties
    }

    /// The reason that another wrapper of the property cannot be combined with `@Embedded`; nil if there is no reason.
    private static func objection(to options: PropertyOptions, _ whole: Property) -> String? {
        func index(_ isUnique: String) -> String {
            "an embedded value has several columns. Name the columns of the index: override class var indexes: "
                + "[Index] { [Index(\"\(whole.name).…\"\(isUnique))] }"
        }
        if whole.boxOffset != nil { return "@Embedded cannot be combined with @Lazy or @Inverse. Remove one of them" }
        if options.isUnique { return index(", isUnique: true") }
        if options.isIndexed { return index("") }
        if options.isSearchable {
            return "an embedded value has several columns. Name its String fields in class var searchable"
        }
        if options.deleteRule != nil { return "@OnDelete is for references. Remove it" }
        if options.format != nil || !options.furtherColumns.isEmpty {
            return "an embedded value has several columns. Give @Column one name, which becomes the prefix of "
                + "their names"
        }
        return nil
    }
}
