/// The objects of a live query that have one key, such as a country or a first letter.
///
/// ```swift
/// for section in live.sections(by: \.country) { print(section.key, section.count) }
/// ```
public struct LiveSection<Key: Hashable, T: Persistent>: RandomAccessCollection, Identifiable {
    /// What the objects have in common.
    public let key: Key
    /// The objects, in the query's order.
    public fileprivate(set) var objects: [T]

    /// The key, which no other section has.
    public var id: Key { key }
    /// The place of the first object.
    public var startIndex: Int { objects.startIndex }
    /// The place after the last object.
    public var endIndex: Int { objects.endIndex }
    /// The object at a place.
    public subscript(place: Int) -> T { objects[place] }
}

extension LiveQuery {
    /// What the query finds, in sections: in the order in which the first object of each comes.
    ///
    /// ```swift
    /// let live = LiveQuery(Person.query.order(by: \.country).order(by: \.lastName))
    /// for section in live.sections(by: \.country) { print(section.key, section.map(\.lastName)) }
    /// for section in live.sections(by: { $0.lastName.prefix(1) }) { print(section.key, section.count) }
    /// ```
    ///
    /// Each key has one section, wherever its objects are in the query's order.
    ///
    /// - Complexity: goes through `results` each time; no SQL.
    public func sections<Key: Hashable>(by key: (T) throws -> Key) rethrows -> [LiveSection<Key, T>] {
        var sections: [LiveSection<Key, T>] = []
        var places: [Key: Int] = [:]
        for object in results {
            let key = try key(object)
            if let place = places[key] {
                sections[place].objects.append(object)
            } else {
                places[key] = sections.count
                sections.append(LiveSection(key: key, objects: [object]))
            }
        }
        return sections
    }
}
