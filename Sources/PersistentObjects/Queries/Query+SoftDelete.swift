// Queries about classes that delete softly.
extension Query {
    /// Takes back the soft deletions of the objects that the query finds, and of what the same deletions took along; the
    /// answer is how many of those that it found were deleted.
    ///
    /// ```swift
    /// try Note.onlyDeleted.where { $0.deletedAt > yesterday }.restore()
    /// ```
    ///
    /// - Throws: `StoreError`, with the code `misuse` if the class does not delete softly.
    @discardableResult
    public func restore(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try QueryCall(definition).ask { ask in try Delete(ask.session).restore(ask.space) { try ask.ids() } }
    }

    /// Deletes the rows of the objects that the query finds, in a class with `softDeletes` too; the answer is how many
    /// they are.
    ///
    /// ```swift
    /// try Note.onlyDeleted.where { $0.deletedAt < lastYear }.deleteForever()
    /// ```
    ///
    /// - Throws: what `delete()` throws; nothing is deleted then.
    @discardableResult
    public func deleteForever(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try QueryCall(definition).ask { try $0.delete(forever: true) }
    }
}
