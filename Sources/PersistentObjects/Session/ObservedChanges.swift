/// What the library has changed in objects that somebody observes, until they are told: when the outermost call of the
/// session has ended. Who is told may do anything, and finds objects and file as they are to be.
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
    mutating func noteUndo() { hasUndoChanged = true }

    mutating func add(_ place: Int, of object: PersistentObject, _ map: ClassMap) {
        if let index = indices[ObjectIdentifier(object)] { return all[index].places.insert(place) }
        indices[ObjectIdentifier(object)] = all.count
        all.append(Change(object: object, map: map, places: ColumnSet([place])))
    }

    /// Tells the observers: of each property that has changed, once.
    ///
    /// - Parameter session: The session whose changes they are; nil for those of an object without one.
    func tell(in session: Session?) {
        if hasUndoChanged, let session { session.undoObservers?.tell(UndoState(session.undoHistory)) }
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

    /// Tells of one property that was set outside of any call.
    static func tell(_ place: Int, of object: PersistentObject, _ map: ClassMap) {
        guard map.observed?.isObserved(object) ?? false else { return }
        var changes = ObservedChanges()
        changes.add(place, of: object, map)
        changes.tell(in: nil)
    }
}

extension Session {
    /// The library has given a property of an object another value: whoever observes it is told when the call under way
    /// has ended. `BaselineLayout.didChange` does this for objects that have a row.
    @inline(__always)
    func didChange(_ place: Int, of object: PersistentObject, _ map: ClassMap) {
        if map.observed != nil { noteChange(place, of: object, map) }
    }

    @inline(never)
    private func noteChange(_ place: Int, of object: PersistentObject, _ map: ClassMap) {
        guard map.observed?.isObserved(object) ?? false else { return noteUnknownRegistrars() }
        observedChanges.add(place, of: object, map)
    }

    /// Says once that observers are told of nothing on this system.
    private func noteUnknownRegistrars() {
        #if DEBUG
            guard !ObservationCheck.isPassed, notices.note("registrars") else { return }
            store.configuration.onNote(
                "This system has an unknown version of the Observation library. Observers of @Observable objects "
                    + "are notified of values that you set, but not of values that are reloaded or reverted")
        #endif
    }
}
