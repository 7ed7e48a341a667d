internal import Foundation

/// Finds out whether equal bits of a type mean equal values, by walking through all that its values are made of.
///
/// A no may be wrong and costs time; a yes must be right, or a change is lost.
struct ValueWalk {
    /// Types that have been seen. One of them that comes again, as in a tree, adds nothing: the answer is yes where
    /// no type that can be reached says no.
    private var seen: Set<ObjectIdentifier> = []
    /// A generic type that holds itself with ever new arguments has no end.
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

    /// The types of what a value is made of, where copies of it are independent if theirs are; nil where that is not
    /// known.
    private static func parts(of type: Any.Type) -> [Any.Type]? {
        // Storage of the libraries' types is shared and copied on write.
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
        // A type that the run time cannot describe looks like Void, but has a place: one that is not at the
        // beginning, or the beginning, where then no other field is.
        let voids = fields.filter { $0.type == Void.self }
        guard voids.isEmpty || fields.contains(where: { $0.offset == 0 && TypeFacts.size(of: $0.type) > 0 }),
            voids.allSatisfy({ $0.offset == 0 })
        else { return nil }
        return fields.map(\.type)
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
