internal import Foundation

/// What the run time says of a type's values: size, alignment, and whether a copy of one is independent of it.
///
/// This folder holds every unsafe access to the memory of objects, and nothing
/// else. The rules R, M, T, K and D that its comments name are those of the
/// project's study of what breaks such code; in short they are:
/// touch only strong `var`s of known type (R1), through a pointer of exactly
/// the field's type or as raw bytes (R2), never while the user is in the middle
/// of an access to the field (R4), with the object held (R5).
struct TypeFacts {
    let size: Int
    let alignment: Int
    /// Bits are all there is: copying them is copying the value.
    let isPlainData: Bool
    /// Equal bits mean an equal value, and a copy does not change with the original.
    let isPlainValue: Bool

    init(_ type: Any.Type) {
        func facts<T>(_: T.Type) -> (Int, Int, Bool) {
            (MemoryLayout<T>.size, MemoryLayout<T>.alignment, _isPOD(T.self))
        }
        (size, alignment, isPlainData) = _openExistential(type, do: facts)
        isPlainValue = isPlainData || TypeFacts.isValueAllTheWayDown(type)
    }

    /// Fresh memory for one value; the caller frees it.
    func allocate() -> Address { .allocate(byteCount: max(size, 1), alignment: max(alignment, 1)) }

    /// Types of the libraries whose storage is shared and copied on write.
    private static func isValueAllTheWayDown(_ type: Any.Type) -> Bool {
        if let container = type as? any ValueContainer.Type {
            return container.contentTypes.allSatisfy { TypeFacts($0).isPlainValue }
        }
        guard MetadataKind(type) == .structure else { return false }
        let fields = FieldMetadata.structureFields(type)
        // A type that the run time cannot describe looks like Void, but has a place.
        return !fields.isEmpty
            && fields.allSatisfy {
                $0.isStrong && !($0.type == Void.self && $0.offset != 0) && TypeFacts($0.type).isPlainValue
            }
    }
}

/// A type of the libraries that has value semantics as far as what it contains has.
protocol ValueContainer {
    /// The types of what it contains.
    static var contentTypes: [Any.Type] { get }
}

extension String: ValueContainer { static var contentTypes: [Any.Type] { [] } }
extension Substring: ValueContainer { static var contentTypes: [Any.Type] { [] } }
extension Character: ValueContainer { static var contentTypes: [Any.Type] { [] } }
extension Array: ValueContainer { static var contentTypes: [Any.Type] { [Element.self] } }
extension ContiguousArray: ValueContainer { static var contentTypes: [Any.Type] { [Element.self] } }
extension ArraySlice: ValueContainer { static var contentTypes: [Any.Type] { [Element.self] } }
extension Set: ValueContainer { static var contentTypes: [Any.Type] { [Element.self] } }
extension Dictionary: ValueContainer { static var contentTypes: [Any.Type] { [Key.self, Value.self] } }
extension Data: ValueContainer { static var contentTypes: [Any.Type] { [] } }
extension URL: ValueContainer { static var contentTypes: [Any.Type] { [] } }
extension Optional: ValueContainer { static var contentTypes: [Any.Type] { [Wrapped.self] } }

/// The kinds of type that this package tells apart (MetadataKind.def in the Swift sources).
enum MetadataKind {
    case aClass, structure, enumeration, other

    init(_ type: Any.Type) {
        // Every type's metadata begins with a word that says its kind; for classes on Apple's systems it is the
        // Objective-C isa pointer, which is larger than any kind.
        switch unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee {
        case 0, 0x800...: self = .aClass
        case 0x200: self = .structure
        case 0x201: self = .enumeration
        default: self = .other
        }
    }

    /// How many cases an enumeration without payloads has; nil for anything else.
    static func caseCount(_ type: Any.Type) -> Int? {
        guard MetadataKind(type) == .enumeration else { return nil }
        // Word 1 of an enumeration's metadata is its descriptor: at byte 20 the number of cases with a payload
        // (24 bits), at byte 24 the number of those without (TargetEnumDescriptor in Metadata.h).
        let descriptor = unsafeBitCast(type, to: UnsafePointer<UnsafeRawPointer>.self)[1]
        guard descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xff_ffff == 0 else { return nil }
        return Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    }
}
