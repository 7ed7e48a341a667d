/// A property whose value differs from the value in the database.
public struct PropertyChange: Sendable {
    /// The name of the property.
    public let name: String
    /// The value in the database; nil for NULL, and for an object that is not stored yet.
    public let old: (any Sendable)?
    /// The value of the object.
    public let new: (any Sendable)?
    /// Whether the property is encrypted, so that the description must not contain its values.
    var isEncrypted = false
}

extension PropertyChange: CustomStringConvertible {
    /// The name and both values, such as `age: 39 -> 40`.
    ///
    /// The values of encrypted properties are shown as `•••`.
    public var description: String {
        if isEncrypted { return "\(name): \(PropertyChange.hidden) -> \(PropertyChange.hidden)" }
        return "\(name): \(PropertyChange.text(old)) -> \(PropertyChange.text(new))"
    }

    /// Replaces encrypted values in descriptions.
    static let hidden = "•••"

    static func text(_ value: (any Sendable)?) -> String {
        guard let value else { return "nil" }
        return value is String ? "\"\(value)\"" : "\(value)"
    }
}
