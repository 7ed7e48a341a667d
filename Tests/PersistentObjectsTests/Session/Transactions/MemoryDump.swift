@testable import PersistentObjects

/// What memory and file are, in words: a transaction that fails must leave both as they were.
struct MemoryDump {
    /// All of one object that its user can see, without loading what is not loaded.
    static func of(_ object: PersistentObject, _ name: String) -> String {
        guard let map = try? ClassMap.map(of: type(of: object)) else { return "" }
        let start = ObjectMemory.start(of: object)
        var line = "\(name) id \(object.id.map(String.init) ?? "nil") \(object.lifecycle)"
        for property in map.properties {
            let isLoaded = property.box(in: start)?.state != .unloaded
            line += " \(property.name)="
            line += isLoaded ? text(property.codec.value(property.address(in: start))) : "(not loaded)"
        }
        let changes = object.changes.map { "\($0.name): \(text($0.old))" }
        return line + " changes \(changes)"
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let object as PersistentObject: "<\(object.id.map(String.init) ?? "new")>"
        case let objects as [PersistentObject]: "[\(objects.map { text($0) }.joined(separator: ","))]"
        case let objects as Set<AnyHashable>: "{\(objects.map { text($0.base) }.sorted().joined(separator: ","))}"
        case let objects as [AnyHashable: Any]:
            "{\(objects.map { "\($0.base):\(text($1))" }.sorted().joined(separator: ","))}"
        case let value?: "\(value)"
        }
    }
}
