extension Query {
    /// Returns the same query, whose objects are read-only and untracked.
    ///
    /// ```swift
    /// let rows = try Person.query.untracked().all()
    /// ```
    ///
    /// Code that shows or exports many objects and changes none of them takes less time and memory this way. Each call
    /// creates separate objects, independent of the session's objects; they are neither checked for changes nor
    /// refreshed. References and collections that are loaded with an object are loaded as untracked objects; within one
    /// call, each row has one object. A lazy property or an inverse is loaded if `including` names it; otherwise it
    /// reads as its initial value, and `$photo.load()` throws.
    ///
    /// Untracked objects have their `id`, and refuse `save()`, `delete()` and `reload()`; so do objects that refer to
    /// them. They may outlive their session.
    public func untracked() -> Query { changed { $0.isUntracked = true } }
}
