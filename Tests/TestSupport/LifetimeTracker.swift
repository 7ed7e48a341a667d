internal import Synchronization

/// Counts instances that live; a test puts a `Token` into each object it makes and expects 0 in the end.
public final class LifetimeTracker: Sendable {
    private let count = Atomic<Int>(0)

    /// Begins with none.
    public init() {}

    /// How many tokens live.
    public var liveCount: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Lives as long as what it is in.
    public final class Token: Sendable {
        private let tracker: LifetimeTracker

        fileprivate init(_ tracker: LifetimeTracker) {
            self.tracker = tracker
            tracker.count.add(1, ordering: .sequentiallyConsistent)
        }

        deinit { tracker.count.subtract(1, ordering: .sequentiallyConsistent) }
    }

    /// One more that lives.
    public func token() -> Token { Token(self) }
}
