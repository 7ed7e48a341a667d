internal import Foundation
internal import StoreEngine

/// A codec of an array, set or dictionary, whose elements are rows of a child table.
///
/// If the collection is optional, a column of the owner distinguishes nil from empty. The owner's row contains no other
/// part of the collection.
class CollectionCodec: PropertyCodec, @unchecked Sendable {  // immutable
    enum Style: Sendable { case array, set, dictionary }

    let style: Style
    /// The codec of a dictionary's keys.
    let key: PropertyCodec?
    /// The codec of the elements, or of a dictionary's values: a column codec or a `ReferenceCodec`.
    let element: PropertyCodec
    /// `key` and `element` for hot loops.
    let keyPlan: FieldPlan?
    let elementPlan: FieldPlan
    /// Whether two keys, or two elements of a set, that differ in Swift also differ in a column. This is unknown for a
    /// type with a custom `==`, and false for `URL`.
    let keepsKeysApart: Bool

    init(valueType: Any.Type, style: Style, key: PropertyCodec?, element: PropertyCodec, isOptional: Bool) {
        self.style = style
        self.key = key
        self.element = element
        keyPlan = key.map { FieldPlan($0) }
        elementPlan = FieldPlan(element)
        keepsKeysApart = (key ?? element).keepsValuesApart
        super.init(valueType: valueType, logicalType: .integer, acceptsNull: isOptional, kind: .link)
    }

    /// The codec for a collection type; nil if the type is not a collection.
    static func codec(for type: Any.Type) -> Result<PropertyCodec, CodecFactory.Refusal>? {
        if CollectionTypes.isScalar(type) { return nil }
        if let collection = type as? any CollectionType.Type { return collection.collectionCodec(isOptional: false) }
        guard let optional = type as? any OptionalType.Type else { return nil }
        let wrapped = optional.wrapped
        if CollectionTypes.isScalar(wrapped) { return nil }
        if let collection = wrapped as? any CollectionType.Type { return collection.collectionCodec(isOptional: true) }
        guard let inner = wrapped as? any OptionalType.Type, CollectionTypes.isCollection(inner.wrapped) else {
            return nil
        }
        return .failure(
            CodecFactory.Refusal(
                "it is a nested optional, and one NULL in the column would represent both kinds of nil"))
    }

    override var encodesByUser: Bool { element.encodesByUser || key?.encodesByUser ?? false }

    /// The number of the value's rows; 0 for nil.
    func count(_ field: Address) -> Int { mustOverride() }
    func isNil(_ field: Address) -> Bool { mustOverride() }
    func setEmpty(at field: Address) { mustOverride() }
    /// Sets nil; a collection that is not optional becomes empty.
    func setNil(at field: Address) { mustOverride() }

    /// Calls `body` with the address of each element, and of its key in a dictionary; an array's elements in order.
    ///
    /// The addresses are valid until `body` returns, and may only be read.
    func forEachRow(
        _ field: Address,
        _ body: (_ key: Address?, _ element: Address) throws -> Void
    ) rethrows { mustOverride() }

    /// Calls `body` with each row in which two sets or dictionaries differ, nil counting as empty; the key and element
    /// of a changed row are from the new value.
    func forEachDifference(
        _ old: Address, _ new: Address,
        _ body: (RowDifference, _ key: Address?, _ element: Address) throws -> Void
    ) rethrows { mustOverride() }

    /// Calls `body` with all elements of an array, in place.
    func withElements(_ field: Address, _ body: (ElementBuffer) throws -> Void) rethrows {
        mustOverride()
    }

    /// Creates values of the collection's type from rows.
    func makeBuilder() -> CollectionBuilder { mustOverride() }

    /// Creates nil in fresh memory; for a collection that is not optional, the empty collection.
    func createNil(at memory: Address) { mustOverride() }

    /// Adds an object to an array or set of objects; false for other collections.
    func insert(_ object: PersistentObject, into field: Address) -> Bool { false }
    /// Removes all occurrences of an object from a collection of objects.
    func remove(_ object: PersistentObject, from field: Address) {}
}

extension PropertyCodec {
    fileprivate var keepsValuesApart: Bool {
        switch kind {
        case .int, .int64, .double, .bool, .date, .string: true
        default: valueType is any IntegerScalar.Type || valueType == UUID.self || valueType == Character.self
        }
    }
}

/// The elements of an array, contiguous in memory.
struct ElementBuffer {
    /// The address of the first element; nil if there are no elements.
    let base: Address?
    let count: Int
    let stride: Int

    static var empty: ElementBuffer { ElementBuffer(base: nil, count: 0, stride: 0) }

    /// The address of element `index`, which must exist.
    @inline(__always)
    func address(_ index: Int) -> Address {
        guard let base, index < count else { preconditionFailure("The collection has no element at this index") }
        return base + index * stride
    }
}
