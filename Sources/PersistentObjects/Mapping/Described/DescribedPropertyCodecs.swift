internal import Foundation
internal import StoreEngine

// Codecs of properties whose Swift types the program does not have. They convert arguments of finders. No object with
// such a property exists, so the methods for values in memory do nothing.

/// An encrypted value, or a value of a type that only the class's program has. It can be compared only with nil.
final class DescribedValueCodec: PropertyCodec, @unchecked Sendable {  // immutable
    private let typeName: String
    private let isEncrypted: Bool

    /// - Parameter isJSON: Whether the column has JSON, whose order is not the order of the values.
    init(
        _ typeName: String, _ logicalType: LogicalType, isOptional: Bool, isJSON: Bool, isEncrypted: Bool = false
    ) {
        self.typeName = typeName
        self.isEncrypted = isEncrypted
        let hasOrder = !isJSON && !isEncrypted
        let plain: Any.Type = hasOrder ? RawValue<Data>.self : UnknownValue.self
        let optional: Any.Type = hasOrder ? RawValue<Data>?.self : UnknownValue?.self
        super.init(
            valueType: isOptional ? optional : plain, logicalType: logicalType, acceptsNull: isOptional, kind: .other)
    }

    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        guard value != nil else { return .null }
        throw .rejected(
            type: typeName,
            reason: isEncrypted
                ? "the values are encrypted, and only a program with the keys can use them. Use a finder in the program"
                : "only a program with this type can convert a value to the form of its column. Use a statement in "
                    + "SQL, or a finder in the program")
    }

    // Any value of the column is accepted, because only the program can read it.
    override func fault(of value: DatabaseValue) -> ValueFault? { nil }

    override func read(_ column: Cell, into field: Address) throws(ValueFault) {}
    override func encode(_ field: Address) throws(ValueFault) -> DatabaseValue { .null }
    override func isSame(_ a: Address, _ b: Address) -> Bool { true }
    override func copy(_ source: Address, to memory: Address) {}
    override func assign(_ source: Address, to field: Address) {}
    override func destroy(_ memory: Address) {}
    override func value(_ field: Address) -> Any? { nil }
    override func sendableValue(_ field: Address) -> (any Sendable)? { nil }
    override func store(_ value: Any?, into field: Address) -> Bool { false }
    override func storeExactly(_ value: Any, into field: Address) -> Bool { false }
    override func decode(_ value: DatabaseValue, at memory: Address) -> Bool { false }
    override func withSamples(_ body: (Address) -> Void) {}
}

/// A reference to an object of a described class. An argument is an id.
final class DescribedReferenceCodec: ReferenceCodec, @unchecked Sendable {  // immutable
    init(_ target: PersistentObject.Type) {
        super.init(valueType: PersistentObject?.self, target: target, isWeak: false)
    }

    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        guard let value else { return .null }
        return (value as? Int).map { .integer(Int64($0)) }
    }

    override func sendableValue(_ field: Address) -> (any Sendable)? { nil }
    override func store(_ value: Any?, into field: Address) -> Bool { false }
    override func storeExactly(_ value: Any, into field: Address) -> Bool { false }
    override func withSamples(_ body: (Address) -> Void) {}
}

/// A collection of objects of a described class.
final class DescribedLinksCodec<Holder: CollectionHolder>: TypedCollectionCodec<Holder>, LinkCodec,
    @unchecked Sendable  // immutable
{
    let target: PersistentObject.Type

    init(key: PropertyCodec?, element: DescribedReferenceCodec) {
        target = element.target
        super.init(key: key, element: element)
    }

    func forEachTarget(_ field: Address, _ body: (PersistentObject) -> Void) {}
    func image(_ field: Address) -> LinkImage { LinkImage() }
    func isSame(_ field: Address, as image: LinkImage) -> Bool { true }
    func sendableIDs(_ image: LinkImage) -> (any Sendable)? { nil }
    func restore(_ image: LinkImage, into field: Address, _ object: (Int64) -> PersistentObject?) {}
}

/// The objects on the other side of a described reference or collection.
final class DescribedInverseCodec: InverseCodec, @unchecked Sendable {  // immutable
    init(_ target: PersistentObject.Type, isSingle: Bool) {
        super.init(valueType: [UnknownValue].self, target: target, isSingle: isSingle, nil)
    }

    override var element: PropertyCodec { DescribedReferenceCodec(target) }

    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        try element.encodeArgument(value)
    }

    override func copy(_ source: Address, to memory: Address) {}
    override func assign(_ source: Address, to field: Address) {}
    override func destroy(_ memory: Address) {}
    override func value(_ field: Address) -> Any? { nil }
    override func sendableValue(_ field: Address) -> (any Sendable)? { nil }
    override func store(_ value: Any?, into field: Address) -> Bool { false }
    override func storeExactly(_ value: Any, into field: Address) -> Bool { false }
    override func withSamples(_ body: (Address) -> Void) {}
}
