#if PostgreSQL
    import Foundation
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private struct Label: RawRepresentable, Hashable, Sendable {
        let rawValue: UUID
        init(rawValue: UUID) { self.rawValue = rawValue }
    }

    private final class Part: PersistentObject {
        override class var tableName: String { "native_part" }
        static let first = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        @Unique var number = 0
        var token = UUID()
        var maybe: UUID?
        @Unique var code = UUID()
        var fixed = Part.first
        var label = Label(rawValue: Part.first)
        @Indexed var price = Decimal(0)
        var tax: Decimal?
        @Unique var rate: Decimal?
        var limit = Decimal(string: "-12.5") ?? 0
        var tokens: [UUID] = []
        var tokenSet: Set<UUID> = []
        var prices: [Decimal?] = []
        var priceSet: Set<Decimal> = []
        var byToken: [UUID: Decimal] = [:]
        var byPrice: [Decimal: UUID] = [:]
    }

    private final class Case: PersistentObject {
        override class var tableName: String { "native_case" }
        override class var identity: Identity { .uuid }
        var name = ""
        var next: Case?
        var inner: [Case] = []
    }

    private final class Bulk: PersistentObject {
        override class var tableName: String { "native_bulk" }
        var token = UUID()
        var price = Decimal(0)
        var tax: Decimal?
    }

    /// Random values, including edge cases.
    enum NativeValues {
        static func token(_ random: inout SeededGenerator) -> UUID {
            var bytes = UUID().uuid
            withUnsafeMutableBytes(of: &bytes) { bytes in
                for place in bytes.indices { bytes[place] = .random(in: 0...255, using: &random) }
            }
            return UUID(uuid: bytes)
        }

        static func decimal(_ random: inout SeededGenerator) -> Decimal {
            let odd = ["0", "1", "-1", "0.1", "100", "10000", "-0.0001", "9999.9999", "123456789012345678"]
            if Int.random(in: 0..<20, using: &random) == 0 {
                return Decimal(string: odd.randomElement(using: &random) ?? "0") ?? 0
            }
            // The digits may include trailing zeros.
            let count = [1, 2, 4, 8, 15, 16, 17, 19, 20, 37, 38].randomElement(using: &random) ?? 1
            let digits = (0..<count).map { _ in
                String([0, 9, Int.random(in: 0...9, using: &random)].randomElement(using: &random) ?? 0)
            }
            let significand = Decimal(string: digits.joined()) ?? 0
            let exponent =
                [-128, 127, 0, -2, -4, -38, 38, Int.random(in: -128...127, using: &random)]
                .randomElement(using: &random) ?? 0
            let number = Decimal(
                sign: Bool.random(using: &random) ? .plus : .minus, exponent: exponent, significand: significand)
            // Some exponents are out of range for a Decimal.
            return number.isNaN ? decimal(&random) : number
        }
    }

    /// UUIDs have columns of type uuid, decimal numbers have columns of type numeric, and queries return the same
    /// results as in a file.
    @Suite(.onPostgres("it compares a server with a file")) struct NativeTypeTests {
        /// Does the same in a file and on a server, and compares the results.
        private func same<R: Equatable>(
            _ place: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
            _ body: (Store, Session) throws -> R
        ) throws -> R {
            let (server, file) = (try TemporaryStore(), try TemporaryStore())
            let stores = [try Store(file.path, engine: SQLiteEngine()), try server.open()]
            defer { for store in stores { store.close() } }
            let results = try stores.map { store in try store.withSession { try body(store, $0) } }
            #expect(results[0] == results[1], place, sourceLocation: sourceLocation)
            return results[1]
        }

        private static func parts(_ random: inout SeededGenerator) -> [Part] {
            let prices = (0..<9).map { _ in NativeValues.decimal(&random) }
            return (0..<40).map { number in
                let part = Part()
                part.number = number
                part.token = NativeValues.token(&random)
                part.maybe = number % 3 == 0 ? nil : NativeValues.token(&random)
                part.code = NativeValues.token(&random)
                part.price = prices[number % prices.count]
                part.tax = number % 4 == 0 ? nil : prices[number % 5]
                part.rate = number % 5 == 0 ? nil : Decimal(number) / 8
                part.tokens = (0..<number % 4).map { _ in NativeValues.token(&random) }
                part.tokenSet = Set(part.tokens)
                part.prices = [prices[number % 4], nil, prices[number % 7]]
                part.priceSet = [prices[number % 4], prices[number % 6]]
                part.byToken = Dictionary(uniqueKeysWithValues: part.tokens.map { ($0, prices[number % 3]) })
                part.byPrice = [prices[number % 7]: part.token]
                return part
            }
        }

        private static func text(_ part: Part) -> String {
            """
            \(part.number) \(part.token) \(part.maybe?.uuidString ?? "nil") \(part.code) \(part.fixed) \(part.label) \
            \(part.price) \(part.tax.map { "\($0)" } ?? "nil") \(part.rate.map { "\($0)" } ?? "nil") \(part.limit) \
            \(part.tokens) \(part.tokenSet.map(\.uuidString).sorted()) \(part.prices) \(part.priceSet.sorted()) \
            \(part.byToken.map { "\($0): \($1)" }.sorted()) \(part.byPrice)
            """
        }

        private static func types(_ file: TemporaryStore, _ table: String) throws -> String {
            try file.sqlite(
                """
                SELECT string_agg(column_name || ' ' || data_type, ',' ORDER BY column_name) FROM \
                information_schema.columns WHERE table_schema = current_schema() AND table_name = '\(table)' \
                AND data_type IN ('uuid', 'numeric', 'bytea', 'text')
                """)
        }

        @Test("columns have native types, also in collection tables and for keys")
        func declaredTypes() throws {
            try withTemporarySession { _, file in
                _ = (try Part.count(), try Case.count())
                #expect(
                    try Self.types(file, "native_part")
                        == "code uuid,fixed uuid,label uuid,limit numeric,maybe uuid,price numeric,rate numeric,"
                        + "tax numeric,token uuid")
                #expect(try Self.types(file, "native_part_tokens") == "value uuid")
                #expect(try Self.types(file, "native_part_token_set") == "value uuid")
                #expect(try Self.types(file, "native_part_prices") == "value numeric")
                #expect(try Self.types(file, "native_part_price_set") == "value numeric")
                #expect(try Self.types(file, "native_part_by_token") == "key uuid,value numeric")
                #expect(try Self.types(file, "native_part_by_price") == "key numeric,value uuid")
                #expect(try Self.types(file, "native_case") == "key uuid,name text")
                _ = try file.sqlite(
                    "INSERT INTO native_part (number) VALUES (1); INSERT INTO native_case (name) VALUES ('a')")
                #expect(
                    try file.sqlite("SELECT fixed, price, \"limit\", tax, token FROM native_part")
                        == "\(Part.first.uuidString.lowercased())|0|-12.5||00000000-0000-0000-0000-000000000000")
                #expect(try file.sqlite("SELECT uuid_send(key)::text ~ '^.x.{12}4' FROM native_case") == "t")
            }
        }

        @Test("random UUIDs and decimal numbers read back exactly", arguments: SeededGenerator.seeds(4))
        func roundTrips(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let values = (0..<2000).map { _ in
                (NativeValues.token(&random), NativeValues.decimal(&random), NativeValues.decimal(&random))
            }
            // Inserted with statements, and with COPY.
            for repetitions in [1, 2] {
                let wanted = Array(repeatElement(values, count: repetitions).joined())
                let found = try same { _, session in
                    let all = wanted.map { token, price, tax in
                        let bulk = Bulk()
                        (bulk.token, bulk.price, bulk.tax) = (token, price, tax)
                        return bulk
                    }
                    if repetitions == 1 {
                        try session.save(Array(all[..<1000]))
                        try session.save(Array(all[1000...]))
                    } else {
                        try session.save(all)
                    }
                    try session.reset()
                    let again = try Bulk.query.order(by: \.id).all()
                    #expect(again.map(\.token) == wanted.map(\.0))
                    #expect(again.map(\.price) == wanted.map(\.1) && again.map(\.tax) == wanted.map(\.2))
                    let rows = try session.rows("SELECT token, price FROM native_bulk ORDER BY id")
                    return again.map { "\($0.token) \($0.price) \($0.tax ?? 0)" } + rows.map { "\($0.values)" }
                }
                #expect(found.count == wanted.count * 2)
            }
        }

        @Test("NaN and arithmetic with decimal numbers in SQL are rejected")
        func refusals() throws {
            let errors = try same { _, session in
                let bulk = Bulk()
                bulk.price = .nan
                let calls: [() throws -> Void] = [
                    { try session.save(bulk) }, { try Bulk.query.update { $0.price += 1 } },
                    { _ = try Bulk.where { $0.price * 2 > 1 }.count() },
                ]
                return calls.map { call in
                    do {
                        try call()
                        return "none"
                    } catch { return "\(error)" }
                }
            }
            #expect(errors.allSatisfy { $0 != "none" }, "\(errors)")
        }

        @Test("queries return the same results as in a file", arguments: SeededGenerator.seeds(8))
        func questions(seed: UInt64) throws {
            let answers = try same { _, session in
                var random = SeededGenerator(seed: seed)
                try session.save(Self.parts(&random))
                try session.reset()
                let all = try Part.query.order(by: \.number).all()
                let (part, other) = (all[7], all[20])
                let (price, token, code) = (part.price, part.token, part.code)
                let element = try #require(part.prices[0])
                try session.reset()
                func numbers(_ parts: [Part]) -> String { "\(parts.map(\.number).sorted())" }
                func sorted<K: Hashable, V>(_ groups: [K: V]) -> String { "\(groups.map { "\($0): \($1)" }.sorted())" }
                let conditions: [(Columns<Part>) -> Condition] = [
                    { $0.price == price }, { $0.price != price }, { $0.tax == price }, { $0.tax != price },
                    { $0.tax == nil }, { $0.tax == $0.price }, { $0.tax != $0.price },
                    { ($0.tax ?? $0.price) == $0.price }, { ($0.tax ?? 1) == 1 }, { $0.price.isIn([price, 1, 0.5]) },
                    { $0.price > price }, { $0.tax <= price }, { $0.price >= $0.tax },
                    { $0.price.isIn(min(0, price)...max(0, price)) },
                    { $0.tax.isIn([price, 99]) }, { !$0.price.isIn([]) }, { $0.price.isIn([Decimal]()) },
                    { $0.token == token }, { $0.token > token }, { $0.maybe <= token }, { $0.maybe == nil },
                    { $0.token.isIn([token, other.token]) }, { $0.maybe.isIn([token, other.token]) },
                    { ($0.maybe ?? $0.token) == $0.token }, { $0.code.isIn([code]) },
                    { $0.prices.contains(element) }, { $0.priceSet.contains(price) },
                    { $0.tokens.contains(part.tokens[0]) }, { $0.tokenSet.contains(token) },
                    { $0.tokens.count > 1 && $0.label == Label(rawValue: Part.first) },
                ]
                var answers = try conditions.map { numbers(try Part.where($0).all()) }
                answers += try Part.query.order(by: \.number).all().map(Self.text)
                let query = Part.query
                answers += [
                    "\(try query.order(by: \.token, .descending).all().map(\.number))",
                    "\(try query.order(by: \.maybe).order(by: \.number).all().map(\.number))",
                    "\(try query.order(by: \.price).order(by: \.number).all().map(\.number))",
                    "\(String(describing: try query.min(\.tax))) \(String(describing: try query.max(\.price)))",
                    "\(try query.distinct(\.price)) \(try query.distinct(\.tax)) \(try query.distinct(\.token))",
                    "\(try query.order(by: \.number).distinct(\.price))",
                    "\(try query.order(by: \.number).values(of: \.price, \.tax, \.token, \.maybe))",
                    "\(try query.order(by: \.number).values { part -> Term<Decimal, Decimal> in part.tax ?? part.price })",
                    "\(try query.order(by: \.number).values { part -> Term<UUID, UUID> in part.maybe ?? part.token })",
                    "\(String(describing: try query.min(\.token))) \(String(describing: try query.max(\.maybe)))",
                    sorted(try query.counted(by: \.price)), sorted(try query.counted(by: \.maybe)),
                    sorted(try query.grouped(by: \.tax).mapValues { numbers($0) }),
                    sorted(try query.sum(\.number, by: \.price)), sorted(try query.max(\.token, by: \.number)),
                    "\(try query.sum(\.rate) ?? 0) \(try query.average(\.rate) ?? 0)",
                    numbers(try Part.findByPrice(price)), numbers(try Part.findByTaxIn([price, 3])),
                    numbers(try Part.findByTokenOrCode(token, code)), numbers(try Part.findByMaybeIn([token, nil])),
                    numbers(try Part.findByTokenGreaterThanOrderByToken(token)),
                    numbers(try Part.findByPriceLike("1%")), numbers(try Part.findByPriceIgnoreCase(price)),
                    numbers(try Part.findByPricesContaining(element)),
                    numbers(try Part.findByCriteria("WHERE price = ? AND token IN (?)", price, all.map(\.token))),
                    "\(try session.rows("SELECT number FROM native_part WHERE token IN (?) ORDER BY 1", [token, code]))",
                    "\(try session.rows("SELECT price, token FROM native_part WHERE code = ?", code).map(\.values))",
                ]
                for query in [query.order(by: \.token), query.order(by: \.maybe, .descending)] {
                    var page = try query.limit(7).all()
                    while let last = page.last {
                        answers.append("\(page.map(\.number)) \(try query.before(last, limit: 3).map(\.number))")
                        page = try query.after(last, limit: 7)
                    }
                }
                try query.update { $0.tax = $0.tax ?? $0.price }
                try Part.where { $0.number > 20 }.update { $0.price = 2.50 }
                try Part.where { $0.number > 30 }.update { ($0.maybe, $0.token) = ($0.token, Part.first) }
                answers += try query.order(by: \.number).all().map(Self.text)
                return answers
            }
            #expect(answers.count > 100)
        }
    }
#endif
