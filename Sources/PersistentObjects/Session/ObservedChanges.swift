/// What the library has changed in observed objects, until observers are notified: when the outermost call of the
/// session has ended. An observer may do anything, and finds objects and file as they are to be.
struct ObservedChanges {
    private struct Change {
        let object: PersistentObject
        let map: ClassMap
        var places: ColumnSet
    }

    private var all: [Change] = []
    private var indices: [ObjectIdentifier: Int] = [:]

    private var hasUndoChanged = false

    var isEmpty: Bool { all.isEmpty && !hasUndoChanged }

    /// What the session can undo has changed.
    mutating func addUndo() { hasUndoChanged = true }

    mutating func add(_ place: Int, of object: PersistentObject, _ map: ClassMap) {
        if let index = indices[ObjectIdentifier(object)] { return all[index].places.insert(place) }
        indices[ObjectIdentifier(object)] = all.count
        all.append(Change(object: object, map: map, places: ColumnSet([place])))
    }

    /// Notifies the observers: of each property that has changed, once.
    ///
    /// - Parameter session: The session whose changes they are; nil for those of an object without one.
    func report(in session: Session?) {
        if hasUndoChanged, let session { session.writing.undoObservers?.tell(UndoState(session.writing.undoHistory)) }
        for change in all {
            guard let observed = change.map.observed else { continue }
            observed.tell(change.object) { path in
                if let place = observed.link(of: path) { return change.places.contains(place) }
                switch KeyPathResolver.observed(path, in: change.map) {
                case .property(let place): return change.places.contains(place)
                case .notStored: return false
                case .embedded(let index):
                    return change.map.embedded[index].places.contains { change.places.contains($0) }
                // Whatever it is made of may be among what has changed.
                case .other: return true
                }
            }
        }
    }

    /// Reports one property that was set outside any call.
    static func report(_ place: Int, of object: PersistentObject, _ map: ClassMap) {
        guard map.observed?.isObserved(object) ?? false else { return }
        var changes = ObservedChanges()
        changes.add(place, of: object, map)
        changes.report(in: nil)
    }
}
