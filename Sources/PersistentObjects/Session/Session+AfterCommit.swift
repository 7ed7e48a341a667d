extension Session {
    /// Calls `body` after the current transaction commits, or immediately if there is no transaction.
    ///
    /// The transaction is the outermost transaction, or the save whose hook makes this call. If it fails or is rolled
    /// back, `body` is not called. The `did…` methods are called before `body`.
    ///
    /// ```swift
    /// try session.transaction {
    ///     try order.save()
    ///     session.afterCommit { mailer.send(order.number) }
    /// }
    /// ```
    public func afterCommit(_ body: @escaping () -> Void) {
        news.afterCommit(isSaving: writing.isSaving, body)
    }
}
