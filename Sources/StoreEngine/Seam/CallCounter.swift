/// Counts what is begun on a connection, so that its engine knows what has been under way since when.
package final class CallCounter {
    /// What was begun so far. By address, since the run time would watch each access to a variable of the class.
    @usableFromInline
    struct Counts {
        /// Calls of the session's.
        @usableFromInline var calls = 0
        /// Rounds of bindings, which is runs of statements.
        @usableFromInline var runs = 0
    }

    @usableFromInline let counts: UnsafeMutablePointer<Counts>

    /// Nothing was begun.
    package init() {
        counts = .allocate(capacity: 1)
        counts.initialize(to: Counts())
    }

    deinit { counts.deallocate() }

    /// Says that a call of the session's begins: time is counted anew.
    @inlinable @inline(__always)
    package func noteCall() { counts.pointee.calls &+= 1 }

    /// How many calls have begun.
    package var callCount: Int { counts.pointee.calls }

    /// How many runs of statements have begun.
    package var runCount: Int { counts.pointee.runs }

    /// Says that a statement is about to run: its time is counted anew.
    @inlinable @inline(__always)
    package func noteRun() { counts.pointee.runs &+= 1 }
}
