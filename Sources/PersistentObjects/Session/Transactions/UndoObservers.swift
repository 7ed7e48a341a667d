internal import Observation

/// A session's undo and redo state, as observers see it.
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
    /// The state of which they were last notified.
    private var reported: UndoState
    private let announce: (ObservationRegistrar, _ old: UndoState, _ new: UndoState) -> Void

    /// - Parameter announce: Notifies the observers of the differences.
    init(
        _ state: UndoState, announce: @escaping (ObservationRegistrar, _ old: UndoState, _ new: UndoState) -> Void
    ) {
        reported = state
        self.announce = announce
    }

    /// Notifies the observers of the differences from the last state.
    func notify(_ state: UndoState) {
        let old = reported
        reported = state
        if old != state { announce(registrar, old, state) }
    }
}
