/// The static interface of persistent classes, in which `Self` is the class that it is called on.
///
/// You never conform to it: subclass `PersistentObject`. Extend it, or use it as a constraint:
///
/// ```swift
/// extension Persistent {
///     static func newest() throws -> Self? { try all().last }
/// }
/// ```
///
/// It is not `Identifiable`, although every object has an `id`. Swift gives each `Identifiable` class a second `id`,
/// the object's address in memory, and chooses the address if the context is `Any`. For example,
/// `print(person.id ?? 0)` and `["id": person.id ?? 0]` would use the address. Pass the id to lists by key path:
///
/// ```swift
/// ForEach(people, id: \.self) { … }            // the object itself, including new objects
/// List(people, id: \.id) { … }
/// extension Person: Identifiable {}            // if you need it; then write `person.id ?? 0 as Int64`
/// ```
@dynamicMemberLookup
public protocol Persistent: AnyObject, SendableMetatype, Hashable, CustomDebugStringConvertible {
    /// Creates a new object, which has no row until it is saved.
    init()

    /// The id of the object's row; nil until the object is saved.
    var id: Int64? { get }
}

extension Persistent {
    /// Objects are equal when they are the same instance.
    public static func == (a: Self, b: Self) -> Bool { a === b }

    /// Hashes the identity of the instance.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
