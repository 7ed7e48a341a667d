/// A session's knowledge of the rows that its transaction writes, in addition to SQLite's reports.
struct EventNotes {
    /// The class of a row's object, if it is known, and the changed properties.
    struct Note {
        let map: ClassMap?
        let properties: [String]
    }

    struct Row: Hashable {
        /// The place of the table in the log.
        let table: Int
        let id: Int64
    }

    private(set) var notes: [Note] = []
    private var places: [Change: Int] = [:]
    private var namedPlaces: [[String]: Int] = [:]
    /// The classes of deleted rows, in tables with several classes.
    var classes: [Row: ClassMap] = [:]

    private struct Change: Hashable {
        let map: ObjectIdentifier
        let changed: ColumnSet
        let isExact: Bool
    }

    /// The number of a note of changes. `isExact` specifies that the rows have this class, not a subclass.
    mutating func note(_ map: ClassMap, _ changed: ColumnSet, isExact: Bool) -> Int {
        let change = Change(map: ObjectIdentifier(map), changed: changed, isExact: isExact)
        if let place = places[change] { return place }
        let names = map.inDeclaredOrder.filter { changed.contains($0) }.map { map.properties[$0].name }
        notes.append(Note(map: isExact ? map : nil, properties: names))
        places[change] = notes.count - 1
        return notes.count - 1
    }

    /// The number of a note of changed properties, if the class in the table is unknown.
    mutating func note(naming properties: [String]) -> Int {
        if let place = namedPlaces[properties] { return place }
        notes.append(Note(map: nil, properties: properties))
        namedPlaces[properties] = notes.count - 1
        return notes.count - 1
    }
}
