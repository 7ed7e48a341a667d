#if PostgreSQL
    import Foundation
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private struct Place: Codable, Equatable {
        var street = ""
        var floor: Int?
    }

    private final class Asked: PersistentObject {
        override class var tableName: String { "asked" }
        var number = 0
        var name = ""
        var nick: String?
        @Indexed var whole = 0
        var maybe: Int?
        var small = 0
        var real = 0.0
        var score: Double?
        var isOn = false
        var isSure: Bool?
        var day = Date(timeIntervalSinceReferenceDate: 0)
        var token = UUID()
        var other: UUID?
        var price = Decimal(0)
        var tax: Decimal?
        var bytes: Data?
        var place = Place()
        var tags: [String] = []
        var marks: Set<Int> = []
        var prices: [Decimal] = []
        var boss: Asked?
        @Inverse(\Asked.boss) var staff: [Asked]
    }

    /// Random queries on the same rows in both engines. The results must be the same row by row, and so must the
    /// errors.
    @Suite(.onPostgres("it compares a server with a file")) struct SameAnswersTests {
        private typealias Trial = (Columns<Asked>) -> Condition

        // MARK: Rows

        private static let texts =
            [
                "", "a", "A", "ab", "aB", "é", "e\u{301}", "Ω", "ß", "SS", "İ", "%", "_", "a_b", "\\", "O'Hara", "日本",
                "🇦🇹", "\u{FFFF}",
            ]
            + ["\u{10FFFF}", "\u{1}", "$1", "?", "{", "null", " a", "a "]
        private static let wholes = [
            0, 1, -1, 7, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, .max, .max - 1, .min, .min + 1, 4_294_967_296,
        ]
        private static let reals = [
            0, 0.5, -0.5, 1, 1.5, 9_007_199_254_740_992, 1e300, -1e300, .leastNonzeroMagnitude, .leastNormalMagnitude,
            .infinity,
            -.infinity, 0.1, 1.0 / 3,
        ]

        private static let decimals = [0, 1, -1, 0.5, 0.25, 100, 12_345_678.875, -1e20] as [Decimal]
        private static let tokens = (0..<5).map { UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9)) }

        private static func text(_ random: inout SeededGenerator) -> String {
            texts.randomElement(using: &random) ?? ""
        }

        private static func maybe<T>(_ random: inout SeededGenerator, _ value: (inout SeededGenerator) -> T) -> T? {
            Int.random(in: 0..<3, using: &random) == 0 ? nil : value(&random)
        }

        private static func moment(_ random: inout SeededGenerator) -> Date {
            Date(timeIntervalSinceReferenceDate: (Double.random(in: -3e9...3e9, using: &random) * 8).rounded() / 8)
        }

        private static func token(_ random: inout SeededGenerator) -> UUID {
            var bytes = UUID().uuid
            withUnsafeMutableBytes(of: &bytes) { bytes in
                for place in bytes.indices { bytes[place] = UInt8.random(in: 0...255, using: &random) }
            }
            return UUID(uuid: bytes)
        }

        private static func fill(_ session: Session, seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let rows = (0..<120).map { number in
                let row = Asked()
                row.number = number
                row.name = text(&random)
                row.nick = maybe(&random, text)
                row.whole = wholes.randomElement(using: &random) ?? 0
                row.maybe = maybe(&random) { wholes.randomElement(using: &$0) ?? 0 }
                row.small = Int.random(in: -3...3, using: &random)
                row.real = reals.randomElement(using: &random) ?? 0
                row.score = maybe(&random) { Double(Int.random(in: -4...4, using: &$0)) / 4 }
                row.isOn = Bool.random(using: &random)
                row.isSure = maybe(&random) { Bool.random(using: &$0) }
                row.day = moment(&random)
                row.token = token(&random)
                row.other = maybe(&random) { tokens.randomElement(using: &$0) ?? row.token }
                row.price = decimals.randomElement(using: &random) ?? 0
                row.tax = maybe(&random) { decimals.randomElement(using: &$0) ?? 0 }
                row.prices = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                    decimals.randomElement(using: &random) ?? 0
                }
                row.bytes = maybe(&random) { Data([UInt8.random(in: 0...3, using: &$0)]) }
                row.place = Place(street: text(&random), floor: maybe(&random) { Int.random(in: -2...2, using: &$0) })
                row.tags = (0..<Int.random(in: 0...3, using: &random)).map { _ in text(&random) }
                row.marks = Set(
                    (0..<Int.random(in: 0...2, using: &random)).map { _ in Int.random(in: 0...3, using: &random) })
                return row
            }
            for row in rows { row.boss = maybe(&random) { rows.randomElement(using: &$0) ?? row } }
            try session.save(rows)
        }

        // MARK: Queries

        private static func atom(_ random: inout SeededGenerator) -> Trial {
            let (text, whole, real) = (
                text(&random), wholes.randomElement(using: &random) ?? 0, reals.randomElement(using: &random) ?? 0
            )
            let small = Int.random(in: -3...3, using: &random)
            let (day, isTrue) = (moment(&random), Bool.random(using: &random))
            let few = (0..<Int.random(in: 0...3, using: &random)).map { _ in self.text(&random) }
            let bytes = Data([UInt8.random(in: 0...3, using: &random)])
            let token = token(&random)
            let (other, price) = (
                tokens.randomElement(using: &random) ?? token, decimals.randomElement(using: &random) ?? 0
            )
            switch Int.random(in: 0..<54, using: &random) {
            case 0: return { $0.name == text }
            case 1: return { $0.name != text }
            case 2: return { $0.name < text }
            case 3: return { $0.nick >= text }
            case 4: return { $0.nick == nil }
            case 5: return { $0.nick != text }
            case 6: return { $0.whole < whole }
            case 7: return { $0.whole == whole }
            case 8: return { $0.maybe > whole }
            case 9: return { $0.maybe != whole }
            case 10: return { $0.real <= real }
            case 11: return { $0.real == real }
            case 12: return { $0.score > real }
            case 13: return { $0.isOn }
            case 14: return { $0.isSure }
            case 15: return { $0.isSure != isTrue }
            case 16: return { $0.day < day }
            case 17: return { $0.day.month == abs(small) + 1 }
            case 18: return { $0.day.weekday > abs(small) }
            case 19: return { $0.token > token }
            case 20: return { $0.bytes == bytes }
            case 21: return { $0.name.hasPrefix(text) }
            case 22: return { $0.nick.hasSuffix(text) }
            case 23: return { $0.name.contains(text) }
            case 24: return { $0.name.like("%\(text.first.map(String.init) ?? "")_") }
            case 25: return { $0.name.lowercased() == text.lowercased() }
            case 26: return { $0.name.isIn(few) }
            case 27: return { $0.nick.isIn(few) }
            case 28: return { $0.small.isIn(small...3) }
            case 29: return { $0.small % 2 == small }
            case 30: return { $0.small / $0.small == 1 }
            case 31: return { $0.small * 3 - 1 > small }
            case 32: return { $0.score / 3 < 0.2 }
            case 33: return { $0.name == $0.nick }
            case 34: return { ($0.nick ?? $0.name) < text }
            case 35: return { $0.place.street == text }
            case 36: return { $0.place.floor > small }
            case 37: return { $0.tags.contains(text) }
            case 38: return { $0.tags.count > abs(small) }
            case 39: return { $0.marks.isEmpty }
            case 40: return { $0.boss.name >= text }
            case 41: return { $0.boss.boss.small != small }
            case 42: return { $0.staff.any { $0.small > small } }
            case 43: return { $0.other == other }
            case 44: return { $0.other != other }
            case 45: return { $0.other.isIn([other, token]) }
            case 46: return { ($0.other ?? $0.token) >= other }
            case 47: return { $0.price == price }
            case 48: return { $0.tax != price }
            case 49: return { $0.price.isIn([price, 1]) }
            case 50: return { ($0.tax ?? $0.price) == price }
            case 51: return { $0.tax == $0.price }
            case 52: return { $0.prices.contains(price) }
            default: return { $0.boss == nil || $0.boss.isOn }
            }
        }

        private static func condition(_ random: inout SeededGenerator, depth: Int = 0) -> Trial {
            guard depth < 3, Int.random(in: 0..<5, using: &random) > 1 else { return atom(&random) }
            let (a, b) = (condition(&random, depth: depth + 1), condition(&random, depth: depth + 1))
            switch Int.random(in: 0..<3, using: &random) {
            case 0: return { a($0) && b($0) }
            case 1: return { a($0) || b($0) }
            default: return { !a($0) }
            }
        }

        private static func ordered(_ query: Query<Asked>, _ random: inout SeededGenerator) -> Query<Asked> {
            var query = query
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let order: Query<Asked>.Order = Bool.random(using: &random) ? .ascending : .descending
                let nilLast = [nil, true, false].randomElement(using: &random) ?? nil
                switch Int.random(in: 0..<13, using: &random) {
                case 0: query = query.order(by: \.name, order)
                case 1: query = query.order(order, nilLast: nilLast) { $0.nick }
                case 2: query = query.order(order, ignoringCase: true) { $0.name }
                case 3: query = query.order(order, nilLast: nilLast) { $0.maybe }
                case 4: query = query.order(by: \.real, order)
                case 5: query = query.order(order, nilLast: nilLast) { $0.score }
                case 6: query = query.order(by: \.isOn, order)
                case 7: query = query.order(by: \.day, order)
                case 8: query = query.order(order, nilLast: nilLast) { $0.boss.name }
                case 9: query = query.order(order) { $0.small * 2 + 1 }
                case 10: query = query.order(by: \.token, order)
                case 11: query = query.order(order, nilLast: nilLast) { $0.other }
                default: query = query.order(order) { $0.place.street }
                }
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                query = query.limit(Int.random(in: 0...30, using: &random)).offset(
                    Int.random(in: 0...20, using: &random))
            }
            return query
        }

        private static func numbers(_ rows: [PersistentObject]) -> String {
            "\(rows.map { ($0 as? Asked)?.number ?? -1 })"
        }

        private static func sorted<K: Hashable, V>(_ groups: [K: V]) -> String {
            "\(groups.map { "\($0): \($1)" }.sorted())"
        }

        private static func question(_ random: inout SeededGenerator) -> () throws -> String {
            let test = condition(&random)
            let all = Asked.where(test)
            let query = ordered(all, &random)
            switch Int.random(in: 0..<30, using: &random) {
            case 0: return { "\(try query.count()) \(try query.exists())" }
            case 1: return { "\(try query.values(of: \.name, \.maybe, \.real, \.day))" }
            case 2: return { "\(try query.values { $0.boss.name })" }
            case 3: return { "\(try all.min(\.name) ?? "none") \(try all.max(\.nick) ?? "none")" }
            case 4: return { "\(String(describing: try all.sum(\.small))) \(String(describing: try all.sum(\.whole)))" }
            case 5: return { "\(String(describing: try all.average(\.score)))" }
            case 6: return { "\(String(describing: try all.min(\.real))) \(String(describing: try all.max(\.maybe)))" }
            case 7: return { sorted(try all.counted(by: \.nick)) }
            case 8: return { sorted(try all.sum(\.small, by: \.isSure)) }
            case 9: return { sorted(try all.max(\.whole, by: \.name)) }
            case 10: return { "\(try query.distinct(\.nick))" }
            case 11: return { sorted(try all.grouped(by: \.isOn).mapValues(numbers)) }
            case 12: return { "\(try query.last()?.number ?? -1) \(try query.first()?.number ?? -1)" }
            case 13: return { "\(try query.ids().count) \(numbers(try query.page(2, of: 7).items))" }
            case 14: return { "\(try query.concatenated(\.name, separator: ","))" }
            case 15:
                return {
                    var seen: [Int] = []
                    try all.forEachBatch(of: 9) { seen += $0.map(\.number) }
                    return "\(seen)"
                }
            case 16: return { numbers(try query.including(\.boss, \.staff).all()) }
            case 17: return { numbers(try query.untracked().all()) }
            case 18:
                return { "\(try query.all().map { [$0.tags.count, $0.marks.sorted().first ?? 9, $0.staff.count] })" }
            case 19: return { "\(try query.values(of: \.price, \.tax, \.token, \.other))" }
            case 20: return { "\(try query.distinct(\.price)) \(try query.distinct(\.other))" }
            case 21: return { sorted(try all.counted(by: \.tax)) + sorted(try all.counted(by: \.other)) }
            case 22:
                return { "\(String(describing: try all.min(\.token))) \(String(describing: try all.max(\.other)))" }
            case 23: return { sorted(try all.grouped(by: \.price).mapValues(numbers)) }
            case 24: return { "\(String(describing: try all.sum(\.price))) \(String(describing: try all.max(\.tax)))" }
            default: return { numbers(try query.all()) }
            }
        }

        private static func finder(_ random: inout SeededGenerator) -> () throws -> String {
            let ends: [(String, (inout SeededGenerator) -> [Any?])] = [
                ("Name", { [text(&$0)] }), ("Nick", { [maybe(&$0, text)] }), ("NickNot", { [text(&$0)] }),
                ("WholeGreaterThan", { [wholes.randomElement(using: &$0)] }), ("NameIgnoreCase", { [text(&$0)] }),
                ("WholeLessThan", { [reals.randomElement(using: &$0)] }),
                ("Real", { [wholes.randomElement(using: &$0)] }),
                ("NameContaining", { [text(&$0)] }), ("NameLike", { ["%" + text(&$0)] }), ("ScoreIsNull", { _ in [] }),
                ("SmallBetween", { [Int.random(in: -3...0, using: &$0), Int.random(in: 0...3, using: &$0)] }),
                ("SmallIn", { [[Int.random(in: -3...3, using: &$0), 2]] }), ("BossName", { [text(&$0)] }),
                ("DayBefore", { [moment(&$0)] }), ("IsOnTrue", { _ in [] }),
                ("MaybeIn", { [[maybe(&$0) { _ in 7 }, 1]] }), ("Price", { [decimals.randomElement(using: &$0)] }),
                ("TaxNot", { [decimals.randomElement(using: &$0)] }), ("Other", { [tokens.randomElement(using: &$0)] }),
                ("TaxIn", { [[decimals.randomElement(using: &$0), 1]] }), ("PriceLike", { _ in ["1%"] }),
                ("OtherIn", { [[tokens.randomElement(using: &$0), tokens[0]]] }), ("PriceIgnoreCase", { _ in [1] }),
                ("TokenLessThan", { [tokens.randomElement(using: &$0)] }), ("TaxContaining", { _ in ["5"] }),
            ]
            var (name, arguments): (String, [Any?]) = ("", [])
            for place in 0..<Int.random(in: 1...3, using: &random) {
                if place > 0 { name += Bool.random(using: &random) ? "And" : "Or" }
                guard let (words, values) = ends.randomElement(using: &random) else { continue }
                name += words
                arguments += values(&random)
            }
            name += ["", "OrderByNick", "OrderByRealDescName", "OrderByMaybeDesc"].randomElement(using: &random) ?? ""
            let (words, values) = (name, arguments)
            return Bool.random(using: &random)
                ? { numbers(try FinderCall(Asked.self, "findBy\(words)", values).objects()) }
                : { numbers(try FinderCall(Asked.self, "findFirst3By\(words)", values).objects()) }
        }

        private static func answer(_ question: () throws -> String) -> String {
            do { return try question() } catch let error as StoreError {
                return "StoreError \(error.code) \(error.message)"
            } catch {
                return "\(type(of: error)) \(error)"
            }
        }

        @Test(
            "random queries and finders return the same rows, values and errors as in a file",
            arguments: SeededGenerator.seeds(40))
        func questions(seed: UInt64) throws {
            let (server, file) = (try TemporaryStore(), try TemporaryStore())
            let stores = [try Store(file.path, engine: SQLiteEngine()), try server.open()]
            defer { for store in stores { store.close() } }
            let answers = try stores.map { (store: Store) throws in
                try store.withSession { (session: Session) throws -> [(answer: String, statements: [String])] in
                    try Self.fill(session, seed: seed)
                    try session.reset()
                    var random = SeededGenerator(seed: seed &+ 1000)
                    let log = try StatementLog(session)
                    return (0..<150).map { number in
                        let known = log.statements.count
                        let answer = Self.answer(number % 3 == 0 ? Self.finder(&random) : Self.question(&random))
                        return (answer, Array(log.statements[known...]))
                    }
                }
            }
            for (number, (inFile, onServer)) in zip(answers[0], answers[1]).enumerated()
            where inFile.answer != onServer.answer {
                Issue.record(
                    """
                    SEED=\(seed), question \(number): \(inFile.answer)
                    but on the server: \(onServer.answer)
                    \(inFile.statements.joined(separator: "\n"))
                    \(onServer.statements.joined(separator: "\n"))
                    """)
            }
        }
    }
#endif
