// The objects that only weak references refer to.
extension Session {
    /// Lets go of them. Their `deinit` may be the user's and fetch something, which comes here again: they end when the
    /// property is free.
    func dropHeldTargets() { _ = exchange(&heldTargets, with: []) }
}
