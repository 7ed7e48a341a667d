/// What the static interface hangs on, so that `Self` is the class it is called on.
///
/// You never conform to it: subclass `PersistentObject`. It is there to be
/// extended and to be a constraint:
///
/// ```swift
/// extension Persistent {
///     static func newest() throws -> Self? { try all().last }
/// }
/// ```
@dynamicMemberLookup
public protocol Persistent: AnyObject, SendableMetatype, Hashable, Identifiable, CustomStringConvertible {
    /// Makes a new object, which has no row until it is saved.
    init()

    /// The id of the object's row: nil until it is saved.
    var id: Int64? { get }
}

extension Persistent {
    /// Objects are equal when they are the same instance.
    public static func == (a: Self, b: Self) -> Bool { a === b }

    /// Hashes the identity of the instance.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
