extension Session {
    /// Calls `body` when what is under way is committed: the outermost transaction, or the save whose hook asks for it;
    /// at once where nothing is.
    ///
    /// If that fails, or is rolled back, it is not called. The `did…` methods
    /// come before it.
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
