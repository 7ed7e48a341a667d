/// Counts the rounds in which `did…` methods and closures wrote objects, whose methods were then called in turn. If
/// each method writes, the rounds would not end.
struct NotificationRounds {
    private var rounds = 0
    private var calls = 0

    /// The number of rounds from which a chain of hooks is assumed to be endless.
    private static let limit = 1000
    /// The limits for a growing chain, in which each hook writes several objects: after these rounds, it may not have
    /// made more calls.
    private static let (earlyRounds, earlyCalls) = (10, 10_000)

    /// Records the number of methods and closures that are about to be called.
    mutating func begin(_ count: Int) {
        rounds += 1
        if rounds > 1 { calls += count }
    }

    /// Whether further writes must be refused.
    var areTooMany: Bool {
        rounds > NotificationRounds.limit
            || rounds > NotificationRounds.earlyRounds && calls > NotificationRounds.earlyCalls
    }

    static var error: StoreError {
        StoreError(
            .misuse,
            "The did… methods of objects keep saving other objects or rolling them back. This write was refused, "
                + "but their earlier writes are committed. Have them write nothing for objects that they created "
                + "or rolled back themselves")
    }
}
