internal import CSQLite
internal import Observation

/// Which key paths of an object somebody observes, as the run time's registrar has them in its memory.
///
/// A registrar tells nobody what is observed, and a property's key path, which
/// it must be told of a change by, cannot be made from the property's name: only
/// who reads `person.age` makes that. So the key paths are taken from where the
/// readers have left them. The way to them is found by the names and types of
/// the fields, as `Mirror` finds it, once for the process; where any of them is
/// another one than expected there is no way, and nobody is told anything.
struct RegistrarMemory {
    /// From a registrar's memory on: where the next reference or the dictionary is, and whether it is in the object of
    /// that reference.
    private let offsets: [Int]

    /// The way on this system; nil where the registrar has no such fields.
    static let way = RegistrarMemory()

    private init?() {
        var offsets = [0]
        var type: Any.Type = ObservationRegistrar.self
        for name in ["extent", "context", "state", "buffer", "header", "lookups"] {
            guard let field = FieldMetadata.structureFields(type).first(where: { $0.name == name }), field.isStrong
            else { return nil }
            offsets[offsets.count - 1] += field.offset
            type = field.type
            // What follows is in the object that the reference is to.
            if type is AnyClass { offsets.append(0) }
        }
        guard type == [AnyKeyPath: Set<Int>].self else { return nil }
        self.offsets = offsets
    }

    /// The key paths that are observed. The registrar must not change meanwhile; `RegistrarLook` holds the registrar's
    /// own lock.
    func keyPaths(in registrar: ObservationRegistrar) -> [AnyKeyPath] {
        // The registrar keeps all objects on the way.
        withExtendedLifetime(registrar) {
            ObjectMemory.withAddress(of: registrar) { start in
                var place = start
                for offset in offsets.dropLast() { place = (place + offset).load(as: Address.self) }
                // Of exactly this type, as its metadata said.
                return Array((place + offsets[offsets.count - 1])[as: [AnyKeyPath: Set<Int>].self].keys)
            }
        }
    }
}
