internal import StoreEngine

/// One stored property of a class, and its column.
struct Property: Sendable {
    let name: String
    let column: String
    let formerColumns: [String]
    /// Where the value is in an object, inside any wrappers.
    let offset: Int
    let codec: PropertyCodec
    let isIndexed: Bool
    let isUnique: Bool

    /// The type as the user wrote it.
    var typeName: String { String(describing: codec.valueType) }
}

/// An index as the table has it.
struct IndexDefinition: Sendable, Equatable {
    let name: String
    let columns: [String]
    let isUnique: Bool
    let isDescending: Bool
}
