#if PostgreSQL
    import Foundation
    import PersistentObjects

    /// Players of which some have no name, for pages in an order that has an index.
    final class PagedPlayer: PersistentObject {
        override class var tableName: String { "paged_player" }
        @Indexed var score = 0
        @Indexed var nick: String?
    }

    /// The time of a page after three quarters of the rows, compared with the first page.
    struct ServerPages {
        let options: Options
        let address: String

        private static let limit = 1.5
        private static let pagesOfEach = 200
        private static let size = 20

        func run() throws {
            let store = try Store(.postgres(address))
            defer { store.close() }
            try store.withSession { session in
                let players = (0..<options.rows).map { number in
                    let player = PagedPlayer()
                    player.score = number * 7919 % options.rows
                    player.nick = number % 10 == 0 ? nil : "n\(player.score)"
                    return player
                }
                try session.save(players)
                try session.execute("ANALYZE paged_player")
            }
            print("\npages of \(Self.size) among \(options.rows) rows, in microseconds; the limit is \(Self.limit)")
            print("order                          first   after 3/4   ratio")
            for (name, query) in [
                ("a property", PagedPlayer.query.order(by: \.score)),
                ("an optional property", PagedPlayer.query.order(by: \.nick)),
                ("an optional one, descending", PagedPlayer.query.order(by: \.nick, .descending)),
            ] {
                let rounds = try (0..<options.rounds).map { _ in try store.withSession { _ in try round(query) } }
                let (first, later) = (rounds.map(\.first).min() ?? 0, rounds.map(\.later).min() ?? 0)
                print(
                    name.padding(toLength: 28, withPad: " ", startingAt: 0)
                        + String(format: "%8.0f %11.0f %7.2f", first, later, later / first))
            }
        }

        /// The times of a page, in microseconds.
        private func round(_ query: Query<PagedPlayer>) throws -> (first: Double, later: Double) {
            guard let far = try query.offset(options.rows * 3 / 4).limit(1).all().first else { return (0, 0) }
            func time(_ page: () throws -> [PagedPlayer]) throws -> Double {
                _ = try page()
                let (_, time) = try Stopwatch.time { for _ in 0..<Self.pagesOfEach { _ = try page() } }
                return time / Double(Self.pagesOfEach) / 1000
            }
            return (try time { try query.limit(Self.size).all() }, try time { try query.after(far, limit: Self.size) })
        }
    }
#endif
