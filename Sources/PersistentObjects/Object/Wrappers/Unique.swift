/// Prevents two objects from having the same value, with a unique index; several objects may have nil.
///
/// ```swift
/// @Unique var email: String?
/// ```
///
/// Can be combined with the other wrappers.
@propertyWrapper
public struct Unique<Value> {
    /// The property's value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Creates the wrapper with nil.
    public init() where Value: ExpressibleByNilLiteral { wrappedValue = nil }
}

extension Unique: Sendable where Value: Sendable {}

extension Unique: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.isUnique = true }
}
