/// The compiler's description of an enumeration, read for what the run time's functions do not tell:
/// how many cases there are, and the types of their payloads.
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

    /// How many cases have values that take up memory; the upper byte of the number is something else.
    var payloadCaseCount: Int { Int(pointer.load(fromByteOffset: 20, as: UInt32.self) & 0xff_ffff) }

    var emptyCaseCount: Int { Int(pointer.load(fromByteOffset: 24, as: UInt32.self)) }

    /// The types of the payloads, a tuple for several values; nil where the descriptor does not tell all of them:
    /// its part about fields was compiled away, or the run time does not find a type.
    ///
    /// The payload of an indirect case stands in a box. Nobody writes into a box once it is made: the language has
    /// no way to change a payload in its place, and a copy that another holds forbids it too.
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
