extension Query {
    /// The same query, whose objects are for reading only: code that shows or exports a lot, and changes nothing, takes
    /// less time and memory.
    ///
    /// ```swift
    /// let rows = try Person.query.untracked().all()
    /// ```
    ///
    /// Each call makes objects of its own, beside those that the session has;
    /// nothing looks for changes in them or brings them up to date. References
    /// and collections that are loaded with an object are loaded, with
    /// untracked objects; within one call a row is one object. A lazy property
    /// or an inverse is loaded if `including` names it; otherwise it reads as
    /// its initial value, and `$photo.load()` throws.
    ///
    /// They have their `id`, and refuse `save()`, `delete()` and `reload()`, as
    /// do objects that refer to them. They outlive their session.
    public func untracked() -> Query { changed { $0.isUntracked = true } }
}
