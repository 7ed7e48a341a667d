internal import Synchronization

/// Counts live instances. A test stores a `Token` in each object that it creates, and expects 0 at its end.
public final class LifetimeTracker: Sendable {
    private let count = Atomic<Int>(0)

    /// Creates a tracker without tokens.
    public init() {}

    /// The number of live tokens.
    public var liveCount: Int { count.load(ordering: .sequentiallyConsistent) }

    /// A token, which lives as long as the object that contains it.
    public final class Token: Sendable {
        private let tracker: LifetimeTracker

        fileprivate init(_ tracker: LifetimeTracker) {
            self.tracker = tracker
            tracker.count.add(1, ordering: .sequentiallyConsistent)
        }

        deinit { tracker.count.subtract(1, ordering: .sequentiallyConsistent) }
    }

    /// Creates a token.
    public func token() -> Token { Token(self) }
}
