/// A stored property, with all of this package's wrappers removed.
struct WrappedField {
    var name: String
    /// The type of the value inside all wrappers.
    private(set) var type: Any.Type
    /// The offset of that value in the object, or in the box.
    private(set) var offset: Int
    /// The offset of the box's address in the object; nil if there is no box.
    private(set) var boxOffset: Int?
    /// The declarations of the wrappers.
    private(set) var options = PropertyOptions()
    private(set) var isWrapped = false
    /// Whether a box contains a box.
    private(set) var hasSeveralBoxes = false

    /// Inspects one field of the object at `object`.
    init(_ field: StoredField, in object: Address) {
        name = field.name
        type = field.type
        offset = field.offset
        guard field.isStrong else { return }
        var base = object
        while true {
            if let wrapper = type as? any StoredWrapper.Type {
                // The value is a member of the wrapper, so a pointer to it is a pointer of exactly its type (R2).
                guard let value = FieldMetadata.structureFields(type).first(where: { $0.name == "wrappedValue" })
                else { return }
                isWrapped = true
                describe(wrapper, at: base + offset)
                type = value.type
                offset += value.offset
            } else if let wrapper = type as? any BoxedWrapper.Type {
                isWrapped = true
                guard boxOffset == nil else {
                    hasSeveralBoxes = true
                    return
                }
                let value = describe(boxed: wrapper, at: base + offset)
                boxOffset = offset
                base = ObjectMemory.boxAddress(at: base + offset)
                (type, offset) = value
            } else {
                return
            }
        }
    }

    private mutating func describe<W: StoredWrapper>(_: W.Type, at field: Address) {
        field[as: W.self].describe(&options)
    }

    /// The type of the value and its offset in the box.
    private mutating func describe<W: BoxedWrapper>(
        boxed _: W.Type, at field: Address
    ) -> (Any.Type, Int) {
        field[as: W.self].describe(&options)
        return (W.Value.self, ObjectMemory.valueOffset(in: ValueBox<W.Value>.self))
    }
}
