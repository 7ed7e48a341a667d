internal import CSQLite

/// The memory of `weak var`s: a word that only the run time understands.
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
}
