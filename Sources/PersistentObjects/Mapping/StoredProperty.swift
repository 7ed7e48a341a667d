internal import StoreEngine

/// A stored property of a class: its type, and where its values are stored.
///
/// ```swift
/// for property in try Person.properties { print(property) }   // lastName: String in person.last_name
/// ```
public struct StoredProperty: Sendable {
    /// The kind of content of a property.
    public enum Kind: Sendable, Hashable {
        /// A value in a column.
        case value
        /// An object, whose id is stored in a column.
        case reference
        /// Values or objects, in a separate table.
        case collection
        /// The other side of a relation, which has neither a column nor a table.
        case inverse
    }

    /// The name in Swift.
    public let name: String
    /// The type that the class declares, without wrappers: `Optional<Int>` for an `Int?`.
    public let type: Any.Type
    /// The kind of content.
    public let kind: Kind
    /// The table that stores its values; nil for an inverse.
    ///
    /// It is the table of the class, which a subclass shares with its superclasses, or the table of the collection.
    public let table: String?
    /// The columns of the class's table that store the property.
    ///
    /// A value or a reference has one column. An inverse and a collection have none; an optional collection has one
    /// that distinguishes nil from empty. In existing tables, a property may have several columns.
    public let columns: [String]
    /// The class of its objects; nil for values.
    public let target: PersistentObject.Type?
    /// Whether it can be nil.
    public let isOptional: Bool
    /// Whether an index begins with its column; a unique index counts, too.
    public let isIndexed: Bool
    /// Whether no two rows have the same value.
    public let isUnique: Bool
    /// Whether it is read at its first access: `@Lazy`, or an inverse.
    public let isLazy: Bool
    /// Whether it is read and never written.
    public let isReadOnly: Bool
    /// The delete rule; `.nullify` for a property without objects.
    public let deleteRule: DeleteRule

    init(_ property: Property, of map: ClassMap) {
        name = property.name
        type = property.codec.valueType
        (kind, table) =
            switch property.shape {
            case .scalar: (.value, map.table)
            case .reference: (.reference, map.table)
            case .collection: (.collection, ChildTable(property, of: map)?.name)
            case .inverse: (.inverse, nil)
            }
        let own = property.hasColumn ? property.columns : []
        columns = own
        target = property.linkedClass
        isOptional = type is any OptionalType.Type
        var indexes: [IndexDefinition] = []
        if kind != .collection { indexes = map.indexes.filter { $0.columns.first == own.first } }
        isIndexed = !indexes.isEmpty
        isUnique = indexes.contains { $0.isUnique && $0.columns == own }
        isLazy = property.isLazy || kind == .inverse
        isReadOnly = property.isReadOnly || map.isReadOnly
        deleteRule = property.deleteRule
    }

    /// The column of a value or of a reference's id, if there is exactly one.
    public var column: String? { kind == .collection || columns.count != 1 ? nil : columns[0] }
}

extension StoredProperty: CustomStringConvertible {
    /// The name, type and place, such as `lastName: String in person.last_name`.
    public var description: String {
        let place = ([table].compactMap { $0 } + (column.map { [$0] } ?? [])).joined(separator: ".")
        return "\(name): \(TypeSpelling.of(type))" + (place.isEmpty ? "" : " in \(place)")
    }
}
