// Snapshots for other threads and tasks.
extension Persistent {
    /// Returns the object's current values, as a value for other threads and tasks; see `Snapshot`.
    ///
    /// Lazy properties and inverses that are not loaded yet are loaded, as if they were accessed; values that cannot be
    /// loaded are left out. If `loading` is false, no SQL runs, and values that are not in memory are left out;
    /// `isLoaded(_:)` returns whether a value is present.
    public func snapshot(
        loading: Bool = true, isolation: isolated (any Actor)? = #isolation
    ) -> Snapshot<Self> { ObjectState(object).snapshot(Self.self, loading: loading) }
}

extension BackgroundSession {
    /// Merges a snapshot's changes into this session's object. See `Session.merge(_:)`.
    @discardableResult
    public func merge<T: Persistent>(_ snapshot: Snapshot<T>) throws -> T { try box.session.merge(snapshot) }

    /// Merges a snapshot's changes, preferring one side. See `Session.merge(_:preferring:)`.
    @discardableResult
    public func merge<T: Persistent>(
        _ snapshot: Snapshot<T>, preferring preference: MergePreference
    ) throws -> Merge<T> { try box.session.merge(snapshot, preferring: preference) }
}
