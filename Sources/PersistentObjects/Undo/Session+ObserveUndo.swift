public import Observation

/// Makes `recordsUndo`, `canUndo`, `canRedo`, `undoName` and `redoName` observable.
extension Session: Observable {
    /// The undo state, for a property that observers may read.
    func undoState<Value>(_ path: KeyPath<Session, Value>) -> UndoState {
        let state = UndoState(writing.undoHistory)
        let observers = writing.undoObservers ?? UndoObservers(state) { [unowned self] in announce($0, $1, $2) }
        writing.undoObservers = observers
        observers.registrar.access(self, keyPath: path)
        return state
    }

    /// Notifies observers of a changed undo state when the current call has ended.
    func undoDidChange() {
        guard writing.undoObservers != nil else { return }
        gatheringChanges { news.recordUndoChange() }
    }

    private func announce(_ registrar: ObservationRegistrar, _ old: UndoState, _ new: UndoState) {
        func notify<Part: Equatable, Value>(_ part: (UndoState) -> Part, _ path: KeyPath<Session, Value>) {
            if part(old) != part(new) { registrar.withMutation(of: self, keyPath: path) {} }
        }
        notify(\.isRecording, \.recordsUndo)
        notify({ $0.next != nil }, \.canUndo)
        notify({ $0.last != nil }, \.canRedo)
        notify(\.next?.name, \.undoName)
        notify(\.last?.name, \.redoName)
    }
}
