/// A stored property seen through the wrappers of this package, however they are nested.
struct WrappedField {
    var name: String
    /// The type of the value inside all wrappers.
    private(set) var type: Any.Type
    /// Where that value is in the object.
    private(set) var offset: Int
    /// What the wrappers say.
    private(set) var options = PropertyOptions()
    private(set) var isWrapped = false

    /// Looks at one field of the object at `object`.
    init(_ field: StoredField, in object: UnsafeMutableRawPointer) {
        name = field.name
        type = field.type
        offset = field.offset
        guard field.isStrong else { return }
        while let wrapper = type as? any StoredWrapper.Type {
            // The value is a member of the wrapper, so a pointer to it is a pointer of exactly its type (R2).
            guard let value = FieldMetadata.structureFields(type).first(where: { $0.name == "wrappedValue" }) else {
                return
            }
            isWrapped = true
            describe(wrapper, at: object + offset)
            type = value.type
            offset += value.offset
        }
    }

    private mutating func describe<W: StoredWrapper>(_: W.Type, at field: UnsafeMutableRawPointer) {
        field.assumingMemoryBound(to: W.self).pointee.describe(&options)
    }
}
