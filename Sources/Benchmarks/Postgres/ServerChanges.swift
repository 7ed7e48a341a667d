#if PostgreSQL
    import Foundation
    import PersistentObjects

    /// A player with a history.
    final class KeptPlayer: PersistentObject {
        override class var tableName: String { "kept_player" }
        override class var keepsHistory: Bool { true }
        var firstName = ""
        @Indexed var lastName = ""
        var email = ""
        var age = 0
        var score = 0.0
        var createdAt = Date(timeIntervalSinceReferenceDate: 0)
        var active = false
        var nickname: String?
        var teamId: Int?
    }

    private protocol ChangedPlayer: PersistentObject {
        init()
        var firstName: String { get set }
        var lastName: String { get set }
        var email: String { get set }
        var age: Int { get set }
        var score: Double { get set }
        var createdAt: Date { get set }
        var nickname: String? { get set }
        var teamId: Int? { get set }
    }

    extension Player: ChangedPlayer {}
    extension KeptPlayer: ChangedPlayer {}

    /// The time of changes that undo or a history records, compared with the same changes that nothing records.
    struct ServerChanges {
        let options: Options
        let address: String

        private static let limit = 1.8
        private static let total = 10_000

        private enum Change: String, CaseIterable {
            case insert, edit, delete
        }

        func run() throws {
            let store = try Store(.postgres(address))
            defer { store.close() }
            try store.prepare(Player.self, KeptPlayer.self)
            print("\nrecorded changes, in microseconds for each object; the limit of the ratios is \(Self.limit)")
            print("change               plain      undo   ratio   history   ratio")
            for size in [1, 1_000] {
                for change in Change.allCases {
                    var rounds: [(plain: Double, undo: Double, history: Double)] = []
                    for _ in 0..<max(3, options.rounds) {
                        rounds.append(
                            (
                                try time(change, of: size, Player.self, store),
                                try time(change, of: size, Player.self, store, recordsUndo: true),
                                try time(change, of: size, KeptPlayer.self, store)
                            ))
                    }
                    print(
                        "\(change.rawValue) of \(size)".padding(toLength: 16, withPad: " ", startingAt: 0)
                            + String(
                                format: "%10.1f %9.1f %7.2f %9.1f %7.2f", rounds.map(\.plain).median,
                                rounds.map(\.undo).median, rounds.map { $0.undo / $0.plain }.median,
                                rounds.map(\.history).median, rounds.map { $0.history / $0.plain }.median))
                }
            }
        }

        /// The microseconds for each object. The table has no other rows. The first change is not measured, because the
        /// server then plans the statements of the triggers.
        private func time<P: ChangedPlayer>(
            _ change: Change, of size: Int, _ type: P.Type, _ store: Store, recordsUndo: Bool = false
        ) throws -> Double {
            try store.withSession { session in
                let count = (size == 1 ? 400 : Self.total) + size
                try session.execute("TRUNCATE \(P.tableName)")
                let players = PlayerData.numbers(count).map { Self.player($0, P.self) }
                if change != .insert { try session.save(players) }
                session.recordsUndo = recordsUndo
                if change == .edit { for player in players { player.age += 1 } }
                let parts = stride(from: 0, to: count, by: size).map { Array(players[$0..<$0 + size]) }
                func run(_ part: [P]) throws {
                    if change == .delete { try session.delete(part) } else { try session.save(part) }
                }
                try run(parts[0])
                let (_, time) = try Stopwatch.time { for part in parts.dropFirst() { try run(part) } }
                return time / 1000 / Double(count - size)
            }
        }

        private static func player<P: ChangedPlayer>(_ data: PlayerData, _ type: P.Type) -> P {
            let player = P()
            (player.firstName, player.lastName, player.email) = (data.firstName, data.lastName, data.email)
            (player.age, player.score, player.createdAt) = (data.age, data.score, data.createdAt)
            (player.nickname, player.teamId) = (data.nickname, data.teamId)
            return player
        }
    }
#endif
