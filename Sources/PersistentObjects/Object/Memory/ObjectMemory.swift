// Memory: the addresses of objects' fields, and every access to them that the compiler does not check. Other folders
// get addresses from here and pass them back here. It must not depend on the meaning of a field.

internal import CSQLite

/// The addresses of an object's fields.
enum ObjectMemory {
    /// The address of an object; field offsets are relative to it. The caller retains the object (R5).
    @inline(__always)
    static func start(of object: AnyObject) -> Address {
        Address(Unmanaged.passUnretained(object).toOpaque())
    }

    /// See `Address.header`.
    @inline(__always)
    static func header(at start: Address) -> UnsafeMutablePointer<ObjectHeader> {
        (start + headerOffset).pointer.assumingMemoryBound(to: ObjectHeader.self)
    }

    // A class instance starts with its metadata's address and its reference counts (HeapObject.h).
    private static var headerOffset: Int { 2 * MemoryLayout<UnsafeRawPointer>.size }

    /// The end of the header, after which the user's properties start.
    static var headerEnd: Int { headerOffset + MemoryLayout<ObjectHeader>.size }

    /// The offset of an object's key.
    static var keyOffset: Int {
        // Every stored property of a structure has an offset.
        headerOffset + (MemoryLayout<ObjectHeader>.offset(of: \.key) ?? 0)
    }

    /// Notifies the keeper of an object, in the object's `deinit`; false if it has no keeper.
    @inline(__always)
    static func notifyKeeperOfEnd(of object: PersistentObject) -> Bool {
        guard let keeper = header(at: start(of: object)).pointee.keeper else { return false }
        // The keeper is not retained: it lives as long as any of its objects, and ends with its reference to itself
        // (M5).
        if keeper.with({ $0.objectWillEnd(object) }) { keeper.release() }
        return true
    }

    /// The object at an address from `IdentityTable.retainedObject(for:)`, consuming its reference.
    @inline(__always)
    static func takeRetained(_ address: Address) -> PersistentObject {
        Unmanaged<PersistentObject>.fromOpaque(address.pointer).takeRetainedValue()
    }

    /// Traps if the user is modifying the field, because a copy would share a buffer that is being written (R4).
    ///
    /// It costs 5 ns, so it is called only for fields with such buffers.
    @inline(__always)
    static func checkNotBeingModified(_ field: Address) { po_check_no_modification(field.pointer) }

    /// Traps if the user is accessing the field, because it is about to be overwritten:
    /// `p.tags.sort { … try p.reload() … }` would continue in freed memory (R4).
    @inline(__always)
    static func checkNotBeingAccessed(_ field: Address) { po_check_no_access(field.pointer) }

    /// `object` as its class, which the caller knows.
    @inline(__always)
    static func cast<T>(_ object: PersistentObject, to type: T.Type) -> T {
        // `T` is a class here, but the compiler cannot know that a generic parameter that conforms to `Persistent`
        // derives from `PersistentObject`, so neither a checked cast (14 ns a row) nor `unsafeDowncast` is free.
        assert(object is T, "A row was read as \(Swift.type(of: object)), expected \(type)")
        return unsafeBitCast(object, to: type)
    }

    /// `object` as its class, which the caller knows.
    @inline(__always)
    static func exactly<T: AnyObject>(_ object: AnyObject, as type: T.Type) -> T { unsafeDowncast(object, to: type) }

    /// The same for an optional.
    @inline(__always)
    static func cast<T>(_ object: PersistentObject?, to type: T.Type) -> T? {
        assert(object == nil || object is T, "A row was read as another class than \(type)")
        return unsafeBitCast(object, to: T?.self)
    }

    /// `value` as the type that a generic caller knows it has, for example `[PersistentObject]` as `[T]`.
    @inline(__always)
    static func answer<Value, Answer>(_ value: Value, as type: Answer.Type) -> Answer {
        assert(value is Answer, "Found \(Swift.type(of: value)), expected \(type)")
        return unsafeBitCast(value, to: type)
    }

    /// The class of a type that conforms to `Persistent`; only subclasses of `PersistentObject` do.
    @inline(__always)
    static func objectClass<T: Persistent>(_ type: T.Type) -> PersistentObject.Type {
        assert(type is PersistentObject.Type, "\(type) does not derive from PersistentObject")
        return unsafeBitCast(type as AnyClass, to: PersistentObject.Type.self)
    }
}

