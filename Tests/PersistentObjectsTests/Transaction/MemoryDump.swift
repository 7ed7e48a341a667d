@testable import PersistentObjects

/// The state of memory as strings. A failed transaction must leave memory and file unchanged.
struct MemoryDump {
    /// Returns the visible state of an object without loading unloaded properties.
    ///
    /// - Parameter names: Names for referenced objects; other objects are shown with their ids.
    static func of(_ object: PersistentObject, _ name: String, _ names: [ObjectIdentifier: String] = [:]) -> String {
        let parts = parts(of: object, names).map { "\($0)=\($1)" }
        return "\(name) \(parts.joined(separator: " "))"
    }

    /// Represents a property that is not loaded.
    static let unloaded = "(not loaded)"

    /// Returns the same state as name and value pairs.
    static func parts(
        of object: PersistentObject, _ names: [ObjectIdentifier: String] = [:]
    ) -> [(name: String, value: String)] {
        guard let map = try? ClassMap.map(of: type(of: object)) else { return [] }
        let start = ObjectMemory.start(of: object)
        var parts = [("id", object.id.map(String.init) ?? "nil"), ("state", "\(object.lifecycle)")]
        for property in map.properties {
            let isLoaded = property.box(in: start)?.state != .unloaded
            let value = isLoaded ? text(property.codec.value(property.address(in: start)), names) : unloaded
            parts.append((property.name, value))
        }
        if let key = object.objectKey { parts.append(("key", key.text)) }
        for change in object.changes { parts.append(("old \(change.name)", text(change.old, names))) }
        return parts
    }

    private static func text(_ value: Any?, _ names: [ObjectIdentifier: String]) -> String {
        func text(_ value: Any?) -> String { Self.text(value, names) }
        return switch value {
        case nil: "nil"
        case let object as PersistentObject:
            "<\(names[ObjectIdentifier(object)] ?? object.id.map(String.init) ?? "new")>"
        case let objects as [PersistentObject]: "[\(objects.map { text($0) }.joined(separator: ","))]"
        case let objects as Set<AnyHashable>: "{\(objects.map { text($0.base) }.sorted().joined(separator: ","))}"
        case let objects as [AnyHashable: Any]:
            "{\(objects.map { "\($0.base):\(text($1))" }.sorted().joined(separator: ","))}"
        case let value?: "\(value)"
        }
    }
}
