/// The objects that were deleted in a session and are still in memory. If a deletion is undone, they represent their
/// rows again.
///
/// An id can be reused, so a row can have several objects, one after the other. The commit that deleted each object
/// determines which of them is restored.
final class DepartedObjects {
    private struct Key: Hashable {
        let row: RowKey
        /// Whether an undo deleted the object, so that a redo restores it.
        let isUndone: Bool
    }

    private struct Held {
        weak var object: PersistentObject?
        let commit: Int
    }

    /// The number of the current or last commit, to which deletions are attributed.
    private(set) var commit = 0
    private var isUndoing = false
    private var objects: [Key: [Held]] = [:]
    /// The number of entries at which entries of deallocated objects are removed.
    private var capacity = 64
    /// New objects whose ids other rows may have had before: their identities, and the commits that saved them.
    private var arrivals: [RowKey: (object: ObjectIdentifier, commit: Int)] = [:]
    private var arrivalCapacity = 64

    /// Called when a recorded transaction begins.
    func beginCommit() { commit += 1 }

    /// Runs `body`, which undoes or redoes a commit. Its deletions are attributed to that commit.
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

    /// Records an object that is about to leave the identity map.
    func record(_ object: PersistentObject, of table: String) {
        if objects.count >= capacity {
            objects = objects.filter { $0.value.contains { $0.object != nil } }
            capacity = Swift.max(64, 2 * objects.count)
        }
        let key = Key(row: RowKey(table, object.rowID), isUndone: isUndoing)
        let others = objects[key]?.filter { $0.object != nil } ?? []
        objects[key] = others + [Held(object: object, commit: commit)]
    }

    /// Removes and returns the deleted object of a row that the current undo or redo restores.
    func take(_ row: RowKey) -> PersistentObject? {
        let key = Key(row: row, isUndone: !isUndoing)
        guard var held = objects[key] else { return nil }
        // Later commits were undone before this commit, and their objects were removed.
        let fits = { (entry: Held) in
            (self.isUndoing ? entry.commit >= self.commit : entry.commit == self.commit)
                && entry.object.map { $0.lifecycle == .deleted && $0.rowID == row.id } ?? false
        }
        guard let place = held.firstIndex(where: fits) else { return nil }
        let object = held.remove(at: place).object
        objects[key] = held.isEmpty ? nil : held
        return object
    }

    /// Records new objects whose ids other rows may have had before.
    ///
    /// - Parameter oldest: The first commit that can still be undone.
    func recordArrivals(_ new: [PersistentObject], of table: String, oldest: Int) {
        if arrivals.count >= arrivalCapacity {
            arrivals = arrivals.filter { $0.value.commit >= oldest }
            arrivalCapacity = Swift.max(64, 2 * arrivals.count)
        }
        for object in new { arrivals[RowKey(table, object.rowID)] = (ObjectIdentifier(object), commit) }
    }

    /// Whether one of some commits saved a row's object as a new object.
    func hasArrived(_ object: PersistentObject, _ row: RowKey, in commits: ClosedRange<Int>) -> Bool {
        guard let arrival = arrivals[row] else { return false }
        return arrival.object == ObjectIdentifier(object) && commits.contains(arrival.commit)
    }

    /// Called when nothing can be undone any more.
    func clear() {
        objects = [:]
        arrivals = [:]
    }
}

/// Identifies a row of a store.
struct RowKey: Hashable {
    /// The folded name of the table.
    let table: String
    let id: Int64

    init(_ table: String, _ id: Int64) { self.init(folded: Naming.folded(table), id) }

    /// A row of a table whose name is folded.
    init(folded table: String, _ id: Int64) { (self.table, self.id) = (table, id) }
}
