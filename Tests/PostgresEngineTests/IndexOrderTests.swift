#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Team: PersistentObject {
        override class var tableName: String { "team" }
        var name = ""
    }

    private final class Player: PersistentObject {
        override class var tableName: String { "player" }
        override class var indexes: [Index] {
            [
                Index(\Player.level, \Player.rank), Index(\Player.joined, order: .descending),
                Index(ignoringCase: \Player.mail), Index(ignoringCase: \Player.alias),
            ]
        }
        @Indexed var score = 0
        @Indexed var nick: String?
        @Unique var code: Int?
        var level = 0
        var rank: Int?
        var joined: Date?
        var mail = ""
        var alias: String?
        var team: Team?

        static let count = 100_000

        /// The literal of a column's value, as a page after this object compares with it.
        func literal(_ column: Substring) -> String? {
            switch column {
            case "id": id.map { "\($0)" }
            case "score": "\(score)"
            case "nick": nick.map { "'\($0)'" }
            case "code": code.map { "\($0)" }
            case "level": "\(level)"
            case "rank": rank.map { "\($0)" }
            case "joined": joined.map { "\($0.timeIntervalSinceReferenceDate)::float8" }
            case "mail": "'\(mail)'"
            case "alias": alias.map { "'\($0)'" }
            case "team_id": team?.id.map { "\($0)" }
            default: nil
            }
        }
    }

    /// Sorted queries read an index and stop after a page, wherever the page is.
    @Suite(.onPostgres("SQLite uses an index for every position of nil")) struct IndexOrderTests {
        private static let orders: [(String, Query<Player>)] = [
            ("a property", Player.query.order(by: \.score)),
            ("a property, descending", Player.query.order(by: \.score, .descending)),
            ("an optional property", Player.query.order(by: \.nick)),
            ("an optional property, descending", Player.query.order(by: \.nick, .descending)),
            ("a unique optional property", Player.query.order(by: \.code)),
            ("two properties", Player.query.order(by: \.level).order(by: \.rank)),
            (
                "two properties, descending",
                Player.query.order(by: \.level, .descending).order(by: \.rank, .descending)
            ),
            ("a descending index", Player.query.order(by: \.joined, .descending)),
            ("a descending index, backward", Player.query.order(by: \.joined)),
            ("a reference", Player.query.order(by: \.team)),
            ("a reference, descending", Player.query.order(by: \.team, .descending)),
            ("ignoring case", Player.query.order(ignoringCase: true) { $0.mail }),
            ("ignoring case, descending", Player.query.order(.descending, ignoringCase: true) { $0.mail }),
            ("ignoring case, optional", Player.query.order(ignoringCase: true) { $0.alias }),
            ("ignoring case, optional, descending", Player.query.order(.descending, ignoringCase: true) { $0.alias }),
            ("the id", Player.query.order(by: \.id)),
            ("the id, descending", Player.query.order(by: \.id, .descending)),
        ]

        private func fill(_ file: TemporaryStore) throws {
            _ = try file.sqlite(
                """
                INSERT INTO team (name) SELECT '' FROM generate_series(1, 1000);
                INSERT INTO player (score, nick, code, level, rank, joined, mail, alias, team_id)
                SELECT n * 7919 % 50000, CASE WHEN n % 10 > 0 THEN 'n' || n * 7919 % 100003 END,
                    CASE WHEN n % 10 > 0 THEN n END, n % 1000, nullif(n % 7, 0), nullif(n % 9000, 0) / 8.0,
                    'M' || n * 31 % 50000, CASE WHEN n % 10 > 0 THEN 'A' || n % 50000 END, t.id
                FROM generate_series(1, \(Player.count)) AS n
                LEFT JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM team) AS t
                    ON t.place = n % 1100;
                ANALYZE team; ANALYZE player;
                """)
        }

        /// The emitted query with its values as literals: the number after each placeholder's column, and a limit.
        private func explained(_ sql: String, _ player: Player?, _ file: TemporaryStore) throws -> String {
            var text = ""
            var column: Substring = ""
            var rest = sql[...]
            while let mark = rest.firstIndex(of: "?") {
                let before = rest[..<mark]
                for name in before.split(separator: "\"") where player?.literal(name) != nil { column = name }
                text += before
                let isLimit = before.hasSuffix("LIMIT ")
                text += isLimit ? "20" : try #require(player?.literal(column), "\(column) in \(sql)")
                rest = rest[rest.index(after: mark)...].drop { $0.isNumber }
            }
            return try file.sqlite("EXPLAIN \(text + rest)")
        }

        private func check(_ name: String, _ player: Player?, _ run: [String], _ file: TemporaryStore) throws {
            let selects = run.filter { $0.hasPrefix("SELECT") && $0.contains("ORDER BY") }
            #expect(!selects.isEmpty, "\(name)")
            for sql in selects {
                let plan = try explained(sql, player, file)
                let sorts = plan.split(separator: "\n").filter {
                    $0.contains("Sort  (cost") && !$0.contains("Incremental Sort")
                }
                #expect(!plan.contains("Seq Scan") && sorts.isEmpty, "\(name): \(sql)\n\(plan)")
            }
        }

        @Test func `each form of order reads an index, on the first page and after the middle`() throws {
            try withTemporarySession { session, file in
                try session.store.prepare(Player.self)
                try fill(file)
                for (name, query) in Self.orders {
                    // Later pages have the same plan as a page right after these objects.
                    let far = try query.offset(Player.count * 3 / 5).limit(1).all()[0]
                    let isNil = Player.where { $0.nick == nil }
                    for player in [nil, far] + (try isNil.offset(500).limit(1).all() as [Player?]) {
                        let run = try statements(of: session) {
                            _ = try player.map { try query.after($0, limit: 20) } ?? query.limit(20).all()
                        }
                        try check(name, player, run, file)
                    }
                }
                // The rows with a value are a range of the index. The first page is sorted.
                let last = Player.query.order(nilLast: true) { $0.nick }
                let far = try last.offset(Player.count / 2).limit(1).all()[0]
                let run = try statements(of: session) { _ = try last.after(far, limit: 20) }
                try check("nil last", far, run, file)
            }
        }

        @Test func `indexes declare the position of nil only for properties that can be nil`() throws {
            try withTemporarySession { session, file in
                try session.store.prepare(Player.self)
                let keys = try file.sqlite(
                    """
                    SELECT regexp_replace(indexdef, '^.* USING btree ', '') FROM pg_indexes
                    WHERE tablename = 'player' AND schemaname = current_schema() AND indexdef NOT LIKE '%lower%'
                    ORDER BY indexname
                    """)
                #expect(
                    keys == """
                        (code NULLS FIRST)
                        (joined DESC NULLS LAST, id)
                        (level, rank NULLS FIRST, id)
                        (nick NULLS FIRST, id)
                        (score)
                        (team_id NULLS FIRST, id)
                        (id)
                        """)
            }
        }
    }
#endif
