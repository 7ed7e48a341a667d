internal import CSQLite
internal import Foundation
internal import StoreEngine

/// The contents of a database file in comparable lines, read without the library and without injected faults.
///
/// Columns with the name `time` are left out, because two runs of the same work differ in them.
public struct FileDump: Equatable, Sendable, CustomStringConvertible {
    /// Tables, rows and the identifying header fields, in an order that does not depend on pages.
    public let lines: [String]

    /// The lines as one string.
    public var description: String { lines.joined(separator: "\n") }

    /// Reads a file. A missing or empty file has no lines.
    ///
    /// - Throws: `FileDumpFailure` if SQLite cannot read it, or finds damage.
    public init(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else {
            lines = []
            return
        }
        let reader = try Reader(path)
        guard try reader.rows("PRAGMA integrity_check") == ["ok"] else {
            throw FileDumpFailure(text: try reader.rows("PRAGMA integrity_check").joined(separator: "; "))
        }
        guard try reader.rows("PRAGMA foreign_key_check").isEmpty else {
            throw FileDumpFailure(text: "a reference leads nowhere")
        }
        var lines = try ["application_id", "user_version"].map { "\($0) \(try reader.rows("PRAGMA \($0)"))" }
        lines += try reader.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
        let tables = try reader.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        for table in tables {
            let columns = try reader.rows("SELECT name FROM pragma_table_xinfo('\(table)') WHERE name <> 'time'")
            let list = columns.map { "quote(\"\($0)\")" }.joined(separator: ", ")
            lines += try reader.rows("SELECT \(list) FROM \"\(table)\"").sorted().map { "\(table): \($0)" }
        }
        self.lines = lines
    }

    /// The lines that only one of the dumps has, for messages.
    public func difference(from other: FileDump) -> String {
        let added = lines.filter { !other.lines.contains($0) }.map { "+ \($0)" }
        let removed = other.lines.filter { !lines.contains($0) }.map { "- \($0)" }
        return (added + removed).joined(separator: "\n")
    }
}

/// The reason that a file cannot be dumped.
public struct FileDumpFailure: Error, CustomStringConvertible {
    fileprivate let text: String

    /// SQLite's message.
    public var description: String { text }
}

private final class Reader {
    private var handle: OpaquePointer?

    init(_ path: String) throws {
        // The file is opened without the file system that injects faults, which encrypted files use even so; it injects
        // none meanwhile. Recovery after a crash needs write access.
        let options = TestEngine.options(ConnectionOptions(), at: .file(path: path))
        let code = SealedFile.open(
            path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, vfs: "unix", options.file.form)
        guard code == SQLITE_OK else { throw failure() }
        sqlite3_busy_timeout(handle, 2000)
    }

    deinit { sqlite3_close_v2(handle) }

    private func failure() -> FileDumpFailure { FileDumpFailure(text: String(cString: sqlite3_errmsg(handle))) }

    /// The rows of a query, each as one string.
    func rows(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure() }
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while true {
            let code = sqlite3_step(statement)
            guard code != SQLITE_DONE else { return rows }
            guard code == SQLITE_ROW else { throw failure() }
            let columns = (0..<sqlite3_column_count(statement)).map { column in
                sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
            }
            // Long values are shortened, so that the message of a failed test is readable.
            rows.append(
                columns.map { $0.utf8.count > 500 ? "\($0.prefix(40))… \($0.hashValue)" : $0 }.joined(separator: " | "))
        }
    }
}
