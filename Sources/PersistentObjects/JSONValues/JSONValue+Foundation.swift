// JSONValues: property values as JSON, for columns and for properties. It knows codecs and one object at a time, and
// must not know files, which are the task of the product `PersistentTransfer`.

internal import Foundation
internal import StoreEngine

// Conversion from Foundation's types.
extension JSONValue {
    /// Creates JSON from values of `JSONSerialization`, property lists and common Swift types; nil for other types.
    init?(_ value: Any?) {
        guard let value = OptionalValue.flattened(value) else {
            self = .null
            return
        }
        if let simple = JSONValue.simple(value) {
            self = simple
        } else if let list = value as? [Any] {
            self.init(list: list)
        } else if let set = value as? Set<AnyHashable> {
            self.init(list: set.map(\.base))
        } else if let members = value as? [AnyHashable: Any] {
            self.init(members: members)
        } else {
            return nil
        }
    }

    private static func simple(_ value: Any) -> JSONValue? {
        // The dynamic type is examined, because casts convert between Foundation's numbers and Booleans.
        switch type(of: value) {
        case is Bool.Type: return (value as? Bool).map { .bool($0) }
        case is Double.Type: return (value as? Double).flatMap { number($0) }
        case is Float.Type: return (value as? Float).flatMap { $0.isFinite ? .number("\($0)") : number(Double($0)) }
        default: break
        }
        return switch value {
        case let value as any BinaryInteger: .number("\(value)")
        case let value as Decimal: value.isNaN ? nil : .number("\(value)")
        case let value as NSNumber: number(value)
        case let value as String: .text(value)
        case let value as Substring: .text(String(value))
        case let value as Date: ISODate.json(value)
        case let value as Data: .text(value.base64EncodedString())
        case let value as UUID: .text(value.uuidString)
        case let value as URL: .text(value.absoluteString)
        case is NSNull: .null
        default: nil
        }
    }

    private static func number(_ value: Double) -> JSONValue? {
        if value.isNaN { return nil }
        return value.isInfinite ? .text(infinity(isNegative: value < 0)) : .number("\(value)")
    }

    private static func number(_ value: NSNumber) -> JSONValue? {
        // The class name of the two Boolean constants is the only public way to distinguish Booleans from numbers on
        // all systems.
        if String(describing: type(of: value)).contains("Boolean") { return .bool(value.boolValue) }
        if let decimal = value as? NSDecimalNumber { return simple(decimal.decimalValue) }
        let text = value.stringValue
        return Int64(text) != nil || UInt64(text) != nil ? .number(text) : number(value.doubleValue)
    }

    /// The string for an infinity, because JSON has no such number.
    static func infinity(isNegative: Bool) -> String { isNegative ? "-Infinity" : "Infinity" }

    private init?(list: [Any]) {
        var elements: [JSONValue] = []
        for element in list {
            guard let element = JSONValue(element) else { return nil }
            elements.append(element)
        }
        self = .list(elements)
    }

    private init?(members: [AnyHashable: Any]) {
        var made: [Member] = []
        for (key, value) in members {
            guard let name = key.base as? String, let value = JSONValue(value) else { return nil }
            made.append(Member(name: name, value: value))
        }
        self = .object(made.sortedUnspecialized { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }
}
