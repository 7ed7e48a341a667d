/// Where a store's profiles go: they wait here until they can be told with no lock held.
final class StatementSink: Sendable {
    /// Whether profiles have the values of statements.
    let showsArguments: Bool
    private let threshold: Duration?
    private let tellOne: @Sendable (StatementProfile) -> Void
    private let note: @Sendable (String) -> Void
    private let waiting = Locked<[StatementProfile]>([])

    /// Whether the closure is being called: what it does with a store is not told, or that would have no end.
    @TaskLocal static var isTelling = false

    /// Nil if there is no receiver of statement profiles.
    init?(
        onQuery: (@Sendable (StatementProfile) -> Void)?, slowQuery: Duration?, showsArguments: Bool,
        onNote: @escaping @Sendable (String) -> Void
    ) {
        guard onQuery != nil || slowQuery != nil else { return nil }
        threshold = slowQuery
        self.showsArguments = showsArguments
        note = onNote
        tellOne = onQuery ?? { onNote("Slow query: \($0)") }
    }

    /// Whether a statement that took so long is told.
    func wants(_ duration: Duration) -> Bool { threshold.map { duration >= $0 } ?? true }

    /// Has profiles told by the next call of `tell()`.
    func add(_ profiles: [StatementProfile]) { waiting.withLock { $0 += profiles } }

    /// Says that some were left out.
    func noteLeftOut(_ count: Int) {
        note("\(count) statements of one call were not reported, because it ran more than \(StatementWatch.limit)")
    }

    /// Calls the user with all that waits; call it with no lock held.
    func tell() {
        guard !StatementSink.isTelling else { return }
        while true {
            let profiles = waiting.withLock { exchange(&$0, with: []) }
            if profiles.isEmpty { return }
            StatementSink.$isTelling.withValue(true) { for profile in profiles { tellOne(profile) } }
        }
    }
}
