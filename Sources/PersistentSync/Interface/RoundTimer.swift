/// Waits for the time of the next round, or until the machine wakes from sleep.
struct RoundTimer: Sendable {
    enum End { case time, waking }

    /// Waits for a duration, which includes the time in which the machine sleeps.
    let sleep: @Sendable (Duration) async throws -> Void
    /// How long the machine has slept since any fixed time.
    let slept: @Sendable () -> Duration

    /// A wait is divided into parts, because a sleep of the machine is noticed at the end of a part.
    private static let part = Duration.seconds(10)
    /// The clocks are not read at the same moment.
    private static let inaccuracy = Duration.seconds(1)

    /// A timer with the clocks of the system.
    static var system: RoundTimer {
        let (all, awake) = (ContinuousClock.now, SuspendingClock.now)
        return RoundTimer(
            // Rounds need no exact time, so the system may delay the end to save energy.
            sleep: { try await Task.sleep(for: $0, tolerance: $0 / 10, clock: .continuous) },
            slept: { (ContinuousClock.now - all) - (SuspendingClock.now - awake) })
    }

    func wait(for duration: Duration) async throws -> End {
        let before = slept()
        var rest = duration
        while rest > .zero {
            let part = min(rest, Self.part)
            // In parts, because nothing on all platforms reports that the machine wakes.
            try await sleep(part)
            if slept() - before > Self.inaccuracy { return .waking }
            rest -= part
        }
        return .time
    }
}
