internal import StoreEngine

extension Store {
    /// Calls `body`, in which other stores than that of the transaction around it can be written: at once, whatever
    /// becomes of the transaction.
    ///
    /// Without it that is refused, since two files cannot be committed
    /// together: a crash could come between them. It is for what is to stay even
    /// if the transaction is rolled back, such as a log in a file of its own.
    ///
    /// ```swift
    /// try session.transaction {
    ///     try Store.independently { try LogLine("import begins").save() }     // LogLine.store is another one
    ///     try book.save()
    /// }
    /// ```
    public static func independently<R>(_ body: () throws -> R) rethrows -> R {
        try CurrentSession.independently(body)
    }
}

extension Store {
    /// What messages call it: no address of a server, which may have a password in it.
    var shownName: String {
        switch location {
        case .file(let path): path
        case .memory: "in memory"
        case .server: "on a server"
        }
    }
}
