// Metadata: the facts about types in the runtime and in the compiler's descriptors: fields, payloads, kinds. It uses
// types, and must not access the memory of objects.

/// The kinds of type that this package distinguishes (MetadataKind.def in the Swift sources).
enum MetadataKind {
    case aClass, structure, enumeration, tuple, other

    init(_ type: Any.Type) {
        // Every type's metadata starts with a word for its kind; for classes on Apple platforms it is the Objective-C
        // isa pointer, which is larger than any kind.
        switch unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee {
        case 0, 0x800...: self = .aClass
        case 0x200: self = .structure
        case 0x201: self = .enumeration
        case 0x301: self = .tuple
        default: self = .other
        }
    }

    /// The number of cases of an enumeration without payloads; nil for other types.
    static func caseCount(_ type: Any.Type) -> Int? {
        guard let descriptor = EnumerationDescriptor(type), descriptor.payloadCaseCount == 0 else { return nil }
        return descriptor.emptyCaseCount
    }
}

/// The runtime's description of a tuple type (TargetTupleTypeMetadata in Metadata.h of the Swift sources).
enum TupleMetadata {
    /// The types of the elements of a type whose kind is `tuple`.
    static func elementTypes(_ type: Any.Type) -> [Any.Type] {
        // Words: the kind, the number of elements, their labels; then for each its type and offset.
        let words = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
        return (0..<Int(words[1])).map { unsafeBitCast(words[3 + 2 * $0], to: Any.Type.self) }
    }
}
