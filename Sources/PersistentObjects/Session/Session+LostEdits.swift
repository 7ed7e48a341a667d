internal import StoreEngine

extension Session {
    /// The session ends: what waits to be saved will not be.
    func reportLostEdits() {
        for edit in pendingEdits.close() { store.lostEdits.report(LostEdits(edit)) }
        for object in added where object.lifecycle == .new { store.lostEdits.noteUnsaved("\(type(of: object))") }
        added = []
    }
}

extension LostEdits {
    init(_ edit: PendingEdit) { self.init(className: edit.map.name, id: edit.rowID, changes: edit.changes) }
}
