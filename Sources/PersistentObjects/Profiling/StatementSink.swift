@_spi(Locks) internal import StoreEngine

/// Collects a store's profiles until they can be reported without holding a lock.
final class StatementSink: Sendable {
    /// Whether profiles contain the values of statements.
    let showsArguments: Bool
    private let threshold: Duration?
    private let reportOne: @Sendable (StatementProfile) -> Void
    private let warn: @Sendable (String) -> Void
    private let waiting = Locked<[StatementProfile]>([])

    /// Whether the closure is being called. Its own statements are not reported, because that would never end.
    @TaskLocal static var isReporting = false

    /// Nil if there is no receiver of statement profiles.
    init?(
        onQuery: (@Sendable (StatementProfile) -> Void)?, slowQuery: Duration?, showsArguments: Bool,
        onNote: @escaping @Sendable (String) -> Void
    ) {
        guard onQuery != nil || slowQuery != nil else { return nil }
        threshold = slowQuery
        self.showsArguments = showsArguments
        warn = onNote
        reportOne = onQuery ?? { onNote("Slow query: \($0)") }
    }

    /// Whether a statement with this duration is reported.
    func wants(_ duration: Duration) -> Bool { threshold.map { duration >= $0 } ?? true }

    /// Adds profiles for the next call of `deliver()`.
    func add(_ profiles: [StatementProfile]) { waiting.withLock { $0 += profiles } }

    /// Reports the number of statements that were left out.
    func warnLeftOut(_ count: Int) {
        warn("\(count) statements of one call were not reported, because it ran more than \(StatementWatch.limit)")
    }

    /// Reports all collected profiles; call it without holding a lock.
    func deliver() {
        guard !StatementSink.isReporting else { return }
        while true {
            let profiles = waiting.withLock { exchange(&$0, with: []) }
            if profiles.isEmpty { return }
            StatementSink.$isReporting.withValue(true) { for profile in profiles { reportOne(profile) } }
        }
    }
}
