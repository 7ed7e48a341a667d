import CSQLite
import Foundation

/// The number of statements in the timed stretches, on any connection, counted by SQLite's trace.
///
/// Only an additional round without timing is counted, because counting costs time.
enum StatementCount {
    // The counted works have one thread, and SQLite's callback can use only globals.
    nonisolated(unsafe) private static var isTimed = false
    nonisolated(unsafe) private static var total = 0

    /// Counts the statements in the timed stretches of `body`, on connections that it opens.
    ///
    /// Statements that begin and end transactions are not counted.
    static func measure(_ body: () throws -> Void) rethrows -> Int {
        let start = unsafeBitCast(traceConnection, to: (@convention(c) () -> Void).self)
        sqlite3_auto_extension(start)
        defer { sqlite3_cancel_auto_extension(start) }
        total = 0
        try body()
        return total
    }

    /// Called by the stopwatch.
    static func stretchBegins() { isTimed = true }
    static func stretchEnds() { isTimed = false }

    /// The callback that SQLite calls with each new connection.
    private static let traceConnection: @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32 = {
        connection, _, _ in
        sqlite3_trace_v2(
            connection, UInt32(SQLITE_TRACE_STMT),
            { _, _, statement, note in
                if let statement, isTimed, counts(OpaquePointer(statement), note) { total += 1 }
                return 0
            }, nil)
    }

    private static func counts(_ statement: OpaquePointer, _ note: UnsafeMutableRawPointer?) -> Bool {
        guard let text = sqlite3_sql(statement), let note else { return false }
        // A trigger that the statement fires is reported as a comment instead.
        guard strcmp(note.assumingMemoryBound(to: CChar.self), text) == 0 else { return false }
        let begins: (String) -> Bool = { strncmp(text, $0, $0.utf8.count) == 0 }
        return !begins("BEGIN") && !begins("COMMIT") && !begins("ROLLBACK")
    }
}
