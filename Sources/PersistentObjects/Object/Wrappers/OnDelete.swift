/// The effect of a deletion across a reference, collection or inverse.
///
/// | | `.nullify` (default) | `.cascade` | `.deny` |
/// |---|---|---|---|
/// | reference | becomes nil when its object is deleted | its object is deleted with the owner | its object cannot be deleted while it refers to it |
/// | collection | a deleted object is removed from it | its objects are deleted with the owner, and when they are removed from it | the owner cannot be deleted while it has objects |
/// | inverse | the other side becomes nil | its objects are deleted with the owner | the owner cannot be deleted while it has objects |
public enum DeleteRule: Sendable, Hashable {
    /// Links to a deleted object are removed.
    case nullify
    /// The deletion of the owner cascades to the objects it refers to.
    case cascade
    /// The deletion is refused while the link exists.
    case deny
}

/// Declares the effect of a deletion across the property; see `DeleteRule`.
///
/// ```swift
/// @OnDelete(.cascade) var passport: Passport?
/// ```
///
/// Can be combined with the other wrappers.
@propertyWrapper
public struct OnDelete<Value> {
    /// The property's value.
    public var wrappedValue: Value
    let rule: DeleteRule

    /// Wraps a value.
    public init(wrappedValue: Value, _ rule: DeleteRule) {
        self.wrappedValue = wrappedValue
        self.rule = rule
    }

    /// Creates the wrapper with nil.
    public init(_ rule: DeleteRule) where Value: ExpressibleByNilLiteral {
        wrappedValue = nil
        self.rule = rule
    }
}

extension OnDelete: Sendable where Value: Sendable {}

extension OnDelete: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.deleteRule = rule }
}
