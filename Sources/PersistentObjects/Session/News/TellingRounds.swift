/// The number of times, since the outermost call ended, that `did…` methods and closures after a commit or rollback
/// wrote something, after which further ones were called. If they write in each call, this would not end.
struct TellingRounds {
    private var rounds = 0
    private var calls = 0

    /// A chain of hooks that goes on longer writes in each.
    private static let limit = 1000
    /// One in which each hook writes more than one object grows: after so few rounds it may not have called more.
    private static let (earlyRounds, earlyCalls) = (10, 10_000)

    /// Notes that so many methods and closures are about to be called.
    mutating func begin(_ count: Int) {
        rounds += 1
        if rounds > 1 { calls += count }
    }

    /// Whether nothing may be written any more.
    var areTooMany: Bool {
        rounds > TellingRounds.limit || rounds > TellingRounds.earlyRounds && calls > TellingRounds.earlyCalls
    }

    static var error: StoreError {
        StoreError(
            .misuse,
            "The did… methods of objects keep saving other objects or rolling them back. This write was refused, "
                + "but their earlier writes are committed. Have them write nothing for objects that they created "
                + "or rolled back themselves")
    }
}
