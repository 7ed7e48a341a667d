internal import CSQLite

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension SQLiteConnection {
    /// Calls `handler` with the text of each statement when it starts to run, until it is set to nil.
    ///
    /// Values do not appear, because they are bound.
    package func trace(_ handler: ((String) -> Void)?) {
        guard handler != nil || tracer != nil else { return }
        tracer = handler.map { StatementTracer($0) }
        guard let tracer else {
            sqlite3_trace_v2(handle, 0, nil, nil)
            return
        }
        sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_STMT),
            { _, context, statement, note in
                guard let context, let statement, let note, let text = sqlite3_sql(OpaquePointer(statement)) else {
                    return 0
                }
                // A trigger that the statement fires is reported as a comment instead.
                guard strcmp(note.assumingMemoryBound(to: CChar.self), text) == 0 else { return 0 }
                Unmanaged<StatementTracer>.fromOpaque(context).takeUnretainedValue().handler(String(cString: text))
                return 0
            }, Unmanaged.passUnretained(tracer).toOpaque())
    }
}

/// Carries a closure through C.
final class StatementTracer {
    let handler: (String) -> Void
    init(_ handler: @escaping (String) -> Void) { self.handler = handler }
}
