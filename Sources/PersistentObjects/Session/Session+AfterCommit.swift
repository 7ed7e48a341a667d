extension Session {
    /// Calls `body` after the current transaction commits, or at once if there is none.
    ///
    /// The transaction is the outermost one, or the save whose hook makes this call. If it fails or is rolled back,
    /// `body` is not called. The `did…` methods are called before it.
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
