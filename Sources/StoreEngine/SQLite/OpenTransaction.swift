/// A transaction of a connection, from its `BEGIN` to where whoever began it ends it.
///
/// SQLite may have ended it before: it rolls back by itself where a page cannot be read or written, where there is no
/// space or memory left, and where a statement that writes is interrupted. Whoever catches such an error and goes on
/// must not write outside of any transaction.
struct OpenTransaction {
    /// Whether one was begun, and not ended by whoever has.
    private(set) var isOpen = false
    private var failure: StoreError?

    /// Why SQLite has ended it.
    var reason: StoreError {
        failure ?? StoreError(.sqlite, "SQLite rolled back the transaction on its own. Run it again")
    }

    mutating func begin() {
        isOpen = true
        failure = nil
    }

    /// A statement has failed, and there is no transaction any more.
    mutating func noteFailure(_ error: StoreError) {
        if isOpen, failure == nil { failure = error }
    }

    mutating func end() {
        isOpen = false
        failure = nil
    }
}
