internal import CSQLite

/// The memory of `weak var`s: a word that only the run time understands.
enum WeakMemory {
    static func load(_ field: UnsafeMutableRawPointer) -> PersistentObject? {
        po_weak_load(field).map { Unmanaged<PersistentObject>.fromOpaque($0).takeRetainedValue() }
    }

    static func assign(_ object: PersistentObject?, to field: UnsafeMutableRawPointer) {
        po_weak_assign(field, object.map { ObjectMemory.start(of: $0) })
    }

    static func create(_ object: PersistentObject?, at memory: UnsafeMutableRawPointer) {
        po_weak_init(memory, object.map { ObjectMemory.start(of: $0) })
    }

    static func destroy(_ memory: UnsafeMutableRawPointer) { po_weak_destroy(memory) }
}
