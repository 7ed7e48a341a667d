internal import Foundation
public import PersistentObjects
@_exported public import PersistentObjectsTesting
public import Testing

extension TemporaryStore {
    /// Runs SQL in the engine's own command line tool, `sqlite3` or `psql`, which knows nothing of us; the answer is its
    /// output, in the form of `sqlite3`.
    public func sqlite(_ sql: String) throws -> String {
        TestEngine.isPostgres ? try PostgresTool.run(path, sql) : try SQLiteTool.run(path, sql)
    }

    /// Runs SQL in the same tool that leaves broken references behind.
    public func sqliteWithoutForeignKeys(_ sql: String) throws -> String {
        TestEngine.isPostgres
            ? try PostgresTool.run(path, sql, foreignKeys: false)
            : try SQLiteTool.run(path, "PRAGMA foreign_keys = OFF; \(sql)")
    }

    /// Whether nothing in the file is damaged, as far as `sqlite3` sees; a server's files are no test's business.
    public var isSound: Bool {
        get throws { try TestEngine.isPostgres || sqlite("PRAGMA integrity_check") == "ok" }
    }
}

/// Opens a store in a file of its own, calls `body` with it, and checks that the file is sound afterwards, and that the
/// store, once it is closed, has no file open any more.
public func withTemporaryStore<R>(
    _ configuration: Store.Configuration = .init(), sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Store, TemporaryStore) throws -> R
) throws -> R {
    let file = try TemporaryStore()
    let store = try file.open(configuration: configuration)
    let result = try body(store, file)
    store.close()
    #expect(filesLeftOpen(in: file.folder) == [], "files are left open", sourceLocation: sourceLocation)
    #expect(try file.isSound, sourceLocation: sourceLocation)
    return result
}

/// The files of a folder that stay open; a thread that a test has started may hold its session until it has ended.
private func filesLeftOpen(in folder: URL) -> [String] {
    var files = openFiles(in: folder) ?? []
    for _ in 0..<3000 where !files.isEmpty {
        // Nothing tells when another thread has ended and its files are closed: the system is asked, at most 30 seconds,
        // for a machine may have much else to do.
        Thread.sleep(forTimeInterval: 0.01)
        files = openFiles(in: folder) ?? []
    }
    return files
}

/// Opens a session on a store of its own, calls `body` in it, and checks that nothing is left behind: no statement that
/// is not finished, and no transaction.
public func withTemporarySession<R>(
    _ configuration: Store.Configuration = .init(), sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Session, TemporaryStore) throws -> R
) throws -> R {
    try withTemporaryStore(configuration, sourceLocation: sourceLocation) { store, file in
        try store.withSession { session in
            let result = try body(session, file)
            #expect(session.busyStatementCount == 0, "statements are not finished", sourceLocation: sourceLocation)
            #expect(!session.isInFileTransaction, "a transaction is open", sourceLocation: sourceLocation)
            return result
        }
    }
}
