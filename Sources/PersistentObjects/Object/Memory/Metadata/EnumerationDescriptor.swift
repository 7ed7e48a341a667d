/// The compiler's enumeration descriptor, read for facts that the runtime's functions do not report: the number of
/// cases, and the types of their payloads.
///
/// Layout: TargetEnumMetadata, TargetEnumDescriptor and FieldDescriptor in Metadata.h of the Swift sources.
struct EnumerationDescriptor {
    private let metadata: UnsafeRawPointer
    private let pointer: UnsafeRawPointer

    /// Nil for a type of another kind.
    init?(_ type: Any.Type) {
        guard MetadataKind(type) == .enumeration else { return nil }
        metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        // Word 1 of an enumeration's metadata is its descriptor.
        pointer = metadata.load(fromByteOffset: MemoryLayout<UnsafeRawPointer>.size, as: UnsafeRawPointer.self)
    }

    /// The number of cases with values that take up memory; the upper byte of the number has another meaning.
    var payloadCaseCount: Int { Int(pointer.load(fromByteOffset: 20, as: UInt32.self) & 0xff_ffff) }

    var emptyCaseCount: Int { Int(pointer.load(fromByteOffset: 24, as: UInt32.self)) }

    /// The types of the payloads, a tuple for several values; nil if the descriptor does not contain all of them,
    /// because its field part was compiled away, or the runtime does not find a type.
    ///
    /// The payload of an indirect case is in a box. A box is never written after it is created: the language cannot
    /// change a payload in place, and a shared copy forbids it, too.
    func payloadTypes() -> [Any.Type]? {
        guard let fields = RelativePointer.follow(pointer + 16) else { return nil }
        let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
        let stride = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        guard count == payloadCaseCount + emptyCaseCount, stride >= 12 else { return nil }
        // A generic type's arguments follow its descriptor.
        let arguments = metadata + 2 * MemoryLayout<UnsafeRawPointer>.size
        var types: [Any.Type] = []
        for index in 0..<count {
            // A case without a payload has no type.
            guard let name = MangledType(referredToAt: fields + 16 + index * stride + 4) else { continue }
            guard let type = name.type(in: pointer, arguments) else { return nil }
            types.append(type)
        }
        return types.count >= payloadCaseCount ? types : nil
    }
}
