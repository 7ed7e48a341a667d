internal import Foundation
public import PersistentObjects
@_exported public import PersistentObjectsTesting
public import Testing

extension TemporaryStore {
    /// Runs SQL in the engine's command line tool, `sqlite3` or `psql`, which shares no code with the library.
    ///
    /// Returns the output in the format of `sqlite3`.
    public func sqlite(_ sql: String) throws -> String {
        TestEngine.isPostgres ? try PostgresTool.run(path, sql) : try SQLiteTool.run(path, sql)
    }

    /// Runs SQL in the same tool without foreign keys, so that it can leave dangling references.
    public func sqliteWithoutForeignKeys(_ sql: String) throws -> String {
        TestEngine.isPostgres
            ? try PostgresTool.run(path, sql, foreignKeys: false)
            : try SQLiteTool.run(path, "PRAGMA foreign_keys = OFF; \(sql)")
    }

    /// Whether `sqlite3` finds no damage in the file. A server's files are not checked.
    public var isSound: Bool {
        get throws { try TestEngine.isPostgres || sqlite("PRAGMA integrity_check") == "ok" }
    }
}

/// Opens a store in a temporary file, and calls `body` with it. Afterwards it closes the store, and checks that no file
/// stays open and that the file is sound.
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

/// The files of a folder that stay open. A thread of the test may hold its session until the thread ends.
private func filesLeftOpen(in folder: URL) -> [String] {
    var files = openFiles(in: folder) ?? []
    for _ in 0..<30_000 where !files.isEmpty {
        // Nothing reports that another thread has closed its files, so the system is polled for at most five minutes.
        Thread.sleep(forTimeInterval: 0.01)
        files = openFiles(in: folder) ?? []
    }
    return files
}

/// Opens a session on a temporary store, calls `body` in it, and checks that no unfinished statement and no transaction
/// are left.
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
