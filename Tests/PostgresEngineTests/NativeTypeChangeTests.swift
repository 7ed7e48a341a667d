#if PostgreSQL
    import Foundation
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentObjects

    /// A class, with the type of its values as a parameter.
    private enum Version<Value: Codable & Sendable & Hashable> {
        final class Box: PersistentObject {
            override class var tableName: String { "native_box" }
            var number = 0
            var value: Value?
            var list: [Value] = []
        }
    }

    private final class Old: PersistentObject {
        override class var tableName: String { "native_old" }
        override class var identity: Identity { .uuid }
        @Unique var number = 0
        @Unique var token = UUID()
        @Indexed var price = Decimal(0)
        var tax: Decimal?
        var tokens: Set<UUID> = []
        var prices: [UUID: Decimal] = [:]
        var next: Old?
    }

    private final class Theirs: PersistentObject {
        override class var tableName: String { "native_theirs" }
        override class var origin: TableOrigin { .existing(id: "nr") }
        var token = UUID()
        @Column("bytes", format: .uuidBlob) var bytes: UUID?
        @Column("text", format: .uuidText) var text = UUID()
        var price = Decimal(0)
        var exact: Decimal?
        var count = 0
        var size = 0.0
        @Column("next") var next: Theirs?
    }

    private enum Apart {
        class Animal: PersistentObject {
            override class var tableName: String { "animal" }
            override class var identity: Identity { .uuid }
            var name = ""
        }

        final class Cat: PersistentObject {
            override class var tableName: String { "cat" }
            override class var identity: Identity { .uuid }
            var name = ""
            var token = UUID()
            var price = Decimal(0)
            var tax: Decimal?
            var tokens: Set<UUID> = []
            var prices: [UUID: Decimal] = [:]
            var friend: Cat?
        }
    }

    private enum Joined {
        class Animal: PersistentObject {
            override class var tableName: String { "animal" }
            override class var identity: Identity { .uuid }
            var name = ""
        }

        final class Cat: Animal {
            override class var formerTableNames: [String] { ["cat"] }
            var token = UUID()
            var price = Decimal(0)
            var tax: Decimal?
            var tokens: Set<UUID> = []
            var prices: [UUID: Decimal] = [:]
            var friend: Cat?
        }
    }

    /// Columns of earlier versions and of existing tables, and the server's native types for UUIDs and decimal
    /// numbers.
    @Suite(.onPostgres("SQLite has no such types")) struct NativeTypeChangeTests {
        private func open<R>(_ file: TemporaryStore, _ body: (Store, Session) throws -> R) throws -> R {
            let store = try file.open()
            defer { store.close() }
            return try store.withSession { try body(store, $0) }
        }

        private func type(_ file: TemporaryStore, _ table: String, _ column: String) throws -> String {
            try file.sqlite(
                """
                SELECT data_type FROM information_schema.columns WHERE table_schema = current_schema() \
                AND table_name = '\(table)' AND column_name = '\(column)'
                """)
        }

        private func change<From, To>(_ values: [From], to wanted: [To], _ type: String) throws
        where From: Codable & Sendable & Hashable, To: Codable & Sendable & Hashable {
            let file = try TemporaryStore()
            try open(file) { _, session in
                let boxes = values.enumerated().map { number, value in
                    let box = Version<From>.Box()
                    (box.number, box.value, box.list) = (number, value, [value, values[0]])
                    return box
                }
                try session.save(boxes + [Version<From>.Box()])
            }
            try open(file) { store, _ in
                let found = try Version<To>.Box.query.order(by: \.id).all()
                #expect(found.map(\.value) == wanted.map { $0 } + [nil], "\(From.self) to \(To.self)")
                #expect(found.map(\.list) == wanted.map { [$0, wanted[0]] } + [[]], "\(From.self) to \(To.self)")
                #expect(try store.schemaPlan(for: Version<To>.Box.self).isEmpty)
            }
            #expect(try self.type(file, "native_box", "value") == type)
            #expect(try self.type(file, "native_box_list", "value") == type)
        }

        @Test("a change of a property's type converts the values in both directions")
        func changes() throws {
            let tokens = [UUID(), UUID(), UUID()]
            try change(tokens.map(\.uuidString), to: tokens, "uuid")
            try change(tokens, to: tokens.map(\.uuidString), "text")
            try change(tokens, to: tokens.map { withUnsafeBytes(of: $0.uuid) { Data($0) } }, "bytea")
            let texts = ["1.5", "-0.001", "12345678901234567890.123456789", "0"]
            let prices = texts.compactMap { Decimal(string: $0) }
            try change(texts, to: prices, "numeric")
            try change(prices, to: texts, "text")
            try change(
                [1.5, -0.25, 1e20, 0],
                to: [1.5, -0.25, Decimal(sign: .plus, exponent: 20, significand: 1), 0] as [Decimal], "numeric")
            try change([1.5, -0.25, 3] as [Decimal], to: [1.5, -0.25, 3] as [Double], "double precision")
            try change([7, -1, .max], to: [7, -1, 9_223_372_036_854_775_807] as [Decimal], "numeric")
            try change([7, -1, 0] as [Decimal], to: [7, -1, 0] as [Int], "bigint")
        }

        @Test("a value without an exact conversion throws and changes nothing")
        func inexact() throws {
            let file = try TemporaryStore()
            try open(file) { _, _ in
                let box = Version<String>.Box()
                box.value = "x"
                try box.save()
            }
            let before = try file.sqlite(".dump")
            for _ in 1...2 {
                #expect(throws: SchemaError.self) { () throws in
                    try open(file) { _, _ in _ = try Version<UUID>.Box.all() }
                }
                #expect(throws: SchemaError.self) { () throws in
                    try open(file) { _, _ in _ = try Version<Decimal>.Box.all() }
                }
            }
            #expect(try file.sqlite(".dump") == before)
        }

        @Test("bytea and text columns of earlier versions are converted to native types once")
        func earlier() throws {
            let file = try TemporaryStore()
            var wanted: [String] = []
            func texts(_ all: [Old]) -> [String] {
                all.map {
                    "\($0.key ?? "") \($0.number) \($0.token) \($0.price) \($0.tax ?? -1) \($0.next?.number ?? -1) "
                        + "\($0.tokens.map(\.uuidString).sorted()) \($0.prices.map { "\($0) \($1)" }.sorted())"
                }
            }
            try open(file) { _, session in
                var random = SeededGenerator(seed: 1)
                let all = (0..<50).map { number in
                    let old = Old()
                    (old.number, old.price) = (number, NativeValues.decimal(&random))
                    old.tax = number % 2 == 0 ? nil : 1.25
                    old.tokens = [UUID(), UUID()]
                    old.prices = [UUID(): NativeValues.decimal(&random)]
                    return old
                }
                for (place, old) in all.enumerated() { old.next = all[(place + 1) % all.count] }
                try session.save(all)
                wanted = texts(all)
            }
            func bytes(_ column: String) -> String {
                """
                ALTER COLUMN \(column) DROP DEFAULT, ALTER COLUMN \(column) TYPE bytea \
                USING decode(replace(\(column)::text, '-', ''), 'hex')
                """
            }
            func text(_ column: String) -> String {
                "ALTER COLUMN \(column) DROP DEFAULT, ALTER COLUMN \(column) TYPE text COLLATE \"C\""
            }
            _ = try file.sqlite(
                """
                ALTER TABLE native_old \(bytes("key")), \(bytes("token")), \(text("price")), \(text("tax"));
                ALTER TABLE native_old_tokens \(bytes("value"));
                ALTER TABLE native_old_prices \(bytes("key")), \(text("value"));
                """)
            try open(file) { store, session in
                let plan = try store.schemaPlan(for: Old.self)
                let changed = Set(plan.changes.compactMap(\.property))
                #expect(changed == ["key", "token", "price", "tax", "tokens", "prices"], "\(changed)")
                #expect(texts(try Old.query.order(by: \.number).all()) == wanted)
                #expect(try store.schemaPlan(for: Old.self).isEmpty)
                let twice = Old()
                (twice.number, twice.token) = (51, try Old.findOnlyByNumber(3).token)
                #expect(throws: StoreError.self) { () throws in try twice.save() }
                twice.token = UUID()
                try twice.save()
                #expect(try Old.find(twice.key ?? "") === twice)
            }
            for (column, wanted) in [("key", "uuid"), ("token", "uuid"), ("price", "numeric"), ("tax", "numeric")] {
                #expect(try type(file, "native_old", column) == wanted)
            }
            #expect(try type(file, "native_old_prices", "value") == "numeric")
            try open(file) { store, _ throws in
                #expect(try store.schemaPlan(for: Old.self).isEmpty)
                #expect(try Old.count() == 51)
            }
        }

        @Test("rows that move to the table of another class keep their values")
        func moves() throws {
            let file = try TemporaryStore()
            var wanted: [String] = []
            try open(file) { _, session in
                try Apart.Animal().save()
                let cats = (0..<5).map { number in
                    let cat = Apart.Cat()
                    (cat.name, cat.price, cat.tax) = ("\(number)", Decimal(number) / 8, number == 2 ? nil : 1.5)
                    (cat.tokens, cat.prices) = ([UUID(), UUID()], [UUID(): Decimal(number) / 4])
                    return cat
                }
                for (place, cat) in cats.enumerated() { cat.friend = cats[(place + 1) % 5] }
                try session.save(cats)
                wanted = cats.map {
                    "\($0.name) \($0.key ?? "") \($0.token) \($0.price) \($0.tax ?? 0) \($0.tokens.sorted()) \($0.prices) "
                        + "\($0.friend?.name ?? "")"
                }
            }
            try open(file) { store, _ in
                try store.prepare(Joined.Animal.self, Joined.Cat.self)
                let found = try Joined.Cat.query.order(by: \.name).all().map {
                    "\($0.name) \($0.key ?? "") \($0.token) \($0.price) \($0.tax ?? 0) \($0.tokens.sorted()) \($0.prices) "
                        + "\($0.friend?.name ?? "")"
                }
                #expect(found == wanted)
                #expect(try Joined.Animal.query.all().allSatisfy { $0.key?.count == 36 } && Joined.Animal.count() == 6)
                #expect(try store.schemaPlan(for: Joined.Cat.self).isEmpty)
            }
            #expect(try type(file, "animal", "price") == "numeric" && type(file, "animal", "key") == "uuid")
            #expect(try type(file, "animal_tokens", "value") == "uuid")
        }

        @Test("existing tables keep the types of their columns")
        func theirs() throws {
            let file = try TemporaryStore()
            try open(file) { _, _ in }
            _ = try file.sqlite(
                """
                CREATE TABLE native_theirs (nr numeric PRIMARY KEY, token uuid NOT NULL, bytes bytea, text uuid,
                    price numeric(30,4) NOT NULL, exact numeric, count numeric NOT NULL, size numeric(10,2) NOT NULL,
                    next numeric REFERENCES native_theirs);
                INSERT INTO native_theirs VALUES
                    (1, '00000000-0000-0000-0000-000000000001', NULL, '00000000-0000-0000-0000-000000000002',
                    12345678901234567890.1234, 0.10, 7, 2.5, NULL),
                    (2, '00000000-0000-0000-0000-000000000003', decode('00000000000000000000000000000004', 'hex'),
                    '00000000-0000-0000-0000-000000000005', 2.5, NULL, 0, 1, 1);
                """)
            let before = try type(file, "native_theirs", "nr")
            try open(file) { store, session in
                let all = try Theirs.query.order(by: \.id).all()
                #expect(all.map(\.id) == [1, 2] && all[1].next === all[0])
                #expect(all[0].token.uuidString.hasSuffix("1") && all[0].text.uuidString.hasSuffix("2"))
                #expect(all[1].bytes?.uuidString.hasSuffix("4") == true && all[0].bytes == nil)
                #expect(all[0].price == Decimal(string: "12345678901234567890.1234") && all[1].price == 2.5)
                #expect(all[0].exact == Decimal(string: "0.1") && all[0].count == 7 && all[0].size == 2.5)
                let (token, text) = (all[0].token, all[0].text)
                #expect(try Theirs.findByToken(token) == [all[0]] && Theirs.findByTokenIn([token]) == [all[0]])
                #expect(try Theirs.findByText(text) == [all[0]] && Theirs.where { $0.text.isIn([text]) }.count() == 1)
                #expect(
                    try Theirs.findByPriceIn([2.5, 3] as [Decimal]) == [all[1]] && Theirs.findByCountIn([7]) == [all[0]]
                )
                #expect(try Theirs.find([2, 1]).count == 2)
                let new = Theirs()
                (new.price, new.exact, new.count, new.size) = (0.25, 38.125, 9, 1.5)
                (new.bytes, new.next) = (UUID(), all[1])
                try new.save()
                all[0].exact = -1
                try all[0].save()
                try session.reset()
                let again = try Theirs.query.order(by: \.id).all()
                #expect(again.map(\.exact) == [-1, nil, 38.125] && again[2].bytes == new.bytes)
                #expect(again[2].text == new.text && again[2].token == new.token && again[2].next === again[1])
                #expect(try store.schemaPlan(for: Theirs.self).isEmpty)
            }
            #expect(try type(file, "native_theirs", "nr") == before)
        }
    }
#endif
