/// The compiler's description of a class, read for what the run time's functions do not tell:
/// whether field metadata is there, how a reference that is not strong is held, and how many methods there are.
///
/// Layout: TargetClassDescriptor and FieldDescriptor in Metadata.h of the Swift sources.
struct ClassDescriptor {
    private let pointer: UnsafeRawPointer

    init(_ type: AnyClass) {
        // The descriptor's place in a class's metadata: Apple's has the Objective-C part before it.
        #if canImport(ObjectiveC)
            let word = 8
        #else
            let word = 5
        #endif
        pointer = unsafeBitCast(type, to: UnsafePointer<UnsafeRawPointer>.self)[word]
    }

    /// Whether the class, or a type that it is nested in, has generic parameters.
    var isGeneric: Bool { pointer.load(as: UInt32.self) & 0x80 != 0 }

    /// How many fields the class itself declares.
    var fieldCount: Int { Int(pointer.load(fromByteOffset: 36, as: UInt32.self)) }

    private var fields: UnsafeRawPointer? { relative(pointer + 16) }

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
            guard let name = relative(fields + 16 + index * stride + 4) else { return .strong }
            return ownership(ofMangledType: name)
        }
    }

    /// A mangled type ends in `Xw` (weak), `Xo` (unowned) or `Xu` (unowned(unsafe)); in it bytes 1 to 0x17 begin a
    /// symbolic reference of 4 bytes, 0x18 to 0x1f one of a pointer's size.
    private func ownership(ofMangledType start: UnsafeRawPointer) -> StoredField.Ownership {
        var next = start
        var last: (UInt8, UInt8) = (0, 0)
        while true {
            let byte = next.load(as: UInt8.self)
            switch byte {
            case 0:
                return switch last {
                case (UInt8(ascii: "X"), UInt8(ascii: "w")): .weak
                case (UInt8(ascii: "X"), UInt8(ascii: "o")): .unowned
                case (UInt8(ascii: "X"), UInt8(ascii: "u")): .unmanaged
                default: .strong
                }
            case 0x01...0x17: next += 5
            case 0x18...0x1f: next += 1 + MemoryLayout<UnsafeRawPointer>.size
            default:
                last = (last.1, byte)
                next += 1
            }
        }
    }

    /// Follows a pointer stored as a distance; nil for 0.
    private func relative(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = place.load(as: Int32.self)
        return distance == 0 ? nil : place + Int(distance)
    }
}
