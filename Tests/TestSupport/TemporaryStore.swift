public import PersistentObjects
@_exported public import PersistentObjectsTesting
public import Testing

extension TemporaryStore {
    /// Runs SQL in the `sqlite3` command line tool, which knows nothing of us; the answer is its output.
    public func sqlite(_ sql: String) throws -> String { try SQLiteTool.run(path, sql) }
}

/// Opens a store in a file of its own, calls `body` with it, and checks that the file is sound afterwards.
public func withTemporaryStore<R>(
    _ configuration: Store.Configuration = .init(), sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Store, TemporaryStore) throws -> R
) throws -> R {
    let file = try TemporaryStore()
    let result = try body(try file.open(configuration: configuration), file)
    #expect(try file.sqlite("PRAGMA integrity_check") == "ok", sourceLocation: sourceLocation)
    return result
}

/// Opens a session on a store of its own and calls `body` in it.
public func withTemporarySession<R>(
    _ configuration: Store.Configuration = .init(), sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Session, TemporaryStore) throws -> R
) throws -> R {
    try withTemporaryStore(configuration, sourceLocation: sourceLocation) { store, file in
        try store.withSession { session in try body(session, file) }
    }
}
