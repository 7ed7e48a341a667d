internal import StoreEngine

// A transaction is one store's: two files cannot be committed together while they have write-ahead logs.
extension Session {
    /// Throws where a transaction of another store is under way around this call: it could be rolled back, or not be
    /// committed after a crash, and what is written here would stay.
    func checkOnlyStoreInTransaction() throws {
        // Another store of the same file would wait for itself, which it is told when it asks for its turn.
        guard let other = CurrentSession.transaction(notIn: store), other.store.writers !== store.writers
        else { return }
        throw StoreError(
            .misuse,
            "This call is in a transaction of the store \(other.store.shownName), and a transaction cannot "
                + "include two stores. The store \(store.shownName) would keep the changes even if the "
                + "transaction is rolled back. Write before it, in afterCommit { }, or in Store.independently { }")
    }
}

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
    fileprivate var shownName: String {
        switch location {
        case .file(let path): path
        case .memory: "in memory"
        case .server: "on a server"
        }
    }
}
