/// The replacement of indexes while other sessions write, for an engine whose indexes declare the position of NULL.
///
/// Except for `exchange`, each statement runs outside a transaction.
package struct IndexReplacement: Sendable {
    /// The clause after `CREATE INDEX` and `DROP INDEX` with which they do not block other sessions.
    package let concurrently: SQL
    /// A query that claims the indexes of a table for this connection; false if another connection has claimed them.
    package let claim: @Sendable (_ table: String) -> SQL
    /// A query that ends the claim.
    package let release: @Sendable (_ table: String) -> SQL
    /// Gives an index another name, and its name to the index that replaces it, in one step.
    package let exchange: @Sendable (_ name: String, _ replacement: String, _ former: String) -> SQL

    package init(
        concurrently: SQL, claim: @escaping @Sendable (String) -> SQL, release: @escaping @Sendable (String) -> SQL,
        exchange: @escaping @Sendable (String, String, String) -> SQL
    ) {
        self.concurrently = concurrently
        self.claim = claim
        self.release = release
        self.exchange = exchange
    }
}
