/// What a deletion does across a reference, collection or inverse.
///
/// | | `.nullify` (default) | `.cascade` | `.deny` |
/// |---|---|---|---|
/// | reference | when its object is deleted it becomes nil | its object is deleted with the owner | its object cannot be deleted while it refers to it |
/// | collection | a deleted object leaves it | its objects are deleted with the owner, and when they are removed from it | the owner cannot be deleted while it has objects |
/// | inverse | the other side becomes nil | its objects are deleted with the owner | the owner cannot be deleted while it has objects |
public enum DeleteRule: Sendable, Hashable {
    /// Links to a deleted object are removed.
    case nullify
    /// The owner takes what it refers to along.
    case cascade
    /// The deletion is refused while the link is there.
    case deny
}

/// Says what a deletion does across the property. See `DeleteRule`.
///
/// ```swift
/// @OnDelete(.cascade) var passport: Passport?
/// ```
///
/// Composable with the other wrappers.
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

    /// Begins with nil.
    public init(_ rule: DeleteRule) where Value: ExpressibleByNilLiteral {
        wrappedValue = nil
        self.rule = rule
    }
}

extension OnDelete: Sendable where Value: Sendable {}

extension OnDelete: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.deleteRule = rule }
}
