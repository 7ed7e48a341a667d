/// The library's changes to observed objects. Observers are notified when the outermost call of the session has ended,
/// because an observer may make any call and must find objects and file in their final state.
struct ObservedChanges {
    private struct Change {
        let object: PersistentObject
        let map: ClassMap
        var ordinals: ColumnSet
    }

    private var all: [Change] = []
    private var indices: [ObjectIdentifier: Int] = [:]

    private var hasUndoChanged = false

    var isEmpty: Bool { all.isEmpty && !hasUndoChanged }

    /// Records that the undo state changed.
    mutating func addUndo() { hasUndoChanged = true }

    mutating func add(_ ordinal: Int, of object: PersistentObject, _ map: ClassMap) {
        if let index = indices[ObjectIdentifier(object)] { return all[index].ordinals.insert(ordinal) }
        indices[ObjectIdentifier(object)] = all.count
        all.append(Change(object: object, map: map, ordinals: ColumnSet([ordinal])))
    }

    /// Notifies the observers once of each property that has changed.
    ///
    /// - Parameter session: The session of the changes; nil for an object without a session.
    func report(in session: Session?) {
        if hasUndoChanged, let session { session.writing.undoObservers?.notify(UndoState(session.writing.undoHistory)) }
        for change in all {
            guard let observed = change.map.observed else { continue }
            observed.notify(change.object) { path in
                if let ordinal = observed.link(of: path) { return change.ordinals.contains(ordinal) }
                switch KeyPathResolver.observed(path, in: change.map) {
                case .property(let ordinal): return change.ordinals.contains(ordinal)
                case .notStored: return false
                case .embedded(let index):
                    return change.map.embedded[index].ordinals.contains { change.ordinals.contains($0) }
                // A computed property may depend on any of the changed properties.
                case .other: return true
                }
            }
        }
    }

    /// Reports one property that was set outside any call.
    static func report(_ ordinal: Int, of object: PersistentObject, _ map: ClassMap) {
        guard map.observed?.isObserved(object) ?? false else { return }
        var changes = ObservedChanges()
        changes.add(ordinal, of: object, map)
        changes.report(in: nil)
    }
}
