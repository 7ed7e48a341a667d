// Values for other threads.
extension Persistent {
    /// The values of the object now, as a value that goes to other threads and tasks; see `Snapshot`.
    ///
    /// Lazy properties and inverses that are not loaded yet are loaded, as if
    /// they were looked at; what cannot be loaded is left out. With `loading`
    /// false no SQL is run, and whatever is not in memory is left out
    /// (`isLoaded(_:)` tells).
    public func snapshot(
        loading: Bool = true, isolation: isolated (any Actor)? = #isolation
    ) -> Snapshot<Self> { ObjectState(object).snapshot(Self.self, loading: loading) }
}

extension BackgroundSession {
    /// Brings a snapshot's changes into the object of this session. See `Session.merge(_:)`.
    @discardableResult
    public func merge<T: Persistent>(_ snapshot: Snapshot<T>) throws -> T { try box.session.merge(snapshot) }

    /// The same with a choice of whose value counts. See `Session.merge(_:preferring:)`.
    @discardableResult
    public func merge<T: Persistent>(
        _ snapshot: Snapshot<T>, preferring preference: MergePreference
    ) throws -> Merge<T> { try box.session.merge(snapshot, preferring: preference) }
}
