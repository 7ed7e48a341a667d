internal import CSQLite

/// One stored property, as the runtime describes it.
struct StoredField {
    /// The name in the metadata; `_name` for a property with a wrapper.
    var name: String
    var type: Any.Type
    var offset: Int
    var isVar: Bool
    var isStrong: Bool
    /// The ownership of a field that is not strong.
    var ownership: Ownership = .strong
    /// The class that declares it: 0 for the direct subclass of `PersistentObject`.
    var level = 0

    enum Ownership: Equatable { case strong, weak, unowned, unmanaged }
}

/// The reason that the fields of a class are unknown.
enum MetadataFault: Error, Equatable {
    /// The class was compiled without field metadata.
    case compiledAway(className: String)
    /// The class was compiled without the names of its fields.
    case namesCompiledAway(className: String)
}

/// Reads the stored properties of a class or structure as `Mirror` does, but once per type instead of per value.
enum FieldMetadata {
    /// The stored properties below `base`, superclasses' first.
    ///
    /// A class whose field metadata was compiled away (wholly or in part) is detected: otherwise it would appear to
    /// have no properties, and data would be lost silently.
    static func fields(of type: AnyClass, below base: AnyClass) throws(MetadataFault) -> [StoredField] {
        let chain = classes(from: type, below: base)
        for aClass in chain where ClassDescriptor(aClass).isFieldMetadataMissing {
            throw .compiledAway(className: String(describing: aClass))
        }
        let pointer = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let first = po_field_count(unsafeBitCast(base, to: UnsafeRawPointer.self))
        var fields: [StoredField] = []
        var index = first
        for level in chain.indices {
            let descriptor = ClassDescriptor(chain[level])
            let ownerships = descriptor.ownerships()
            for own in 0..<descriptor.fieldCount {
                guard var field = field(of: pointer, at: index) else {
                    throw .namesCompiledAway(className: String(describing: chain[level]))
                }
                field.level = level
                if !field.isStrong { field.ownership = own < ownerships.count ? ownerships[own] : .unmanaged }
                fields.append(field)
                index += 1
            }
        }
        return fields
    }

    /// The stored properties of a structure.
    static func structureFields(_ type: Any.Type) -> [StoredField] {
        let pointer = unsafeBitCast(type, to: UnsafeRawPointer.self)
        return (0..<po_field_count(pointer)).compactMap { field(of: pointer, at: $0) }
    }

    /// The same if the runtime has the names of all fields; otherwise nil.
    static func everyField(of type: Any.Type) -> [StoredField]? {
        let fields = structureFields(type)
        return fields.count == po_field_count(unsafeBitCast(type, to: UnsafeRawPointer.self)) ? fields : nil
    }

    /// The classes from the direct subclass of `base` down to `type`.
    private static func classes(from type: AnyClass, below base: AnyClass) -> [AnyClass] {
        var chain: [AnyClass] = []
        var next: AnyClass? = type
        while let aClass: AnyClass = next, aClass != base {
            chain.append(aClass)
            next = _getSuperclass(aClass)
        }
        return chain.reversed()
    }

    /// Nil if the name was compiled away.
    private static func field(of type: UnsafeRawPointer, at index: Int) -> StoredField? {
        var metadata = po_field_metadata()
        let fieldType = unsafeBitCast(po_field_type(type, index, &metadata), to: Any.Type.self)
        defer { metadata.free_name?(metadata.name) }
        guard let name = metadata.name else { return nil }
        return StoredField(
            name: String(cString: name), type: fieldType, offset: po_field_offset(type, index),
            isVar: metadata.is_var, isStrong: metadata.is_strong)
    }
}
