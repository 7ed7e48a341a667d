/// The compiler's description of a class, read for what the run time's functions do not tell:
/// whether field metadata is there, how a reference that is not strong is held, and how many methods there are.
///
/// Layout: TargetClassDescriptor and FieldDescriptor in Metadata.h of the Swift sources.
struct ClassDescriptor {
    private let pointer: UnsafeRawPointer

    init(_ type: AnyClass) { pointer = ClassDescriptor.pointer(of: type) }

    /// Where the description of a class is.
    static func pointer(of type: AnyClass) -> UnsafeRawPointer {
        // The descriptor's place in a class's metadata: Apple's has the Objective-C part before it.
        #if canImport(ObjectiveC)
            let word = 8
        #else
            let word = 5
        #endif
        return unsafeBitCast(type, to: UnsafePointer<UnsafeRawPointer>.self)[word]
    }

    /// Whether the class, or a type that it is nested in, has generic parameters.
    var isGeneric: Bool { pointer.load(as: UInt32.self) & 0x80 != 0 }

    /// How many fields the class itself declares.
    var fieldCount: Int { Int(pointer.load(fromByteOffset: 36, as: UInt32.self)) }

    private var fields: UnsafeRawPointer? { RelativePointer.follow(pointer + 16) }

    /// How many words of metadata the class's objects have for it and its superclasses, where these are no other module's
    /// to change.
    var metadataSize: Int { Int(pointer.load(fromByteOffset: 28, as: UInt32.self)) }

    /// Compiled with `-disable-reflection-metadata` or `-reflection-metadata-for-debugger-only`.
    var isFieldMetadataMissing: Bool { fieldCount > 0 && fields == nil }

    /// For each field the class itself declares, how it refers to what it holds.
    func ownerships() -> [StoredField.Ownership] {
        guard let fields else { return [] }
        let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
        let stride = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        return (0..<count).map { index in
            MangledType(referredToAt: fields + 16 + index * stride + 4)?.ownership ?? .strong
        }
    }
}
