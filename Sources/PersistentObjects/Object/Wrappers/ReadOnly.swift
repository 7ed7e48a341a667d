/// Reads the property and never writes it, for generated columns and columns that triggers maintain.
///
/// ```swift
/// @ReadOnly @Column("Total") var total = 0.0
/// ```
///
/// Use it in classes over existing tables (`origin`), also for columns that other programs maintain. A value that you
/// assign makes the save throw instead of being an edit; after each save the property is read again. Can be combined
/// with the other wrappers.
@propertyWrapper
public struct ReadOnly<Value> {
    /// The property's value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Creates the wrapper with nil.
    public init() where Value: ExpressibleByNilLiteral { wrappedValue = nil }
}

extension ReadOnly: Sendable where Value: Sendable {}

extension ReadOnly: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.isReadOnly = true }
}
