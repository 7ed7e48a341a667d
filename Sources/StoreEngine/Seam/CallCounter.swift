/// Counts the operations started on a connection, so that its engine can time the running operation.
package final class CallCounter {
    /// The counts so far.
    ///
    /// They are accessed by address, because the runtime would check each access to a property of the class.
    @usableFromInline
    struct Counts {
        /// Calls of the session.
        @usableFromInline var calls = 0
        /// Rounds of bindings, which are runs of statements.
        @usableFromInline var runs = 0
    }

    @usableFromInline let counts: UnsafeMutablePointer<Counts>

    /// Creates a counter at 0.
    package init() {
        counts = .allocate(capacity: 1)
        counts.initialize(to: Counts())
    }

    deinit { counts.deallocate() }

    /// Called when a call of the session begins: its time is counted from here.
    @inlinable @inline(__always)
    package func countCall() { counts.pointee.calls &+= 1 }

    /// The number of calls that have begun.
    package var callCount: Int { counts.pointee.calls }

    /// The number of statement runs that have begun.
    package var runCount: Int { counts.pointee.runs }

    /// Called before a statement runs: its time is counted from here.
    @inlinable @inline(__always)
    package func countRun() { counts.pointee.runs &+= 1 }
}
