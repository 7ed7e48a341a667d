internal import StoreEngine

/// A row of which a query has read some properties; the others are those of its object, which is read when one is asked
/// for.
///
/// ```swift
/// for person in try Person.query.only(\.lastName, \.age) { print(try person.lastName, person.id) }
/// ```
///
/// What was read stays as it was then, as `values(of:)` has it: unsaved edits
/// are not in it. Every other property is the object's, edits included; that is
/// the one that the session holds, or is read with the first such property.
/// Nothing can be set here: change the object.
@dynamicMemberLookup
public final class PartialObject<T: Persistent> {
    private let found: FoundObjects
    private let place: Int
    /// What was read, by the key paths that chose it.
    private let values: [AnyKeyPath: Any]
    /// The same, by the places of the properties, where key paths say what was not chosen.
    private let others: [Int: Any]
    private var held: T?

    init(_ found: FoundObjects, _ place: Int, _ values: [AnyKeyPath: Any] = [:], others: [Int: Any] = [:]) {
        self.found = found
        self.place = place
        self.values = values
        self.others = others
    }

    /// The id of the row.
    public var id: Int64 { found.ids[place] }

    /// A property: as the query has read it, else the object's.
    ///
    /// - Throws: What `object()` throws, for a property that was not chosen.
    public subscript<V>(dynamicMember property: KeyPath<T, V>) -> V {
        get throws {
            // In two steps: without a value the cast to an optional would make a nil.
            if let known = values[property] ?? other(property), let value = known as? V { return value }
            return try object()[keyPath: property]
        }
    }

    private func other(_ property: AnyKeyPath) -> Any? {
        guard !others.isEmpty,
            case .property(let place)? = try? KeyPathResolver.subject(
                of: property, in: ClassMap.map(of: ObjectMemory.objectClass(T.self)))
        else { return nil }
        return others[place]
    }

    /// The object: the one that the session holds, else read now and held from then on.
    ///
    /// - Throws: `StoreError`, with the code `rowGone` where the row was deleted
    ///   meanwhile, and `sessionEnded`.
    public func object() throws -> T {
        if let held, held.object.lifecycle != .deleted { return held }
        guard let object = try found.objects(place..<place + 1).first ?? nil, object.lifecycle != .deleted else {
            throw found.gone(place)
        }
        let made = ObjectMemory.cast(object, to: T.self)
        held = made
        return made
    }
}
