/// The objects of a live query with one key, such as a country or a first letter.
///
/// ```swift
/// for section in live.sections(by: \.country) { print(section.key, section.count) }
/// ```
public struct LiveSection<Key: Hashable, T: Persistent>: RandomAccessCollection, Identifiable {
    /// The common key of the objects.
    public let key: Key
    /// The objects, in the query's order.
    public fileprivate(set) var objects: [T]

    /// The key, which is unique among the sections.
    public var id: Key { key }
    /// The position of the first object.
    public var startIndex: Int { objects.startIndex }
    /// The position after the last object.
    public var endIndex: Int { objects.endIndex }
    /// The object at a position.
    public subscript(place: Int) -> T { objects[place] }
}

extension LiveQuery {
    /// Returns the results in sections, ordered by the first object of each section.
    ///
    /// ```swift
    /// let live = LiveQuery(Person.query.order(by: \.country).order(by: \.lastName))
    /// for section in live.sections(by: \.country) { print(section.key, section.map(\.lastName)) }
    /// for section in live.sections(by: { $0.lastName.prefix(1) }) { print(section.key, section.count) }
    /// ```
    ///
    /// Each key has one section, wherever its objects are in the query's order.
    ///
    /// - Complexity: Iterates over `results` each time; no SQL.
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
