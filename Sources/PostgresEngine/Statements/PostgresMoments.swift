@_spi(Locks) internal import StoreEngine

/// The positions of a server's log at some moments, which the connections of this process have read.
///
/// A replica that has reached a position has the state of that moment, or a later one. No clocks are compared, and a
/// server that writes nothing needs no special case.
final class PostgresMoments: Sendable {
    private struct State {
        var timeline: UInt32 = 0
        /// The moments within the lag, in order.
        var moments: [(time: ContinuousClock.Instant, lsn: UInt64)] = []
        /// The position of the commits that subscribers know.
        var announced: UInt64 = 0
        /// Until when the replica counts as unavailable.
        var pauseEnd: ContinuousClock.Instant?
        var isConfirmed = false
    }

    private let state = Locked(State())
    private let maximumLag: Duration

    private init(_ maximumLag: Duration) { self.maximumLag = maximumLag }

    /// The number of moments that are kept.
    private static let count = 8

    /// Records that the server was at a position, or before it, at a time.
    func record(_ position: WriteToken, at time: ContinuousClock.Instant) {
        state.withLock { state in
            if state.timeline != position.timeline {
                (state.timeline, state.moments, state.announced) = (position.timeline, [], 0)
            }
            if let last = state.moments.last, time < last.time + maximumLag / PostgresMoments.count { return }
            state.moments.removeAll { $0.time + maximumLag < time }
            state.moments.append((time, position.lsn))
        }
    }

    /// The position that a replica within the lag has reached; nil if it is unknown.
    var least: WriteToken? {
        let now = ContinuousClock.now
        return state.withLock { state in
            guard let moment = state.moments.first(where: { $0.time + maximumLag >= now }) else { return nil }
            return WriteToken(lsn: max(moment.lsn, state.announced), timeline: state.timeline)
        }
    }

    /// Records that subscribers know the commits up to a position, so that queries must include them.
    func announce(_ position: WriteToken) {
        state.withLock { state in
            guard position.timeline == state.timeline else {
                // Nothing is known of the new log yet.
                state = State(timeline: position.timeline, announced: position.lsn, isConfirmed: state.isConfirmed)
                return
            }
            state.announced = max(state.announced, position.lsn)
        }
    }

    // MARK: Availability

    /// How long a replica that could not be used is not tried again.
    private static let pause = Duration.seconds(1)

    /// Whether the replica counts as unavailable.
    var isPaused: Bool { state.withLock { $0.pauseEnd.map { $0 > .now } ?? false } }

    func startPause() { state.withLock { $0.pauseEnd = .now + PostgresMoments.pause } }

    /// Whether the replica was found to belong to the server.
    var isConfirmed: Bool { state.withLock { $0.isConfirmed } }

    func confirm() { state.withLock { $0.isConfirmed = true } }
}

extension PostgresMoments {
    private struct Weakly {
        weak var moments: PostgresMoments?
    }

    private static let shared = Locked<[String: Weakly]>([:])

    /// The moments that all connections of this process to a server with a replica share.
    static func of(_ server: String, _ replica: ReplicaOptions) -> PostgresMoments {
        let key = "\(server)\n\(replica.address)\n\(replica.maximumLag)"
        return shared.withLock { shared in
            if let known = shared[key]?.moments { return known }
            shared = shared.filter { $0.value.moments != nil }
            let made = PostgresMoments(replica.maximumLag)
            shared[key] = Weakly(moments: made)
            return made
        }
    }
}
