// Events: what subscribers hear after commits, and queries that are kept up to date. It knows commits and queries,
// and must not take part in either: nobody's save waits for a subscriber.

/// What a commit has done to one object.
///
/// ```swift
/// for await event in store.events {
///     print(event)                                     // Person #7 updated: age
///     if let id = event.id(as: Person.self) { refresh(id) }
/// }
/// ```
public struct ChangeEvent<Object: Persistent>: Sendable {
    /// What has been done.
    public enum Kind: Sendable, Hashable {
        /// The object has a row now.
        case inserted
        /// Its row, or one of its collections, has changed.
        case updated
        /// Its row is gone.
        case deleted
        /// Something may have changed, and nobody knows which objects: another process has committed, or there were too
        /// many events to keep. Look at all that you show.
        case unknown
    }

    /// What has been done.
    public let kind: Kind

    /// The object; nil where the kind is `unknown`.
    public let id: PersistentID<Object>?

    /// The class of the object; nil where the kind is `unknown`.
    ///
    /// Of a row of a hierarchy that SQL of your own, or of a trigger, has
    /// deleted and that is not in memory it is the topmost class.
    public let objectClass: PersistentObject.Type?

    /// The names of the properties that an update has changed; nil where they are not known, since SQL of your own or a
    /// trigger has changed the row. Empty for other kinds.
    public let properties: [String]?

    init(_ event: RowEvent) {
        kind =
            switch event.kind {
            case .inserted: .inserted
            case .updated: .updated
            case .deleted: .deleted
            case .unknown: .unknown
            }
        id = event.map == nil ? nil : PersistentID(event.id)
        objectClass = event.map?.type
        properties = event.properties
    }

    /// The object, where it is one of a class.
    ///
    /// ```swift
    /// if let id = event.id(as: Person.self), let person = try Person.find(id) { show(person) }
    /// ```
    public func id<Other: Persistent>(as type: Other.Type = Other.self) -> PersistentID<Other>? {
        guard let id, let objectClass, ClassMap.isClass(objectClass, ObjectMemory.objectClass(type)) else { return nil }
        return PersistentID(id.value)
    }
}

extension ChangeEvent: CustomStringConvertible {
    /// `Person #7 updated: age, lastName`
    public var description: String {
        guard let id, let objectClass else { return "unknown changes" }
        let names = properties.map { $0.isEmpty ? "" : ": \($0.joined(separator: ", "))" } ?? ": unknown properties"
        return "\(objectClass) #\(id.value) \(kind)\(names)"
    }
}
