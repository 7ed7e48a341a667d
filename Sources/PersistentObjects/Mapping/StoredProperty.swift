internal import StoreEngine

/// A stored property of a class: its type, and where its values are.
///
/// ```swift
/// for property in try Person.properties { print(property) }   // lastName: String in person.last_name
/// ```
public struct StoredProperty: Sendable {
    /// What a property holds.
    public enum Kind: Sendable, Hashable {
        /// A value in a column.
        case value
        /// An object, whose id a column has.
        case reference
        /// Values or objects, in a table of their own.
        case collection
        /// What is read from the other side, and has neither a column nor a table.
        case inverse
    }

    /// The name in Swift.
    public let name: String
    /// The type as the class declares it, without wrappers: `Optional<Int>` for an `Int?`.
    public let type: Any.Type
    /// What it holds.
    public let kind: Kind
    /// The table that its values are in: the class's, which a subclass shares with its superclasses, or the collection's
    /// own. Nil for an inverse.
    public let table: String?
    /// The columns of the class's table that it stands in: one for a value or a reference. None for an inverse and a
    /// collection; an optional collection has one that tells nil from empty. Several are possible in tables of others.
    public let columns: [String]
    /// The class of the objects that it holds; nil for values.
    public let target: PersistentObject.Type?
    /// Whether it can be nil.
    public let isOptional: Bool
    /// Whether an index begins with its column; a unique one is an index too.
    public let isIndexed: Bool
    /// Whether no two rows have the same value in it.
    public let isUnique: Bool
    /// Whether it is read when it is first accessed: `@Lazy`, or an inverse.
    public let isLazy: Bool
    /// Whether it is read and never written.
    public let isReadOnly: Bool
    /// What a deletion does across it; `.nullify` for what holds no objects.
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

    /// The column, where it is one: that of a value, or of a reference's id.
    public var column: String? { kind == .collection || columns.count != 1 ? nil : columns[0] }
}

extension StoredProperty: CustomStringConvertible {
    /// Name, type and place: `lastName: String in person.last_name`
    public var description: String {
        let place = ([table].compactMap { $0 } + (column.map { [$0] } ?? [])).joined(separator: ".")
        return "\(name): \(TypeSpelling.of(type))" + (place.isEmpty ? "" : " in \(place)")
    }
}
