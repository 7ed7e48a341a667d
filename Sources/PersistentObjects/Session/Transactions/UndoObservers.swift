internal import Observation

/// What a session can undo and redo, as observers know it.
struct UndoState: Equatable {
    private(set) var isRecording = false
    private(set) var next: UndoHistory.Level.Name?
    private(set) var last: UndoHistory.Level.Name?

    init(_ history: UndoHistory?) {
        guard let history else { return }
        isRecording = true
        next = history.next(.backward)?.label
        last = history.next(.forward)?.label
    }
}

/// Observers of a session's undo and redo state.
final class UndoObservers {
    let registrar = ObservationRegistrar()
    /// What they were told last.
    private var told: UndoState
    private let announce: (ObservationRegistrar, _ old: UndoState, _ new: UndoState) -> Void

    /// - Parameter announce: Tells the observers of what differs.
    init(
        _ state: UndoState, announce: @escaping (ObservationRegistrar, _ old: UndoState, _ new: UndoState) -> Void
    ) {
        told = state
        self.announce = announce
    }

    /// Tells the observers what is different from what they were told last.
    func tell(_ state: UndoState) {
        let old = told
        told = state
        if old != state { announce(registrar, old, state) }
    }
}
