/// Has the property read and never written: a generated column, or one that triggers or other programs keep.
///
/// ```swift
/// @ReadOnly @Column("Total") var total = 0.0
/// ```
///
/// For classes whose table others have made (`origin`). A value that you set is
/// an error of the save, not an edit; after each save the property is read
/// again. Composable with the other wrappers.
@propertyWrapper
public struct ReadOnly<Value> {
    /// The property's value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Begins with nil.
    public init() where Value: ExpressibleByNilLiteral { wrappedValue = nil }
}

extension ReadOnly: Sendable where Value: Sendable {}

extension ReadOnly: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.isReadOnly = true }
}
