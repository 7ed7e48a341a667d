/// One property that differs from what the database has.
public struct PropertyChange: Sendable {
    /// The name of the property.
    public let name: String
    /// What the database has; nil for NULL, and for an object that is not stored yet.
    public let old: (any Sendable)?
    /// What the object has.
    public let new: (any Sendable)?
}

extension PropertyChange: CustomStringConvertible {
    /// `age: 39 -> 40`
    public var description: String {
        "\(name): \(PropertyChange.text(old)) -> \(PropertyChange.text(new))"
    }

    static func text(_ value: (any Sendable)?) -> String {
        guard let value else { return "nil" }
        return value is String ? "\"\(value)\"" : "\(value)"
    }
}
