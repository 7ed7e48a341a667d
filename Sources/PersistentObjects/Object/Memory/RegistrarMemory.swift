internal import CSQLite
internal import Observation

/// The observed key paths of an object, read from the memory of the runtime's registrar.
///
/// A registrar does not report what is observed. A notification needs the property's key path, which cannot be created
/// from the property's name: only code that reads `person.age` creates it. Therefore the key paths are read from the
/// memory in which the registrar stores them. This memory is found once per process by the names and types of the
/// fields, as `Mirror` does. If a field is not as expected, observers are not notified.
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
                // The metadata confirmed that the value has exactly this type.
                return Array((place + offsets[offsets.count - 1])[as: [AnyKeyPath: Set<Int>].self].keys)
            }
        }
    }
}
