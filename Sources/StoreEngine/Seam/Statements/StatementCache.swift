/// Prepared statements by their text.
///
/// Preparing costs 3 to 6 µs, which is two to five times the work of most statements.
package struct StatementCache {
    private var statements: [String: [Statement]] = [:]
    /// The last used statement, because calls are often repeated, and hashing a long text is as slow as reading a row.
    private var last: Statement?
    /// The number of statements.
    package private(set) var count = 0
    private var clock: UInt64 = 0

    /// The maximum number of statements. It is limited, because criteria with literals differ each time.
    private let limit: Int

    /// Creates an empty cache.
    package init(limit: Int = 256) { self.limit = limit }

    /// Returns a free cached statement, marked as in use.
    package mutating func takeFree(_ sql: String) -> Statement? {
        let isSame = last.map { !$0.isBusy && $0.sql == sql } ?? false
        guard let statement = isSame ? last : statements[sql]?.first(where: { !$0.isBusy }) else { return nil }
        clock += 1
        statement.lastUse = clock
        statement.take()
        last = statement
        return statement
    }

    /// Adds a statement to the cache.
    package mutating func insert(_ statement: Statement) {
        if count >= limit { removeOldest() }
        clock += 1
        statement.lastUse = clock
        statements[statement.sql, default: []].append(statement)
        count += 1
    }

    /// Removes the least recently used half; a busy statement stays with its user and is finalized afterwards.
    private mutating func removeOldest() {
        let uses = statements.values.joined().map(\.lastUse).sorted()
        let limit = uses[uses.count / 2]
        last = nil
        statements = statements.compactMapValues { kept in
            let left = kept.filter { $0.lastUse > limit }
            return left.isEmpty ? nil : left
        }
        count = statements.values.reduce(0) { $0 + $1.count }
    }

    mutating func removeFree() {
        last = nil
        statements = statements.compactMapValues { kept in
            let left = kept.filter(\.isBusy)
            return left.isEmpty ? nil : left
        }
        count = statements.values.reduce(0) { $0 + $1.count }
    }

    mutating func removeAll() {
        last = nil
        statements = [:]
        count = 0
    }
}
