/// A type's mangled name in metadata: a string in which some bytes start a reference to a descriptor.
///
/// Bytes 1 to 0x17 start a reference of 4 bytes, 0x18 to 0x1f a reference of pointer size; 0 ends the name.
struct MangledType {
    private let start: UnsafeRawPointer
    private let length: Int
    /// The last two bytes that are not part of a reference.
    private let ending: (UInt8, UInt8)

    /// The name that a field's record refers to at `place`; nil if there is none.
    init?(referredToAt place: UnsafeRawPointer) {
        guard let start = RelativePointer.follow(place) else { return nil }
        self.start = start
        var next = start
        var ending: (UInt8, UInt8) = (0, 0)
        while true {
            let byte = next.load(as: UInt8.self)
            switch byte {
            case 0:
                length = next - start
                self.ending = ending
                return
            case 0x01...0x17: next += 5
            case 0x18...0x1f: next += 1 + MemoryLayout<UnsafeRawPointer>.size
            default:
                ending = (ending.1, byte)
                next += 1
            }
        }
    }

    /// The ownership, by the end of the name: `Xw` (weak), `Xo` (unowned) or `Xu` (unowned(unsafe)).
    var ownership: StoredField.Ownership {
        switch ending {
        case (UInt8(ascii: "X"), UInt8(ascii: "w")): .weak
        case (UInt8(ascii: "X"), UInt8(ascii: "o")): .unowned
        case (UInt8(ascii: "X"), UInt8(ascii: "u")): .unmanaged
        default: .strong
        }
    }

    /// The type, with the generic arguments of the type that has this descriptor and these arguments; nil if the
    /// runtime does not find it.
    func type(in descriptor: UnsafeRawPointer, _ arguments: UnsafeRawPointer) -> Any.Type? {
        _getTypeByMangledNameInContext(
            start.assumingMemoryBound(to: UInt8.self), UInt(length), genericContext: descriptor,
            genericArguments: arguments)
    }
}

/// A pointer in metadata, stored as a distance from its own address.
enum RelativePointer {
    /// The target address; nil for a distance of 0.
    static func follow(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = place.load(as: Int32.self)
        return distance == 0 ? nil : place + Int(distance)
    }
}
