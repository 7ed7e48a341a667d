// Profiling: reports the statements that ran, with their call and duration. It uses statements and the names of calls,
// and must not depend on sessions or on the work of the calls.

internal import StoreEngine

/// A statement that ran: the argument of a store's `onQuery` closure.
///
/// ```swift
/// var configuration = Store.Configuration()
/// configuration.onQuery = { profile in
///     print(profile)      // 0.3 ms, 5 rows, Person.findByLastName: SELECT … WHERE "person"."last_name" = ?1
/// }
/// ```
///
/// There is one for each run of a statement, for the start and the end of each transaction and savepoint (`BEGIN`,
/// `COMMIT`, `SAVEPOINT` …), and for changes to tables.
public struct StatementProfile: Sendable {
    /// The statement, with a placeholder for each value.
    public let sql: String
    /// The values of the placeholders, in order; a list, which is one argument, is a JSON string.
    ///
    /// It is nil unless the configuration's `showsQueryArguments` is true, because logs should not contain values.
    public let arguments: [DatabaseValue]?
    /// The time that the database took.
    ///
    /// It does not include the time that the program took to process a row before requesting the next one.
    public let duration: Duration
    /// The number of rows that the statement returned.
    public let rows: Int
    /// The number of rows that it changed, including rows changed by triggers and delete rules.
    public let changedRows: Int
    /// The number of rows read sequentially, because no index led to them.
    ///
    /// A high number with few `rows` suggests an index; `plan()` names the table.
    public let scannedRows: Int
    /// The number of times that rows were sorted, because no index has their order.
    public let sorts: Int
    /// The call of the program that ran the statement; nil if no call did.
    ///
    /// For example: `Person.findByLastName`, `Person.query.count()`, `Person.save()`,
    /// `Session.transaction(retries:keepingEdits:timeout:_:)`. If calls are nested, it is the innermost.
    public let call: String?
    /// The number of the session that ran it; nil if no call did. See ``Session/number``.
    public let session: Int?
    /// The error of the statement; nil if it succeeded.
    public let error: StoreError?
    /// Explains a statement; nil if there is nothing to explain.
    let explain: (@Sendable (String) throws -> String)?

    /// Returns the database's plan for finding the rows.
    ///
    /// It contains the lines of SQLite's `EXPLAIN QUERY PLAN`, indented, and is empty for a statement without a plan,
    /// such as `COMMIT`. A separate connection is used, so you can call it from the closure and from any thread, now or
    /// later. The statement is not run.
    ///
    /// ```swift
    /// configuration.onQuery = { profile in
    ///     if profile.scannedRows > 1000 { print((try? profile.plan()) ?? "") }    // SCAN person
    /// }
    /// ```
    ///
    /// - Throws: `StoreError` if the store was closed meanwhile, or if the statement can no longer be prepared, such as
    ///   one that creates a table; with the code `unsupported` on PostgreSQL.
    public func plan() throws -> String { try explain?(sql) ?? "" }
}

extension StatementProfile: CustomStringConvertible {
    /// One line: time, rows, call and SQL, without values.
    public var description: String {
        var parts = [StatementProfile.milliseconds(duration)]
        if rows > 0 { parts.append("\(rows) row\(rows == 1 ? "" : "s")") }
        if changedRows > 0 { parts.append("\(changedRows) changed") }
        if scannedRows > 0 { parts.append("\(scannedRows) scanned") }
        if let call { parts.append(call) }
        if let error { parts.append("failed with \(error.code)") }
        return "\(parts.joined(separator: ", ")): \(sql)"
    }

    /// The milliseconds with one decimal place, in every locale.
    private static func milliseconds(_ duration: Duration) -> String {
        let parts = duration.components
        let tenths = parts.seconds * 10_000 + parts.attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
