/// The objects that were deleted in a session, as far as somebody still holds them: when a deletion is undone they stand
/// for their rows again.
final class DepartedObjects {
    private struct Key: Hashable {
        /// Folded.
        let table: String
        let id: Int64
    }

    private struct Held { weak var object: PersistentObject? }

    private var objects: [Key: Held] = [:]
    /// How many there may be before those are forgotten that nobody holds any more.
    private var capacity = 64

    /// Notes an object that is about to leave the identity map.
    func note(_ object: PersistentObject, of table: String) {
        if objects.count >= capacity {
            objects = objects.filter { $0.value.object != nil }
            capacity = Swift.max(64, 2 * objects.count)
        }
        objects[Key(table: Naming.folded(table), id: object.rowID)] = Held(object: object)
    }

    /// The deleted object of a row that is there again, which is forgotten here.
    func take(_ id: Int64, of table: String) -> PersistentObject? {
        guard let object = objects.removeValue(forKey: Key(table: Naming.folded(table), id: id))?.object else {
            return nil
        }
        return object.lifecycle == .deleted && object.rowID == id ? object : nil
    }
}