extension PersistentObject {
    /// The object's header, reached by address; see `ObjectMemory.header(at:)`.
    @inline(__always)
    private final var fastHeader: UnsafeMutablePointer<ObjectHeader> {
        ObjectMemory.header(at: ObjectMemory.start(of: self))
    }

    @inline(__always)
    package final var rowID: Int64 {
        get { fastHeader.pointee.rowID }
        set { fastHeader.pointee.rowID = newValue }
    }

    @inline(__always)
    final var keeper: ObjectKeeper? {
        get { fastHeader.pointee.keeper?.object }
        set { fastHeader.pointee.keeper = newValue.map { Borrowed($0) } }
    }

    @inline(__always)
    final var baseline: Address? {
        get { fastHeader.pointee.baseline }
        set { fastHeader.pointee.baseline = newValue }
    }

    @inline(__always)
    final var freshness: UInt32 {
        get { fastHeader.pointee.freshness }
        set { fastHeader.pointee.freshness = newValue }
    }

    @inline(__always)
    final var lifecycle: Lifecycle {
        get { fastHeader.pointee.lifecycle }
        set { fastHeader.pointee.lifecycle = newValue }
    }

    final var objectKey: ObjectKey? {
        get { fastHeader.pointee.key }
        set { fastHeader.pointee.key = newValue }
    }
}

extension Persistent {
    /// This object as the base class that all `Persistent` types derive from.
    @inline(__always)
    package var object: PersistentObject { unsafeDowncast(self, to: PersistentObject.self) }

    /// The class on which it is called, as a subclass of the base class.
    package static var objectClass: PersistentObject.Type { ObjectMemory.objectClass(self) }
}

extension Array where Element == PersistentObject {
    /// The same array with the class of its elements as its type, without a copy.
    @inline(__always)
    func cast<T>(to _: T.Type) -> [T] {
        // An array of class references is one pointer to a buffer of pointers for every class; casting each element
        // would retain and release it.
        assert(allSatisfy { $0 is T }, "The rows are of another class than \(T.self)")
        return unsafeBitCast(self, to: [T].self)
    }
}

extension Array where Element: Persistent {
    /// The same array with the base class as its type, without a copy.
    @inline(__always)
    var objects: [PersistentObject] { unsafeBitCast(self, to: [PersistentObject].self) }
}

extension ObjectMemory {
    /// Calls `body` with the address of a value, which it may only read.
    @inline(__always)
    static func withAddress<V, R>(of value: V, _ body: (Address) throws -> R) rethrows -> R {
        try withUnsafePointer(to: value) { try body(Address(UnsafeMutableRawPointer(mutating: $0))) }
    }
}

// Boxes: the library's objects in the user's objects.
extension ObjectMemory {
    /// The address of the box of the wrapper at `field`.
    @inline(__always)
    static func boxAddress(at field: Address) -> Address {
        // The box is the wrapper's first field, a reference.
        field.load(as: Address.self)
    }

    /// The box of the wrapper at `field`.
    static func box(at field: Address) -> LinkBox {
        field[as: LinkBox.self]
    }

    /// The state of the box of the wrapper at `field`, read without retaining the box.
    static func boxState(at field: Address) -> LinkBox.State {
        // Not retained: the object retains the box.
        field[as: Borrowed<LinkBox>.self].with { $0.state }
    }

    /// Whether the box of the inverse at `field` may hold objects, read without retaining the box.
    static func boxKeepsObjects(at field: Address) -> Bool {
        // Not retained: the object retains the box.
        field[as: Borrowed<LinkBox>.self].with {
            $0.isFilled || !$0.state.isAway
        }
    }

    /// The offset of a box's value.
    static func valueOffset<Value>(in type: ValueBox<Value>.Type) -> Int {
        // The library's own classes always have metadata, regardless of the compiler flags of the user's modules.
        let fields = try? FieldMetadata.fields(of: type, below: LinkBox.self)
        guard let value = fields?.first(where: { $0.name == "value" }) else {
            preconditionFailure("PersistentObjects must be compiled with reflection metadata")
        }
        return value.offset
    }
}
