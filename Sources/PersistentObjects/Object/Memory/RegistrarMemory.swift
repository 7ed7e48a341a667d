internal import CSQLite
internal import Observation

/// The observed key paths of an object, read from the memory of the runtime's registrar.
///
/// A registrar does not report what is observed. A notification needs the property's key path, which cannot be created
/// from the property's name: only code that reads `person.age` creates it. So the key paths are taken from the place
/// where observers stored them. That place is found by the names and types of the fields, as `Mirror` finds it, once
/// per process. If any of them differs from the expectation, observers are not notified.
struct RegistrarMemory {
    /// The path from a registrar's memory: the offset of the next reference or of the dictionary, and whether it is in
    /// the object of that reference.
    private let offsets: [Int]

    /// The path on this system; nil if the registrar has no such fields.
    static let way = RegistrarMemory()

    private init?() {
        var offsets = [0]
        var type: Any.Type = ObservationRegistrar.self
        for name in ["extent", "context", "state", "buffer", "header", "lookups"] {
            guard let field = FieldMetadata.structureFields(type).first(where: { $0.name == name }), field.isStrong
            else { return nil }
            offsets[offsets.count - 1] += field.offset
            type = field.type
            // The following offsets are in the referenced object.
            if type is AnyClass { offsets.append(0) }
        }
        guard type == [AnyKeyPath: Set<Int>].self else { return nil }
        self.offsets = offsets
    }

    /// The observed key paths. The registrar must not change meanwhile; `RegistrarLook` holds the registrar's lock.
    func keyPaths(in registrar: ObservationRegistrar) -> [AnyKeyPath] {
        // The registrar retains all objects on the path.
        withExtendedLifetime(registrar) {
            ObjectMemory.withAddress(of: registrar) { start in
                var place = start
                for offset in offsets.dropLast() { place = (place + offset).load(as: Address.self) }
                // Of exactly this type, according to its metadata.
                return Array((place + offsets[offsets.count - 1])[as: [AnyKeyPath: Set<Int>].self].keys)
            }
        }
    }
}
