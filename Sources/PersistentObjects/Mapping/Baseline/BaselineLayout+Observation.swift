// Objects whose class is `Observable` may be observed.
extension BaselineLayout {
    /// A property of the object at `object` has another value by the library: observers are told of it when the call
    /// under way has ended. Objects without a session have nobody to gather that; who writes to new ones says it to the
    /// session.
    @inline(__always)
    func didChange(_ place: Int, of object: Address) {
        if isObserved { noteChange(place, of: object) }
    }

    @inline(never)
    private func noteChange(_ place: Int, of start: Address) {
        guard let object = start.retained().map({ ObjectMemory.takeRetained($0) }) else { return }
        object.keeper?.didChange(place, of: object)
    }
}
