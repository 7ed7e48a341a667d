/// Keeps an index over the property, so that finders on it are fast.
///
/// ```swift
/// @Indexed var lastName = ""
/// ```
///
/// Can be combined with the other wrappers.
@propertyWrapper
public struct Indexed<Value> {
    /// The property's value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Creates the wrapper with nil.
    public init() where Value: ExpressibleByNilLiteral { wrappedValue = nil }
}

extension Indexed: Sendable where Value: Sendable {}

extension Indexed: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.isIndexed = true }
}
