internal import StoreEngine

// Properties whose values are embedded.
extension ClassMapBuilder {
    /// The names of what the class says of one of its properties, and of fields in it.
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
                if field.presence == .sign { throw refusal("\(property), which is transient, says whether it is nil") }
                // Of an optional value there is no initial one, whose fields it could have.
                if field.presence == .required {
                    throw refusal(
                        "\(property) is transient and cannot be nil, so nothing says what it is in a value that is read; "
                            + "make the field optional, or \(whole.name) not optional")
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
        guard properties.contains(where: { $0.part?.presence != .sign }) else {
            throw refusal("all of its fields are transient; say so of \(whole.name)")
        }
        return properties
    }

    /// What else stands before the property and has no meaning for several columns.
    private static func objection(to options: PropertyOptions, _ whole: Property) -> String? {
        func index(_ isUnique: String) -> String {
            "what is embedded has several columns; name those of the index: override class var indexes: [Index] "
                + "{ [Index(\"\(whole.name).…\"\(isUnique))] }"
        }
        if whole.boxOffset != nil { return "@Embedded beside @Lazy or @Inverse has no meaning; remove one" }
        if options.isUnique { return index(", isUnique: true") }
        if options.isIndexed { return index("") }
        if options.isSearchable {
            return "what is embedded has several columns; name those that are texts in class var searchable"
        }
        if options.deleteRule != nil { return "@OnDelete is for references; remove it" }
        if options.format != nil || !options.furtherColumns.isEmpty {
            return "what is embedded has several columns; give @Column one name, which theirs begin with"
        }
        return nil
    }
}
