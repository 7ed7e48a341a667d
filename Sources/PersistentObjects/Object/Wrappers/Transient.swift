/// Keeps the property out of the database.
///
/// ```swift
/// @Transient var isSelected = false
/// ```
///
/// Can be combined with the other wrappers.
@propertyWrapper
public struct Transient<Value> {
    /// The property's value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Creates the wrapper with nil.
    public init() where Value: ExpressibleByNilLiteral { wrappedValue = nil }
}

extension Transient: Sendable where Value: Sendable {}

extension Transient: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.isTransient = true }
}
