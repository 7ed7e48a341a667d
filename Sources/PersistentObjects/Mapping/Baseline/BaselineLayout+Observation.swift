// Observed objects of `Observable` classes.
extension BaselineLayout {
    /// Called after the library changed a property of the object at `object`, so that observers are notified when the
    /// current call ends. An object without a session collects no changes; code that writes to new objects reports the
    /// changes to the session.
    @inline(__always)
    func didChange(_ ordinal: Int, of object: Address) {
        if isObserved { reportChange(ordinal, of: object) }
    }

    @inline(never)
    private func reportChange(_ ordinal: Int, of start: Address) {
        guard let object = start.retained().map({ ObjectMemory.takeRetained($0) }) else { return }
        object.keeper?.didChange(ordinal, of: object)
    }
}
