// Events: notifications of subscribers after commits, and queries that are kept current. It uses commits and queries,
// and must not take part in them: a save does not wait for a subscriber.

/// The effect of a commit on one object.
///
/// ```swift
/// for await event in store.events {
///     print(event)                                     // Person #7 updated: age
///     if let id = event.id(as: Person.self) { refresh(id) }
/// }
/// ```
public struct ChangeEvent<Object: Persistent>: Sendable {
    /// A kind of change.
    public enum Kind: Sendable, Hashable {
        /// The object was inserted.
        case inserted
        /// The object's row, or one of its collections, was changed.
        case updated
        /// The object's row was deleted.
        case deleted
        /// Objects may have changed, but it is unknown which.
        ///
        /// Another process committed, there were too many events to keep, or the store's engine does not report which
        /// rows it writes. Refresh everything that you show.
        case unknown
    }

    /// The kind of change.
    public let kind: Kind

    /// The id of the object; nil if the kind is `unknown`.
    public let id: PersistentID<Object>?

    /// The class of the object; nil if the kind is `unknown`.
    ///
    /// If raw SQL or a trigger deleted a row of a class hierarchy that is not in memory, it is the topmost class.
    public let objectClass: PersistentObject.Type?

    /// The names of the properties that an update changed; nil if they are unknown.
    ///
    /// They are unknown if raw SQL or a trigger changed the row. For other kinds the array is empty.
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

    /// Returns the id of the object if it belongs to a class, otherwise nil.
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
    /// The object, kind and properties: `Person #7 updated: age, lastName`.
    public var description: String {
        guard let id, let objectClass else { return "unknown changes" }
        let names = properties.map { $0.isEmpty ? "" : ": \($0.joined(separator: ", "))" } ?? ": unknown properties"
        return "\(objectClass) #\(id.value) \(kind)\(names)"
    }
}
