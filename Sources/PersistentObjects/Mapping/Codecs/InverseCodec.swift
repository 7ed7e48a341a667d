internal import StoreEngine

/// The objects on the other side of a reference or collection: `[T]` or `Set<T>`, or `T?` for one-to-one.
class InverseCodec: PropertyCodec, LinkCodec, @unchecked Sendable {  // immutable
    let target: PersistentObject.Type
    /// Whether there is at most one object.
    let isSingle: Bool
    /// The condition that selects objects on the other side; nil for all.
    let condition: (any InverseCondition)?

    init(
        valueType: Any.Type, target: PersistentObject.Type, isSingle: Bool, _ condition: (any InverseCondition)?
    ) {
        self.target = target
        self.isSingle = isSingle
        self.condition = condition
        super.init(valueType: valueType, logicalType: .integer, acceptsNull: isSingle, kind: .link)
    }

    /// The codec that accepts one of the objects as an argument.
    var element: PropertyCodec { self }

    func objects(_ field: Address) -> [PersistentObject] { [] }
    func set(_ objects: [PersistentObject], at field: Address) {}
    /// Adds an object in place, at its sorted position; a one-to-one inverse is replaced.
    func add(_ object: PersistentObject, at field: Address) { set([object], at: field) }
    /// The order of the objects; nil if they are sorted by id or have no order.
    var ordering: InverseOrdering? { nil }

    final func forEachTarget(_ field: Address, _ body: (PersistentObject) -> Void) {
        for object in objects(field) { body(object) }
    }

    final func targets(_ field: Address) -> [PersistentObject]? { isSingle ? nil : objects(field) }

    /// The ids are sorted, because the order of an inverse is not stored.
    final func image(_ field: Address) -> LinkImage {
        LinkImage(ids: objects(field).map(\.linkID).sorted())
    }

    final func isSame(_ field: Address, as image: LinkImage) -> Bool {
        let objects = objects(field)
        guard objects.count == image.ids.count else { return false }
        // The objects are usually in row order, as they were read.
        if CollectionLinks.are(objects, image.ids) { return true }
        let ids = objects.map(\.rowIDOrNone).sorted()
        return ids == image.ids && ids.first != LinkImage.none
    }

    final func restore(
        _ image: LinkImage, into field: Address, _ object: (Int64) -> PersistentObject?
    ) {
        set(image.ids.compactMap(object), at: field)
    }

    func sendableIDs(_ image: LinkImage) -> (any Sendable)? { nil }

    override func read(_ column: Cell, into field: Address) throws(ValueFault) {}
    override func decode(_ value: DatabaseValue, at memory: Address) -> Bool { false }
    override func encode(_ field: Address) throws(ValueFault) -> DatabaseValue {
        throw .notStorable(reason: "an inverse has no column")
    }

    override func isSame(_ a: Address, _ b: Address) -> Bool {
        objects(a).elementsEqual(objects(b), by: ===)
    }
}

/// Many objects of class `T`.
final class InverseListCodec<T: Persistent>: InverseCodec, @unchecked Sendable {  // immutable
    override var element: PropertyCodec { TypedReferenceCodec<T>(isWeak: false) }

    private let order: InverseOrdering?
    override var ordering: InverseOrdering? { order }

    init(_ traits: InverseType.Traits) {
        order = traits.ordering
        super.init(
            valueType: [T].self, target: ObjectMemory.objectClass(T.self), isSingle: false, traits.condition)
    }

    override func objects(_ field: Address) -> [PersistentObject] {
        field[as: [T].self].objects
    }

    override func set(_ objects: [PersistentObject], at field: Address) {
        field[as: [T].self] = (order?.sorted(objects, of: target) ?? objects).cast(to: T.self)
    }

    override func add(_ object: PersistentObject, at field: Address) {
        let place = order?.place(of: object, in: field[as: [T].self].objects, of: target)
        field[as: [T].self].insert(ObjectMemory.cast(object, to: T.self), at: place ?? field[as: [T].self].count)
    }

    override func copy(_ source: Address, to memory: Address) {
        memory.initialize(as: [T].self, to: source[as: [T].self])
    }

    override func assign(_ source: Address, to field: Address) {
        field[as: [T].self] = source[as: [T].self]
    }

    override func destroy(_ memory: Address) { memory.destroy(as: [T].self) }
    override func value(_ field: Address) -> Any? { field[as: [T].self] }

    override func sendableValue(_ field: Address) -> (any Sendable)? {
        field[as: [T].self].compactMap { PersistentID<T>(of: $0.object) }
    }

    override func store(_ value: Any?, into field: Address) -> Bool {
        guard let value = value as? [T] else { return false }
        field[as: [T].self] = value
        return true
    }

    override func storeExactly(_ value: Any, into field: Address) -> Bool { store(value, into: field) }

    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? { nil }
    override func sendableIDs(_ image: LinkImage) -> (any Sendable)? { image.ids.map { PersistentID<T>($0) } }

