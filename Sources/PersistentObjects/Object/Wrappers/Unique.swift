/// Lets no two objects have the same value, by means of a unique index; several may have nil.
///
/// ```swift
/// @Unique var email: String?
/// ```
///
/// Composable with the other wrappers.
@propertyWrapper
public struct Unique<Value> {
    /// The property's value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Begins with nil.
    public init() where Value: ExpressibleByNilLiteral { wrappedValue = nil }
}

extension Unique: Sendable where Value: Sendable {}

extension Unique: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.isUnique = true }
}
