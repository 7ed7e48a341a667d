/// A transaction of a connection, from its `BEGIN` until its owner ends it.
///
/// SQLite may have ended it before: it rolls back by itself if a page cannot be read or written, if there is no space
/// or memory left, and if a writing statement is interrupted. Code that catches such an error and continues must not
/// write outside a transaction.
struct OpenTransaction {
    /// Whether a transaction was begun, and not yet ended by its owner.
    private(set) var isOpen = false
    private var failure: StoreError?

    /// The reason that SQLite has ended it.
    var reason: StoreError {
        failure ?? StoreError(.sqlite, "SQLite rolled back the transaction on its own. Run it again")
    }

    mutating func begin() {
        isOpen = true
        failure = nil
    }

    /// Called when a statement has failed and there is no transaction any more.
    mutating func recordFailure(_ error: StoreError) {
        if isOpen, failure == nil { failure = error }
    }

    mutating func end() {
        isOpen = false
        failure = nil
    }
}
