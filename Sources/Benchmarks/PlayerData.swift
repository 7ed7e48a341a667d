import Foundation

/// The values of the n-th player, from 1 on, which are the same for both sides and in every run.
///
/// Five players share a last name. Every second player has a nickname, and three in four have a team. Scores are
/// multiples of 0.5, so that their sums are exact in any order.
struct PlayerData {
    let firstName: String
    let lastName: String
    let email: String
    let age: Int
    let score: Double
    let createdAt: Date
    let active: Bool
    let nickname: String?
    let teamId: Int?

    /// - Parameter rows: The size of the table, which determines the number of last names.
    init(_ number: Int, rows: Int) {
        firstName = "First\(number % 1_000)"
        lastName = Self.lastName(number % Self.lastNames(rows: rows))
        email = "user\(number)@example.com"
        age = 18 + number % 60
        score = Double(number % 1_000) * 0.5
        createdAt = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number))
        active = number % 3 == 0
        nickname = number % 2 == 0 ? "nick\(number)" : nil
        teamId = number % 4 == 0 ? nil : 1 + number % 1_000
    }

    /// The number of distinct last names in a table of this size.
    static func lastNames(rows: Int) -> Int { max(1, rows / 5) }

    /// The k-th last name, from 0 on.
    static func lastName(_ k: Int) -> String { "Last\(k)" }

    /// The first `count` players of a table of `rows` rows, created one at a time.
    static func numbers(_ rows: Int, count: Int? = nil) -> some Sequence<PlayerData> {
        (1...(count ?? rows)).lazy.map { PlayerData($0, rows: rows) }
    }
}

/// A fixed sequence of random numbers (SplitMix64), so that every run looks up the same keys in the same order.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64 = 2026

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
