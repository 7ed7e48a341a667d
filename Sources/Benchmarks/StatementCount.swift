import CSQLite
import Foundation

/// How many statements the timed stretches run, on whatever connections: SQLite's own trace tells.
///
/// It costs time, so only an additional round is counted, which is not timed.
enum StatementCount {
    // A benchmark has one thread, and SQLite's callback can reach nothing but globals.
    nonisolated(unsafe) private static var isTimed = false
    nonisolated(unsafe) private static var total = 0

    /// The statements of the timed stretches in `body`, of connections that it opens, without those that begin and end
    /// transactions.
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

    /// SQLite calls it with each new connection.
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
        // A trigger that the statement sets off comes as a comment in its place.
        guard strcmp(note.assumingMemoryBound(to: CChar.self), text) == 0 else { return false }
        let begins: (String) -> Bool = { strncmp(text, $0, $0.utf8.count) == 0 }
        return !begins("BEGIN") && !begins("COMMIT") && !begins("ROLLBACK")
    }
}
