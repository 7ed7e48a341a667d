internal import Foundation

/// Determines whether equal bits of a type mean equal values, by walking through all types that its values contain.
///
/// A false negative costs time; a false positive loses a change, so a positive result must be proven.
struct ValueWalk {
    /// Types that have been visited. A repeated type, as in a tree, adds nothing: the result is positive if no
    /// reachable type is negative.
    private var seen: Set<ObjectIdentifier> = []
    /// The maximum number of types, because the walk through a generic type that contains itself with new arguments
    /// would not end.
    private static let most = 200

    static func isValueAllTheWayDown(_ type: Any.Type) -> Bool {
        var walk = ValueWalk()
        return walk.isValue(type)
    }

    private mutating func isValue(_ type: Any.Type) -> Bool {
        guard seen.insert(ObjectIdentifier(type)).inserted else { return true }
        guard seen.count <= ValueWalk.most else { return false }
        if TypeFacts.isPlainData(type) { return true }
        guard let parts = ValueWalk.parts(of: type) else { return false }
        for part in parts where !isValue(part) { return false }
        return true
    }

    /// The types of a value's parts, if copies of it are independent whenever copies of its parts are; nil if that is
    /// unknown.
    private static func parts(of type: Any.Type) -> [Any.Type]? {
        // The storage of library types is shared and copied on write.
        if let container = type as? any ValueContainer.Type { return container.contentTypes }
        return switch MetadataKind(type) {
        case .structure: structureParts(of: type)
        case .enumeration: EnumerationDescriptor(type)?.payloadTypes()
        case .tuple: TupleMetadata.elementTypes(type)
        case .aClass, .other: nil
        }
    }

    private static func structureParts(of type: Any.Type) -> [Any.Type]? {
        let fields = FieldMetadata.structureFields(type)
        guard !fields.isEmpty, fields.allSatisfy({ $0.isStrong }) else { return nil }
        // A type that the runtime cannot describe looks like Void, but has an offset: not the start, or the start
        // without another field there.
        let voids = fields.filter { $0.type == Void.self }
        guard voids.isEmpty || fields.contains(where: { $0.offset == 0 && TypeFacts.size(of: $0.type) > 0 }),
            voids.allSatisfy({ $0.offset == 0 })
        else { return nil }
        return fields.map(\.type)
    }
}

/// A library type that has value semantics if its contents have.
protocol ValueContainer {
    /// The types of its contents.
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
