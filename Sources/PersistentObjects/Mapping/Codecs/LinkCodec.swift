internal import StoreEngine

/// A codec of values that contain objects of the store: references, collections of objects, and inverses.
///
/// The database stores such a value as ids. The baseline stores ids, too, because a copy would retain the objects.
protocol LinkCodec: PropertyCodec {
    /// The class of the objects.
    var target: PersistentObject.Type { get }
    /// Calls `body` with each object, in order.
    func forEachTarget(_ field: Address, _ body: (PersistentObject) -> Void)
    /// The objects as an array, if they are stored in one.
    func targets(_ field: Address) -> [PersistentObject]?
    /// The image that the database would have.
    func image(_ field: Address) -> LinkImage
    /// Whether the database has exactly this image.
    func isSame(_ field: Address, as image: LinkImage) -> Bool
    /// An image as `PersistentID`s.
    func sendableIDs(_ image: LinkImage) -> (any Sendable)?
    /// Restores the objects of an image's ids; ids for which it returns nil are omitted.
    func restore(_ image: LinkImage, into field: Address, _ object: (Int64) -> PersistentObject?)
    /// Restores the objects of an image's ids, one object for each.
    func restore(_ image: LinkImage, to objects: [PersistentObject], into field: Address)
}

extension LinkCodec {
    func targets(_ field: Address) -> [PersistentObject]? { nil }

    func restore(_ image: LinkImage, to objects: [PersistentObject], into field: Address) {
        var next = objects.makeIterator()
        restore(image, into: field) { _ in next.next() }
    }
}

/// The ids of the objects in a value.
struct LinkImage: Hashable {
    /// A value that is never the id of a row.
    static let none = Int64.min
    /// The ids in order; for a set, in ascending order.
    var ids: [Int64] = []
    /// The keys of a dictionary, in the order of the ids.
    var keys: [DatabaseValue] = []
    var isNil = false
}

extension PersistentObject {
    /// The id that a column stores for this object; `LinkImage.none` while it has no row.
    @inline(__always)
    final var linkID: Int64 { lifecycle == .saved ? rowID : LinkImage.none }

    /// The same, also after the row was deleted, because deleting an object is not an edit of the links to it.
    ///
    /// If such a link was also changed elsewhere, the next read of its owner returns that change.
    @inline(__always)
    final var rowIDOrNone: Int64 {
        switch lifecycle {
        case .saved, .deleted: rowID
        case .new, .untracked: LinkImage.none
        }
    }
}

/// A reference to one object: a column with its id.
class ReferenceCodec: PropertyCodec, LinkCodec, @unchecked Sendable {  // immutable
    let target: PersistentObject.Type
    /// Whether the field is a `weak var`.
    let isWeak: Bool

    init(valueType: Any.Type, target: PersistentObject.Type, isWeak: Bool) {
        self.target = target
        self.isWeak = isWeak
        super.init(
            valueType: valueType, logicalType: .integer, acceptsNull: true, kind: isWeak ? .link : .reference)
    }

    func object(_ field: Address) -> PersistentObject? {
        isWeak ? WeakMemory.load(field) : field[as: PersistentObject?.self]
    }

    func set(_ object: PersistentObject?, at field: Address) {
        if isWeak {
            WeakMemory.assign(object, to: field)
        } else {
            field[as: PersistentObject?.self] = object
        }
    }

    final func forEachTarget(_ field: Address, _ body: (PersistentObject) -> Void) {
        if let object = object(field) { body(object) }
    }

    final func image(_ field: Address) -> LinkImage {
        LinkImage(ids: object(field).map { [$0.linkID] } ?? [])
    }

    final func isSame(_ field: Address, as image: LinkImage) -> Bool { self.image(field) == image }

    final func restore(
        _ image: LinkImage, into field: Address, _ object: (Int64) -> PersistentObject?
    ) {
        set(image.ids.first.flatMap(object), at: field)
    }

    func sendableIDs(_ image: LinkImage) -> (any Sendable)? { nil }

    // The id is resolved to an object after all rows of the fetch exist.
    override func read(_ column: Cell, into field: Address) throws(ValueFault) {}

    override func bind(
        _ field: Address, to statement: Statement, at index: Int32
    ) throws(ValueFault) {
        // While a graph is being saved, its new objects have their future ids.
        if let object = object(field) {
            try statement.bind(object.rowID, at: index)
        } else {
            try statement.bindNull(at: index)
        }
    }

    override func encode(_ field: Address) throws(ValueFault) -> DatabaseValue {
        object(field).map { .integer($0.linkID) } ?? .null
    }

    override func isSame(_ a: Address, _ b: Address) -> Bool {
        object(a) === object(b)
    }

    override func copy(_ source: Address, to memory: Address) {
        if isWeak {
            WeakMemory.create(object(source), at: memory)
        } else {
            memory.initialize(as: PersistentObject?.self, to: object(source))
        }
    }

    override func assign(_ source: Address, to field: Address) {
        set(object(source), at: field)
    }

    override func destroy(_ memory: Address) {
        if isWeak {
            WeakMemory.destroy(memory)
        } else {
            memory.destroy(as: PersistentObject?.self)
        }
    }

    override func value(_ field: Address) -> Any? { object(field) }
    override func decode(_ value: DatabaseValue, at memory: Address) -> Bool { false }
}

/// A reference to an object of class `T`.
final class TypedReferenceCodec<T: Persistent>: ReferenceCodec, @unchecked Sendable {  // immutable
    init(isWeak: Bool) {
        super.init(valueType: T?.self, target: ObjectMemory.objectClass(T.self), isWeak: isWeak)
    }

    override func sendableValue(_ field: Address) -> (any Sendable)? {
        object(field).flatMap { PersistentID<T>(of: $0) }
    }

    override func sendableIDs(_ image: LinkImage) -> (any Sendable)? { image.ids.first.map { PersistentID<T>($0) } }

    override func store(_ value: Any?, into field: Address) -> Bool {
        guard let value else {
            set(nil, at: field)
            return true
        }
        guard let value = value as? T else { return false }
        set(value.object, at: field)
        return true
    }

    override func storeExactly(_ value: Any, into field: Address) -> Bool {
        guard let value = value as? T? else { return false }
        set(value?.object, at: field)
        return true
    }

    override func encodeArgument(_ value: Any?) throws(ValueFault) -> DatabaseValue? {
        switch value {
        case nil: return .null
        case let object as T:
            guard let id = object.id else {
                throw .notStorable(reason: "the \(type(of: object)) to compare with was never saved. Save it first")
            }
            return .integer(id)
        case let id as PersistentID<T>: return .integer(id.value)
        default: return nil
        }
    }

    override func withSamples(_ body: (Address) -> Void) {
        for sample in [T().object, nil] as [PersistentObject?] {
            let memory = Address.allocate(byteCount: facts.size, alignment: facts.alignment)
            defer { memory.deallocate() }
            if isWeak {
                WeakMemory.create(sample, at: memory)
            } else {
                memory.initialize(as: PersistentObject?.self, to: sample)
            }
            // A weak sample exists only while it is retained elsewhere.
            withExtendedLifetime(sample) { body(memory) }
            destroy(memory)
        }
    }
}

/// The type information of an optional reference for `CodecFactory`.
protocol ReferenceType {
    static func referenceCodec(isWeak: Bool) -> ReferenceCodec
}

extension Optional: ReferenceType where Wrapped: Persistent {
    static func referenceCodec(isWeak: Bool) -> ReferenceCodec { TypedReferenceCodec<Wrapped>(isWeak: isWeak) }
}
