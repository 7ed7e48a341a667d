/// A session's knowledge of the rows that its transaction writes, in addition to SQLite's reports.
struct EventDetails {
    /// The class of a row's object, if it is known, and the changed properties.
    struct Detail {
        let map: ClassMap?
        let properties: [String]
    }

    struct Row: Hashable {
        /// The place of the table in the log.
        let table: Int
        let id: Int64
    }

    private(set) var details: [Detail] = []
    private var places: [Change: Int] = [:]
    private var namedIndices: [[String]: Int] = [:]
    /// The classes of deleted rows, in tables with several classes.
    var classes: [Row: ClassMap] = [:]

    private struct Change: Hashable {
        let map: ObjectIdentifier
        let changed: ColumnSet
        let isExact: Bool
    }

    /// The number of a note of changes. `isExact` specifies that the rows have this class, not a subclass.
    mutating func record(_ map: ClassMap, _ changed: ColumnSet, isExact: Bool) -> Int {
        let change = Change(map: ObjectIdentifier(map), changed: changed, isExact: isExact)
        if let place = places[change] { return place }
        let names = map.inDeclaredOrder.filter { changed.contains($0) }.map { map.properties[$0].name }
        details.append(Detail(map: isExact ? map : nil, properties: names))
        places[change] = details.count - 1
        return details.count - 1
    }

    /// The number of a note of changed properties, if the class in the table is unknown.
    mutating func record(naming properties: [String]) -> Int {
        if let place = namedIndices[properties] { return place }
        details.append(Detail(map: nil, properties: properties))
        namedIndices[properties] = details.count - 1
        return details.count - 1
    }
}
