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
/// It is not `Identifiable`, though every object has an `id`: Swift gives each class that is `Identifiable` a second
/// `id`, its address in memory, and chooses that one where the context is `Any`. `print(person.id ?? 0)` and
/// `["id": person.id ?? 0]` would give the address. Lists take the id by key path:
///
/// ```swift
/// ForEach(people, id: \.self) { … }            // the object itself; new ones too
/// List(people, id: \.id) { … }
/// extension Person: Identifiable {}            // for who needs it; then say `person.id ?? 0 as Int64`
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
