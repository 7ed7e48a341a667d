internal import StoreEngine

/// The table of a collection: a row for each element, with the id of the owner's row.
///
/// | collection | columns | primary key |
/// |---|---|---|
/// | array | `owner_id`, `position`, `value` | `owner_id`, `position` |
/// | set | `owner_id`, `value` | `owner_id`, `value` |
/// | dictionary | `owner_id`, `key`, `value` | `owner_id`, `key` |
///
/// `value` is `value_id` if the elements are objects. Positions have gaps, so that moving an element does not change
/// the positions of other elements.
package struct ChildTable: Sendable {
    package let name: String
    /// The table of the owner.
    let ownerTable: String
    let style: CollectionCodec.Style
    /// The type of the `key` column.
    let keyType: LogicalType?
    let valueType: LogicalType
    let valueAcceptsNull: Bool
    /// The class that `value_id` refers to; nil for values.
    let target: PersistentObject.Type?

    package static let ownerColumn = "owner_id"
    static let positionColumn = "position"
    package static let keyColumn = "key"
    /// The distance of positions in a new array.
    static let positionStep: Int64 = 1024

    /// The column of the elements.
    package var valueColumn: String { target == nil ? "value" : "value_id" }

    init(
        name: String, ownerTable: String, style: CollectionCodec.Style, keyType: LogicalType?, valueType: LogicalType,
        valueAcceptsNull: Bool, target: PersistentObject.Type?
    ) {
        self.name = name
        self.ownerTable = ownerTable
        self.style = style
        self.keyType = keyType
        self.valueType = valueType
        self.valueAcceptsNull = valueAcceptsNull
        self.target = target
    }

    /// Nil for a property that is not a collection.
    package init?(_ property: Property, of map: ClassMap) {
        guard let codec = property.codec as? CollectionCodec else { return nil }
        self.init(codec, of: property, in: map)
    }

    /// The table that the collection has, or would have if it were not encrypted.
    init(_ codec: CollectionCodec, of property: Property, in map: ClassMap) {
        name = map.table + "_" + property.column
        ownerTable = map.table
        style = codec.style
        keyType = codec.key?.logicalType
        valueType = codec.element.logicalType
        let reference = codec.element as? ReferenceCodec
        target = reference?.target
        valueAcceptsNull = reference == nil && codec.element.acceptsNull
    }
}