    override func withSamples(_ body: (Address) -> Void) {
        for var sample in [[T()], []] as [[T]] { Address.with(&sample, body) }
    }
}

/// Many objects of class `T`, in a set.
final class InverseSetCodec<T: Persistent>: InverseCodec, @unchecked Sendable {  // immutable
    override var element: PropertyCodec { TypedReferenceCodec<T>(isWeak: false) }

    init(_ traits: InverseType.Traits) {
        super.init(
            valueType: Set<T>.self, target: ObjectMemory.objectClass(T.self), isSingle: false, traits.condition)
    }

    override func objects(_ field: Address) -> [PersistentObject] { Array(field[as: Set<T>.self]).objects }

    override func set(_ objects: [PersistentObject], at field: Address) {
        field[as: Set<T>.self] = Set(objects.cast(to: T.self))
    }

    override func add(_ object: PersistentObject, at field: Address) {
        field[as: Set<T>.self].insert(ObjectMemory.cast(object, to: T.self))
    }

    override func copy(_ source: Address, to memory: Address) {
        memory.initialize(as: Set<T>.self, to: source[as: Set<T>.self])
    }

    override func assign(_ source: Address, to field: Address) {
        field[as: Set<T>.self] = source[as: Set<T>.self]
    }

    override func destroy(_ memory: Address) { memory.destroy(as: Set<T>.self) }
    override func value(_ field: Address) -> Any? { field[as: Set<T>.self] }

    override func isSame(_ a: Address, _ b: Address) -> Bool { a[as: Set<T>.self] == b[as: Set<T>.self] }

    override func sendableValue(_ field: Address) -> (any Sendable)? {
        Set(field[as: Set<T>.self].compactMap { PersistentID<T>(of: $0.object) })
    }

    override func store(_ value: Any?, into field: Address) -> Bool {
        if let value = value as? Set<T> {
            field[as: Set<T>.self] = value
        } else if let value = value as? [T] {
            field[as: Set<T>.self] = Set(value)
        } else {
            return false
        }
        return true
    }

    override func storeExactly(_ value: Any, into field: Address) -> Bool {
        guard let value = value as? Set<T> else { return false }
        field[as: Set<T>.self] = value
        return true
    }

    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? { nil }

    override func sendableIDs(_ image: LinkImage) -> (any Sendable)? { Set(image.ids.map { PersistentID<T>($0) }) }

    override func withSamples(_ body: (Address) -> Void) {
        for var sample in [[T()], []] as [Set<T>] { Address.with(&sample, body) }
    }
}

/// At most one object of class `T`.
final class InverseSingleCodec<T: Persistent>: InverseCodec, @unchecked Sendable {  // immutable
    private let reference = TypedReferenceCodec<T>(isWeak: false)
    override var element: PropertyCodec { reference }

    init(_ traits: InverseType.Traits) {
        super.init(valueType: T?.self, target: ObjectMemory.objectClass(T.self), isSingle: true, traits.condition)
    }

    override func objects(_ field: Address) -> [PersistentObject] {
        reference.object(field).map { [$0] } ?? []
    }

    override func set(_ objects: [PersistentObject], at field: Address) {
        reference.set(objects.first, at: field)
    }

    override func copy(_ source: Address, to memory: Address) {
        reference.copy(source, to: memory)
    }

    override func assign(_ source: Address, to field: Address) {
        reference.assign(source, to: field)
    }

    override func destroy(_ memory: Address) { reference.destroy(memory) }
    override func value(_ field: Address) -> Any? { reference.value(field) }
    override func sendableValue(_ field: Address) -> (any Sendable)? {
        reference.sendableValue(field)
    }
    override func store(_ value: Any?, into field: Address) -> Bool {
        reference.store(value, into: field)
    }
    override func storeExactly(_ value: Any, into field: Address) -> Bool {
        reference.storeExactly(value, into: field)
    }
    override func sendableIDs(_ image: LinkImage) -> (any Sendable)? { reference.sendableIDs(image) }
    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        try reference.encodeArgument(value)
    }
    override func withSamples(_ body: (Address) -> Void) { reference.withSamples(body) }
}

/// The type information of an inverse for `CodecFactory`.
protocol InverseType {
    /// The wrapper's declarations; only an array uses an order.
    typealias Traits = (ordering: InverseOrdering?, condition: (any InverseCondition)?)

    static func inverseCodec(_ traits: Traits) -> InverseCodec
}

extension Array: InverseType where Element: Persistent {
    static func inverseCodec(_ traits: Traits) -> InverseCodec { InverseListCodec<Element>(traits) }
}

extension Set: InverseType where Element: Persistent {
    static func inverseCodec(_ traits: Traits) -> InverseCodec { InverseSetCodec<Element>(traits) }
}

extension Optional: InverseType where Wrapped: Persistent {
    static func inverseCodec(_ traits: Traits) -> InverseCodec { InverseSingleCodec<Wrapped>(traits) }
}
