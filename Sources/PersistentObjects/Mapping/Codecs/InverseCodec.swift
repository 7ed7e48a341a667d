internal import StoreEngine

/// The objects on the other side of a reference or collection: `[T]`, or `T?` for one to one.
class InverseCodec: PropertyCodec, LinkCodec, @unchecked Sendable {  // immutable
    let target: PersistentObject.Type
    /// Whether there is one object at most.
    let isSingle: Bool

    init(valueType: Any.Type, target: PersistentObject.Type, isSingle: Bool) {
        self.target = target
        self.isSingle = isSingle
        super.init(valueType: valueType, columnType: .integer, acceptsNull: isSingle, kind: .link)
    }

    /// Takes one of the objects as an argument.
    var element: PropertyCodec { self }

    func objects(_ field: UnsafeMutableRawPointer) -> [PersistentObject] { [] }
    func set(_ objects: [PersistentObject], at field: UnsafeMutableRawPointer) {}
    /// Adds one in place; of one at most it takes the place.
    func append(_ object: PersistentObject, at field: UnsafeMutableRawPointer) { set([object], at: field) }

    final func forEachTarget(_ field: UnsafeMutableRawPointer, _ body: (PersistentObject) -> Void) {
        for object in objects(field) { body(object) }
    }

    /// The order of an inverse is nobody's: it is not stored.
    final func image(_ field: UnsafeMutableRawPointer) -> LinkImage {
        LinkImage(ids: objects(field).map(\.linkID).sorted())
    }

    final func isSame(_ field: UnsafeMutableRawPointer, as image: LinkImage) -> Bool {
        let ids = objects(field).map(\.standingID).sorted()
        return ids == image.ids && ids.first != LinkImage.none
    }

    final func restore(
        _ image: LinkImage, into field: UnsafeMutableRawPointer, _ object: (Int64) -> PersistentObject?
    ) {
        set(image.ids.compactMap(object), at: field)
    }

    func sendableIDs(_ image: LinkImage) -> (any Sendable)? { nil }

    override func read(_ column: Cell, into field: UnsafeMutableRawPointer) throws(ValueFault) {}
    override func decode(_ value: DatabaseValue, at memory: UnsafeMutableRawPointer) -> Bool { false }
    override func encode(_ field: UnsafeMutableRawPointer) throws(ValueFault) -> DatabaseValue {
        throw .notStorable(reason: "an inverse has no column")
    }

    override func isSame(_ a: UnsafeMutableRawPointer, _ b: UnsafeMutableRawPointer) -> Bool {
        objects(a).elementsEqual(objects(b), by: ===)
    }
}

/// Many objects of class `T`.
final class InverseListCodec<T: Persistent>: InverseCodec, @unchecked Sendable {  // immutable
    override var element: PropertyCodec { TypedReferenceCodec<T>(isWeak: false) }

    init() { super.init(valueType: [T].self, target: ObjectMemory.objectClass(T.self), isSingle: false) }

    private func typed(_ field: UnsafeMutableRawPointer) -> UnsafeMutablePointer<[T]> {
        field.assumingMemoryBound(to: [T].self)
    }

    override func objects(_ field: UnsafeMutableRawPointer) -> [PersistentObject] {
        typed(field).pointee.objects
    }

    override func set(_ objects: [PersistentObject], at field: UnsafeMutableRawPointer) {
        typed(field).pointee = objects.cast(to: T.self)
    }

    override func append(_ object: PersistentObject, at field: UnsafeMutableRawPointer) {
        typed(field).pointee.append(ObjectMemory.cast(object, to: T.self))
    }

    override func copy(_ source: UnsafeMutableRawPointer, to memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(as: [T].self, to: typed(source).pointee)
    }

    override func assign(_ source: UnsafeMutableRawPointer, to field: UnsafeMutableRawPointer) {
        typed(field).pointee = typed(source).pointee
    }

    override func destroy(_ memory: UnsafeMutableRawPointer) { typed(memory).deinitialize(count: 1) }
    override func value(_ field: UnsafeMutableRawPointer) -> Any? { typed(field).pointee }

    override func sendableValue(_ field: UnsafeMutableRawPointer) -> (any Sendable)? {
        typed(field).pointee.compactMap { PersistentID<T>(of: $0.object) }
    }

    override func store(_ value: Any?, into field: UnsafeMutableRawPointer) -> Bool {
        guard let value = value as? [T] else { return false }
        typed(field).pointee = value
        return true
    }

    override func storeExactly(_ value: Any, into field: UnsafeMutableRawPointer) -> Bool { store(value, into: field) }

    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? { nil }
    override func sendableIDs(_ image: LinkImage) -> (any Sendable)? { image.ids.map { PersistentID<T>($0) } }

    override func withSamples(_ body: (UnsafeMutableRawPointer) -> Void) {
        for var sample in [[T()], []] as [[T]] { withUnsafeMutablePointer(to: &sample) { body($0) } }
    }
}

/// One object of class `T` at most.
final class InverseSingleCodec<T: Persistent>: InverseCodec, @unchecked Sendable {  // immutable
    private let reference = TypedReferenceCodec<T>(isWeak: false)
    override var element: PropertyCodec { reference }

    init() { super.init(valueType: T?.self, target: ObjectMemory.objectClass(T.self), isSingle: true) }

    override func objects(_ field: UnsafeMutableRawPointer) -> [PersistentObject] {
        reference.object(field).map { [$0] } ?? []
    }

    override func set(_ objects: [PersistentObject], at field: UnsafeMutableRawPointer) {
        reference.set(objects.first, at: field)
    }

    override func copy(_ source: UnsafeMutableRawPointer, to memory: UnsafeMutableRawPointer) {
        reference.copy(source, to: memory)
    }

    override func assign(_ source: UnsafeMutableRawPointer, to field: UnsafeMutableRawPointer) {
        reference.assign(source, to: field)
    }

    override func destroy(_ memory: UnsafeMutableRawPointer) { reference.destroy(memory) }
    override func value(_ field: UnsafeMutableRawPointer) -> Any? { reference.value(field) }
    override func sendableValue(_ field: UnsafeMutableRawPointer) -> (any Sendable)? {
        reference.sendableValue(field)
    }
    override func store(_ value: Any?, into field: UnsafeMutableRawPointer) -> Bool {
        reference.store(value, into: field)
    }
    override func storeExactly(_ value: Any, into field: UnsafeMutableRawPointer) -> Bool {
        reference.storeExactly(value, into: field)
    }
    override func sendableIDs(_ image: LinkImage) -> (any Sendable)? { reference.sendableIDs(image) }
    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        try reference.encodeArgument(value)
    }
    override func withSamples(_ body: (UnsafeMutableRawPointer) -> Void) { reference.withSamples(body) }
}

/// What `CodecFactory` learns of an inverse from its type.
protocol InverseType {
    static func inverseCodec() -> InverseCodec
}

extension Array: InverseType where Element: Persistent {
    static func inverseCodec() -> InverseCodec { InverseListCodec<Element>() }
}

extension Optional: InverseType where Wrapped: Persistent {
    static func inverseCodec() -> InverseCodec { InverseSingleCodec<Wrapped>() }
}
