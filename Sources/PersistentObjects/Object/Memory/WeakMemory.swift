internal import CSQLite

/// The memory of `weak var`s: a word that only the runtime interprets.
enum WeakMemory {
    static func load(_ field: Address) -> PersistentObject? {
        po_weak_load(field.pointer).map { Unmanaged<PersistentObject>.fromOpaque($0).takeRetainedValue() }
    }

    static func assign(_ object: PersistentObject?, to field: Address) {
        po_weak_assign(field.pointer, object.map { ObjectMemory.start(of: $0).pointer })
    }

    static func create(_ object: PersistentObject?, at memory: Address) {
        po_weak_init(memory.pointer, object.map { ObjectMemory.start(of: $0).pointer })
    }

    static func destroy(_ memory: Address) { po_weak_destroy(memory.pointer) }

    /// Whether the object of a weak reference has ended; false for a reference that was set to nil.
    static func hasEnded(_ field: Address) -> Bool { detectsEnds && word(field) != emptyWord && load(field) == nil }

    /// Whether two weak references were set to the same object, which may have ended.
    static func isSame(_ a: Address, _ b: Address) -> Bool { word(a) == word(b) }

    /// Sets weak references to one object that has ended.
    static func makeEnded(_ fields: Address...) {
        let object = ShortLived()
        withExtendedLifetime(object) {
            for field in fields { po_weak_assign(field.pointer, ObjectMemory.start(of: object).pointer) }
        }
    }

    /// Whether the runtime keeps the word when the object ends.
    ///
    /// Otherwise a reference to an ended object and a reference set to nil are the same. It is tested once, because it
    /// depends on the runtime.
    static let detectsEnds: Bool = withReference { field in
        makeEnded(field)
        let ended = word(field)
        return load(field) == nil && word(field) == ended && ended != emptyWord
    }

    /// The word of a nil reference.
    private static let emptyWord = withReference { word($0) }

    private final class ShortLived {}

    private static func word(_ field: Address) -> UInt { field.load(as: UInt.self) }

    private static func withReference<R>(_ body: (Address) -> R) -> R {
        let memory = Address.allocate(byteCount: MemoryLayout<UInt>.size)
        create(nil, at: memory)
        defer {
            destroy(memory)
            memory.deallocate()
        }
        return body(memory)
    }
}
