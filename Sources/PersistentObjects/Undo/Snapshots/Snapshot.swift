// Snapshots: values of objects that can leave their session, and the merging of these values. It uses objects and
// fetches, and must not write rows.

/// The values of one object at one moment, for other threads and tasks, independent of any session.
///
/// Properties read as on the object, except that a reference is the id of the referenced object, and a collection of
/// objects, or an inverse, contains their ids:
///
/// ```swift
/// let snapshot = joe.snapshot()
/// let text = await Task.detached { "\(snapshot.lastName), \(snapshot.age ?? 0)" }.value
/// ```
///
/// | property | in the snapshot |
/// |---|---|
/// | `String`, `Int?`, `[Date]`, a `Codable` value that is `Sendable` | the same |
/// | `Company?` | `PersistentID<Company>?` |
/// | `[Pet]`, `Set<Pet>` | `[PersistentID<Pet>]`, `Set<PersistentID<Pet>>` |
/// | `[String: Pet]` | `[String: PersistentID<Pet>]` |
///
/// Objects that had no row yet when the snapshot was taken have no ids, and are left out. A computed property is
/// evaluated on a new object with these values and without references. If a property has the name of a member of
/// `Snapshot`, read it as `snapshot[dynamicMember: \.changes]`.
///
/// Change a snapshot with `set(_:to:)`, and merge it into a session of the same process with `session.merge(_:)`.
@dynamicMemberLookup
public struct Snapshot<Object: Persistent>: Sendable {
    /// The id of the object, with its class; nil if the object had no row.
    public let persistentID: PersistentID<Object>?

    /// Whether the object did not have a row yet.
    public let isNew: Bool

    /// The class of the object; nil if the class cannot be stored.
    let map: ClassMap?
    /// The store of the ids; nil for a new object.
    let location: SnapshotStore?
    /// The properties in the order of the map's properties.
    var properties: [SnapshotProperty]

    /// The id of the object's row; nil if the object had no row.
    public var id: Int64? { persistentID?.value }

    /// The changes that `merge` applies to a session.
    ///
    /// They are the properties that differed from the database, and the properties changed by `set(_:to:)`.
    public var changes: [PropertyChange] {
        guard let map else { return [] }
        return map.inDeclaredOrder.filter { properties[$0].isChanged || isNew }.map { ordinal in
            PropertyChange(
                name: map.properties[ordinal].name, old: properties[ordinal].baseValue, new: properties[ordinal].value,
                isEncrypted: map.properties[ordinal].sealing != nil)
        }
    }
}

extension Snapshot: Hashable {
    /// Returns whether both have the same values of the same row.
    ///
    /// Snapshots of new objects are equal if their values are.
    public static func == (a: Snapshot, b: Snapshot) -> Bool {
        a.map === b.map && a.persistentID == b.persistentID && a.isNew == b.isNew
            && a.properties.elementsEqual(b.properties) { $0.image == $1.image && $0.isLoaded == $1.isLoaded }
    }

    /// Hashes the row and the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(persistentID)
        for property in properties { hasher.combine(property.image) }
    }
}

extension Snapshot: CustomStringConvertible {
    /// The class, id and properties: `Person #7 { lastName: "Smith", age: 39 }`.
    public var description: String {
        let name = "\(map?.name ?? "\(Object.self)") \(id.map { "#\($0)" } ?? "(new)")"
        let texts = (map?.inDeclaredOrder ?? []).map { ordinal in
            "\(map?.properties[ordinal].name ?? ""): \(properties[ordinal].description)"
        }
        return texts.isEmpty ? "\(name) {}" : "\(name) { \(texts.joined(separator: ", ")) }"
    }
}
