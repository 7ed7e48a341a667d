internal import StoreEngine

extension Store {
    /// Calls `body`, which may write stores other than the enclosing transaction's store.
    ///
    /// These writes are committed at once, regardless of the outcome of the transaction. Without this call they are
    /// refused, because two files cannot be committed together: a crash could happen in between. Use it for data that
    /// must be kept even if the transaction is rolled back, such as a log in a separate file.
    ///
    /// ```swift
    /// try session.transaction {
    ///     try Store.independently { try LogLine("import begins").save() }     // LogLine.store is another store
    ///     try book.save()
    /// }
    /// ```
    public static func independently<R>(_ body: () throws -> R) rethrows -> R {
        try CurrentSession.independently(body)
    }
}

extension Store {
    /// The name in messages. A server's address is not shown, because it may contain a password.
    var shownName: String {
        switch location {
        case .file(let path): path
        case .memory: "in memory"
        case .server: "on a server"
        }
    }
}
