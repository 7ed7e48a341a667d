// Profiling: what ran, for whom and for how long, and how the user hears of it. It knows statements and the names of
// calls, and must know neither sessions nor what the calls do.

internal import StoreEngine

/// A statement that has run: what a store's `onQuery` closure is called with.
///
/// ```swift
/// var configuration = Store.Configuration()
/// configuration.onQuery = { profile in
///     print(profile)      // 0.3 ms, 5 rows, Person.findByLastName: SELECT … WHERE "person"."last_name" = ?1
/// }
/// ```
///
/// There is one for each run of a statement, for the beginning and the end of
/// each transaction and savepoint (`BEGIN`, `COMMIT`, `SAVEPOINT` …), and for
/// the changes of tables.
public struct StatementProfile: Sendable {
    /// The statement, with a placeholder for each value.
    public let sql: String
    /// The values of the placeholders, in their order; a list, which is one argument, is a text in JSON.
    ///
    /// Nil unless the configuration's `showsQueryArguments` is true: values
    /// are what logs must not have.
    public let arguments: [DatabaseValue]?
    /// The time that the database took. What the program did with a row before it asked for the next is not in it.
    public let duration: Duration
    /// How many rows the statement gave.
    public let rows: Int
    /// How many rows it changed, those of triggers and delete rules among them.
    public let changedRows: Int
    /// How many rows were read one after the other, since no index led to them. Many of these for few `rows` ask for
    /// an index; `plan()` says of which table.
    public let scannedRows: Int
    /// How often rows had to be sorted, since no index has their order.
    public let sorts: Int
    /// The call of the program that asked: `Person.findByLastName`, `Person.query.count()`, `Person.save()`,
    /// `Session.transaction(retries:keepingEdits:timeout:_:)`. Of calls inside of each other it is the innermost. Nil for what
    /// no call asked.
    public let call: String?
    /// The number of the session that ran it: see ``Session/number``. Nil for what no call asked.
    public let session: Int?
    /// Why it failed; nil where it did not.
    public let error: StoreError?
    /// Explains a statement; nil where there is nothing to explain.
    let explain: (@Sendable (String) throws -> String)?

    /// How the database finds the rows: the lines of SQLite's `EXPLAIN QUERY PLAN`, indented; empty for what has no
    /// plan, as `COMMIT`.
    ///
    /// It is asked on a connection of its own, so it can be called from the
    /// closure and from any thread, now or later. The statement is not run.
    ///
    /// ```swift
    /// configuration.onQuery = { profile in
    ///     if profile.scannedRows > 1000 { print((try? profile.plan()) ?? "") }    // SCAN person
    /// }
    /// ```
    ///
    /// - Throws: `StoreError` if the store was closed meanwhile, or the
    ///   statement cannot be prepared any more, as one that makes a table.
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

    /// With one digit behind the point, whatever the locale.
    private static func milliseconds(_ duration: Duration) -> String {
        let parts = duration.components
        let tenths = parts.seconds * 10_000 + parts.attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
