// Queries of classes with soft deletes.
extension Query {
    /// Restores the soft-deleted objects that the query finds and returns their number.
    ///
    /// ```swift
    /// try Note.onlyDeleted.where { $0.deletedAt > yesterday }.restore()
    /// ```
    ///
    /// It also restores the objects that the same deletions cascaded to. The result counts only objects that the query
    /// found and that were deleted.
    ///
    /// - Throws: `StoreError`, with the code `misuse` if the class does not use soft deletes.
    @discardableResult
    public func restore(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try QueryCall(definition).run { query in try Delete(query.session).restore(query.space) { try query.ids() } }
    }

    /// Deletes the rows of the objects that the query finds, even in a class with `softDeletes`.
    ///
    /// ```swift
    /// try Note.onlyDeleted.where { $0.deletedAt < lastYear }.deleteForever()
    /// ```
    ///
    /// - Returns: The number of objects that the query found.
    /// - Throws: The errors of `delete()`; nothing is deleted then.
    @discardableResult
    public func deleteForever(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try QueryCall(definition).run { try $0.delete(forever: true) }
    }
}
