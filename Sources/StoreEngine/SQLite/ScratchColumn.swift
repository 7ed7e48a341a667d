internal import CSQLite
internal import Foundation

/// Makes a column of a value, so that it is read by the very rules that a column of a table is read by.
package enum ScratchColumn {
    private final class PooledStatement {
        var handle: OpaquePointer?
        private var connection: OpaquePointer?

        init() {
            let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
            guard sqlite3_open_v2(":memory:", &connection, flags, nil) == SQLITE_OK else { return }
            sqlite3_prepare_v2(connection, "SELECT ?", -1, &handle, nil)
        }

        deinit {
            sqlite3_finalize(handle)
            sqlite3_close_v2(connection)
        }
    }

    private struct Pool: @unchecked Sendable {  // the statements in it are nobody's; the lock hands each to one
        var idle: [PooledStatement] = []
    }

    private final class Shelf: @unchecked Sendable {  // the pool is reached under the lock only
        private let lock = NSLock()
        private var pool = Pool()

        func take() -> PooledStatement { lock.withLock { pool.idle.popLast() } ?? PooledStatement() }

        func put(_ statement: PooledStatement) {
            lock.withLock { if pool.idle.count < 8 { pool.idle.append(statement) } }
        }
    }

    private static let shelf = Shelf()

    /// Calls `body` with a column that holds the value.
    package static func with<R>(
        _ value: DatabaseValue, _ body: (ColumnValue) throws(ValueFault) -> R
    ) throws(ValueFault) -> R {
        let statement = shelf.take()
        guard let handle = statement.handle else { throw .engine(code: SQLITE_NOMEM) }
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
            shelf.put(statement)
        }
        let code = bind(value, to: handle)
        guard code == SQLITE_OK else { throw .engine(code: code) }
        guard sqlite3_step(handle) == SQLITE_ROW, let column = sqlite3_column_value(handle, 0) else {
            throw .engine(code: SQLITE_NOMEM)
        }
        return try body(ColumnValue(column))
    }

    private static func bind(_ value: DatabaseValue, to handle: OpaquePointer) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, 1)
        case .integer(let number): return sqlite3_bind_int64(handle, 1, number)
        case .real(let number): return sqlite3_bind_double(handle, 1, number)
        case .text(let text):
            return text.withCString { po_sqlite3_bind_text_copied(handle, 1, $0, UInt64(text.utf8.count)) }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { buffer in
                guard let start = buffer.baseAddress, !buffer.isEmpty else {
                    return sqlite3_bind_zeroblob(handle, 1, 0)
                }
                return po_sqlite3_bind_blob_copied(handle, 1, start, UInt64(buffer.count))
            }
        }
    }
}
