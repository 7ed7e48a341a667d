internal import StoreEngine

/// The elements of one collection of one object at some time, as the rows of its table hold them.
struct PastElements: Equatable {
    /// What became of one element.
    struct Change {
        let change: HistoryElement.Change
        /// The position in an array, the key of a dictionary, the value in a set.
        let place: DatabaseValue
        let old: DatabaseValue?
        let new: DatabaseValue?
    }

    /// The values by their places.
    private(set) var values: [DatabaseValue: DatabaseValue] = [:]

    /// In the order of an array's positions.
    var rows: [(place: DatabaseValue, value: DatabaseValue)] {
        values.map { (place: $0.key, value: $0.value) }.sortedUnspecialized { $0.place.precedes($1.place) }
    }

    /// Takes back a change, all that came later being taken back; false where the elements are not what it made of them.
    mutating func takeBack(_ change: Change) -> Bool {
        let isThere = values[change.place] != nil
        values[change.place] = change.change == .added ? nil : change.old ?? .null
        return isThere == (change.change != .removed)
    }

    /// The changes that turn earlier elements into these.
    func changes(since before: PastElements) -> [Change] {
        var changes: [Change] = []
        for (place, value) in before.rows where values[place] == nil {
            changes.append(Change(change: .removed, place: place, old: value, new: nil))
        }
        for (place, value) in rows where before.values[place] != value {
            let old = before.values[place]
            changes.append(Change(change: old == nil ? .added : .changed, place: place, old: old, new: value))
        }
        return changes
    }

    /// Those of some owners; owners without any are not in it.
    static func read(
        _ collection: ElementTriggers, _ owners: Set<Int64>, _ connection: any Connection
    ) throws -> [Int64: PastElements] {
        var elements: [Int64: PastElements] = [:]
        try connection.forEachRow(collection.elements, owners) { owner, row in
            elements[owner, default: PastElements()].values[row[0]] = row[1]
        }
        return elements
    }
}
