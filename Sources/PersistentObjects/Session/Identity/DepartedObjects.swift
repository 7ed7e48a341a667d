/// The objects that were deleted in a session, as far as they are still in memory: when a deletion is undone they stand
/// for their rows again.
///
/// An id can be used again, so that a row has several objects, one after the other. Which of them comes back is told by
/// the commit that each was deleted by.
final class DepartedObjects {
    private struct Key: Hashable {
        let row: RowKey
        /// Whether an undo has deleted the object, so that a redo brings it back.
        let isUndone: Bool
    }

    private struct Held {
        weak var object: PersistentObject?
        let commit: Int
    }

    /// The commit that is under way or was made last: what is deleted now was deleted by it.
    private(set) var commit = 0
    private var isUndoing = false
    private var objects: [Key: [Held]] = [:]
    /// How many there may be before those are forgotten that are not in memory any more.
    private var capacity = 64
    /// New objects with ids that other rows may have had before: their identities, and the commits that saved them.
    private var arrivals: [RowKey: (object: ObjectIdentifier, commit: Int)] = [:]
    private var arrivalCapacity = 64

    /// A transaction begins that is recorded.
    func beginCommit() { commit += 1 }

    /// Runs `body`, which takes back a commit or does it again: what it deletes was deleted by that commit.
    func moving<R>(_ first: Int, isUndoing: Bool, _ body: () throws -> R) rethrows -> R {
        let last = commit
        commit = first
        self.isUndoing = isUndoing
        defer {
            commit = last
            self.isUndoing = false
        }
        return try body()
    }

    /// Notes an object that is about to leave the identity map.
    func note(_ object: PersistentObject, of table: String) {
        if objects.count >= capacity {
            objects = objects.filter { $0.value.contains { $0.object != nil } }
            capacity = Swift.max(64, 2 * objects.count)
        }
        let key = Key(row: RowKey(table, object.rowID), isUndone: isUndoing)
        let others = objects[key]?.filter { $0.object != nil } ?? []
        objects[key] = others + [Held(object: object, commit: commit)]
    }

    /// The deleted object of a row that the move under way restores, which is forgotten here.
    func take(_ row: RowKey) -> PersistentObject? {
        let key = Key(row: row, isUndone: !isUndoing)
        guard var held = objects[key] else { return nil }
        // Later commits were undone before this one, and have taken theirs.
        let fits = { (entry: Held) in
            (self.isUndoing ? entry.commit >= self.commit : entry.commit == self.commit)
                && entry.object.map { $0.lifecycle == .deleted && $0.rowID == row.id } ?? false
        }
        guard let place = held.firstIndex(where: fits) else { return nil }
        let object = held.remove(at: place).object
        objects[key] = held.isEmpty ? nil : held
        return object
    }

    /// Notes new objects whose ids other rows may have had before.
    ///
    /// - Parameter oldest: The first commit that can still be undone.
    func recordArrivals(_ new: [PersistentObject], of table: String, oldest: Int) {
        if arrivals.count >= arrivalCapacity {
            arrivals = arrivals.filter { $0.value.commit >= oldest }
            arrivalCapacity = Swift.max(64, 2 * arrivals.count)
        }
        for object in new { arrivals[RowKey(table, object.rowID)] = (ObjectIdentifier(object), commit) }
    }

    /// Whether a row's object was saved as a new one by some commits.
    func hasArrived(_ object: PersistentObject, _ row: RowKey, in commits: ClosedRange<Int>) -> Bool {
        guard let arrival = arrivals[row] else { return false }
        return arrival.object == ObjectIdentifier(object) && commits.contains(arrival.commit)
    }

    /// Nothing can be undone any more.
    func clear() {
        objects = [:]
        arrivals = [:]
    }
}

/// Names a row of a store.
struct RowKey: Hashable {
    /// Folded.
    let table: String
    let id: Int64

    init(_ table: String, _ id: Int64) {
        self.table = Naming.folded(table)
        self.id = id
    }
}
