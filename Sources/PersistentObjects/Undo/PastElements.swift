internal import StoreEngine

/// The elements of one collection of one object at some time, in their stored form.
struct PastElements: Equatable {
    /// The change of one element.
    struct Change {
        let change: HistoryElement.Change
        /// The position in an array, the key of a dictionary, or the value in a set.
        let place: DatabaseValue
        let old: DatabaseValue?
        let new: DatabaseValue?
    }

    /// The elements' values by their places.
    private(set) var values: [DatabaseValue: DatabaseValue] = [:]

    /// The elements, sorted by place: the order of an array's positions.
    var rows: [(place: DatabaseValue, value: DatabaseValue)] {
        values.map { (place: $0.key, value: $0.value) }.sortedUnspecialized { $0.place.precedes($1.place) }
    }

    /// Undoes a change, after all later changes are undone; returns false if the elements are not the result of the
    /// change.
    mutating func revert(_ change: Change) -> Bool {
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

    /// The elements of some owners. Owners without elements are left out.
    static func read(
        _ collection: ElementTriggers, _ owners: Set<Int64>, _ connection: any Connection
    ) throws -> [Int64: PastElements] {
        var elements: [Int64: PastElements] = [:]
        try connection.forEachRow(collection.elements(connection.dialect), owners) { owner, row in
            elements[owner, default: PastElements()].values[row[0]] = row[1]
        }
        return elements
    }
}
