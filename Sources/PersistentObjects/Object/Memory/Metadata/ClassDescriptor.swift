/// The compiler's class descriptor, read for facts that the runtime's functions do not report: whether field metadata
/// exists, how a non-strong reference is held, and the number of methods.
///
/// Layout: TargetClassDescriptor and FieldDescriptor in Metadata.h of the Swift sources.
struct ClassDescriptor {
    private let pointer: UnsafeRawPointer

    init(_ type: AnyClass) { pointer = ClassDescriptor.pointer(of: type) }

    /// The address of a class's descriptor.
    static func pointer(of type: AnyClass) -> UnsafeRawPointer {
        // The descriptor's position in a class's metadata: on Apple platforms the Objective-C part precedes it.
        #if canImport(ObjectiveC)
            let word = 8
        #else
            let word = 5
        #endif
        return unsafeBitCast(type, to: UnsafePointer<UnsafeRawPointer>.self)[word]
    }

    /// Whether the class, or a type that it is nested in, has generic parameters.
    var isGeneric: Bool { pointer.load(as: UInt32.self) & 0x80 != 0 }

    /// The number of fields that the class itself declares.
    var fieldCount: Int { Int(pointer.load(fromByteOffset: 36, as: UInt32.self)) }

    private var fields: UnsafeRawPointer? { RelativePointer.follow(pointer + 16) }

    /// The number of metadata words for the class and its superclasses, if no other module can change them.
    var metadataSize: Int { Int(pointer.load(fromByteOffset: 28, as: UInt32.self)) }

    /// Whether the class was compiled with `-disable-reflection-metadata` or `-reflection-metadata-for-debugger-only`.
    var isFieldMetadataMissing: Bool { fieldCount > 0 && fields == nil }

    /// For each field that the class itself declares, the ownership of its reference.
    func ownerships() -> [StoredField.Ownership] {
        guard let fields else { return [] }
        let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
        let stride = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        return (0..<count).map { index in
            MangledType(referredToAt: fields + 16 + index * stride + 4)?.ownership ?? .strong
        }
    }
}
