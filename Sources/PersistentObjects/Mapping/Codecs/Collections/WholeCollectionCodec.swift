internal import StoreEngine

/// The codec of a collection that is stored as one value in a column of its owner, so that encryption hides the number
/// of its elements, their order and their keys.
///
/// Nil is NULL. Other collections have the bytes of ``CollectionEncoding``.
final class WholeCollectionCodec: PropertyCodec, @unchecked Sendable {  // immutable
    /// The codec that stores the same type as rows.
    let collection: CollectionCodec

    init(_ collection: CollectionCodec) {
        self.collection = collection
        super.init(
            valueType: collection.valueType, logicalType: .blob, acceptsNull: collection.acceptsNull, kind: .other)
    }

    override var encodesByUser: Bool { collection.encodesByUser }
    override var makesValues: Bool { true }

    // MARK: Column

    override func read(_ column: Cell, into field: Address) throws(ValueFault) {
        let memory = facts.allocate()
        defer { memory.deallocate() }
        try create(column, at: memory)
        assign(memory, to: field)
        destroy(memory)
    }

    override func create(_ column: Cell, at memory: Address) throws(ValueFault) {
        if column.isNull, acceptsNull { return collection.createNil(at: memory) }
        let bytes = try column.withBlob { [UInt8]($0) }
        guard CollectionEncoding.make(bytes, collection, at: memory) else {
            throw .rejected(type: TypeSpelling.of(valueType), reason: "the column does not contain its elements")
        }
    }

    override func bind(_ field: Address, to statement: Statement, at index: Int32) throws(ValueFault) {
        try statement.bind(encode(field), at: index)
    }

    override func encode(_ field: Address) throws(ValueFault) -> DatabaseValue {
        if collection.isNil(field) { return .null }
        return .blob(try CollectionEncoding.bytes(of: field, collection))
    }

    override func decode(_ value: DatabaseValue, at memory: Address) -> Bool {
        if value == .null, acceptsNull {
            collection.createNil(at: memory)
            return true
        }
        guard case .blob(let bytes) = value else { return false }
        return CollectionEncoding.make(bytes, collection, at: memory)
    }

    override func boxed(_ value: DatabaseValue) throws(ValueFault) -> Any? {
        let memory = ElementMemory(self)
        try value.withCell { (cell) throws(ValueFault) in try create(cell, at: memory.address) }
        defer { destroy(memory.address) }
        return self.value(memory.address)
    }

    /// Conditions cannot compare encrypted collections.
    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? { nil }

    // MARK: Memory

    override func isSame(_ a: Address, _ b: Address) -> Bool { collection.isSame(a, b) }
    override func copy(_ source: Address, to memory: Address) { collection.copy(source, to: memory) }
    override func assign(_ source: Address, to field: Address) { collection.assign(source, to: field) }
    override func destroy(_ memory: Address) { collection.destroy(memory) }
    override func value(_ field: Address) -> Any? { collection.value(field) }
    override func sendableValue(_ field: Address) -> (any Sendable)? { collection.sendableValue(field) }
    override func store(_ value: Any?, into field: Address) -> Bool { collection.store(value, into: field) }
    override func storeExactly(_ value: Any, into field: Address) -> Bool {
        collection.storeExactly(value, into: field)
    }
    override func withSamples(_ body: (Address) -> Void) { collection.withSamples(body) }
}

extension PropertyCodec {
    /// The codec that stores the type as rows, if the type is a collection.
    var asCollection: CollectionCodec? {
        switch kind {
        case .link: self as? CollectionCodec
        case .other where logicalType == .blob: (self as? WholeCollectionCodec)?.collection
        default: nil
        }
    }
}
