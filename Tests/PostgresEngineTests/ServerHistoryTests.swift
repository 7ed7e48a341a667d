#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Sample: PersistentObject {
        override class var tableName: String { "sample" }
        override class var keepsHistory: Bool { true }
        var name = ""
        var real: Double?
        var number: Decimal?
        var id128: UUID?
        var bytes: [UInt8]?
        var flag = false
    }

    private final class Person: PersistentObject {
        override class var tableName: String { "person" }
        override class var keepsHistory: Bool { true }
        var name = ""
        var tags: [String] = []
        var codes: Set<Int> = []
        var marks: [String: Double] = [:]
        @Inverse(\Pet.owner, onDelete: .cascade) var pets: [Pet]
    }

    private final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        override class var keepsHistory: Bool { true }
        var name = ""
        var owner: Person?
    }

    /// A class with more columns than an entry has places for.
    private final class Wide: PersistentObject {
        override class var tableName: String { "wide" }
        override class var keepsHistory: Bool { true }
        var (a, b, c, d, e, f, g) = (0, 0, 0, 0, 0, 0, 0)
        var (h, i, j, k, l, m, n) = (0, 0, 0, 0, 0, 0, 0)
        var tags: [String] = []
    }

    private final class Sealed: PersistentObject {
        override class var tableName: String { "sealed" }
        override class var keepsHistory: Bool { true }
        @Encrypted var secret = ""
    }

    /// The history of rows that triggers on a server write.
    @Suite(.onPostgres("the triggers of a file are others")) struct ServerHistoryTests {
        private func open<R>(_ address: String, _ body: (Session) throws -> R) throws -> R {
            let store = try Store(.postgres(address))
            defer { store.close() }
            return try store.withSession { try body($0) }
        }

        @Test func `values of every type come back exactly`() throws {
            let reals: [Double?] = [
                0.1 + 0.2, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e15, 123_456,
                -1e-5, 9_007_199_254_740_994, nil,
            ]
            let decimals = ["0", "-0.10", "12345678901234567890123456789012345678", "1e-120", "1e120", "7.50"]
            try withTemporarySession { session, file in
                _ = try Sample.count()
                let sample = Sample()
                try sample.save()
                for (place, real) in reals.enumerated() {
                    sample.real = real
                    sample.number = Decimal(string: decimals[place % decimals.count])
                    sample.id128 = place % 3 == 0 ? nil : UUID()
                    sample.bytes = place % 4 == 0 ? nil : [UInt8](0..<UInt8(place)) + [0, 255]
                    sample.name = ["", "'\"\\ {},NULL", "ü\u{301}\u{1F600}", "\u{1}"][place % 4]
                    sample.flag.toggle()
                    try sample.save()
                    let entry = try #require(try sample.history.all().last)
                    if try entry.didChange(\Sample.real) {
                        #expect(try (entry.new(\Sample.real) ?? nil)?.bitPattern == real?.bitPattern, "\(place)")
                    }
                    #expect(try !entry.didChange(\Sample.name) || entry.new(\Sample.name) == sample.name)
                    #expect(try entry.new(\Sample.flag) == sample.flag)
                    #expect(try entry.didChange(\Sample.number) && entry.new(\Sample.number) == sample.number)
                    #expect(try !entry.didChange(\Sample.id128) || entry.new(\Sample.id128) == sample.id128)
                    #expect(try !entry.didChange(\Sample.bytes) || entry.new(\Sample.bytes) == sample.bytes)
                }
                // The triggers write all digits even in a session that does not show them.
                _ = try file.sqlite("SET extra_float_digits = -15; UPDATE sample SET real = 0.1::float8 + 0.2::float8")
                let last = try #require(try sample.history.all().last)
                try expect(last.new(\Sample.real), 0.1 + 0.2)
                try expect(HistoryValue.where { $0.old == .real(1e15) && $0.new == .real(123_456) }.count(), 1)
                try expect(HistoryValue.where { $0.new == .integer(1) && $0.column == "flag" }.count(), 6)
                let shown = try file.sqlite(
                    "SELECT old, new FROM po_history_value WHERE \"column\" = 'name' AND new[2] LIKE '%NULL%' LIMIT 1")
                expect(shown, #"{text,""}|{text,"'\"\\ {},NULL"}"#)
            }
        }

        #if Encryption
            @Test func `a history of encrypted properties is refused`() throws {
                let keys = try Keyring.provider(current: 1) { _ in [UInt8](repeating: 7, count: 32) }
                let database = try PostgresDatabase()
                let store = try Store(.postgres(database.address()), configuration: .init(keyring: keys))
                defer { store.close() }
                try store.withSession { _ in
                    let error = #expect(throws: StoreError.self) { () throws in _ = try Sealed.count() }
                    #expect(error?.code == .unsupported && error?.className == "Sealed" && error?.property == "secret")
                    expect(error?.message.contains("keeps no history of encrypted values"), true)
                }
            }
        #endif

        @Test func `a history of a table with a long name is refused`() throws {
            try withTemporarySession { session, _ in
                final class Long: PersistentObject {
                    override class var tableName: String { String(repeating: "t", count: 47) }
                    override class var keepsHistory: Bool { true }
                }
                let long = #expect(throws: StoreError.self) { () throws in _ = try Long.count() }
                #expect(
                    long?.code == .unsupported && long?.message.contains("63 at most") == true
                        && long?.className == "Long", "\(long as Any)")
            }
        }

        @Test func `statements of other programs are recorded, whatever their search_path is`() throws {
            let database = try PostgresDatabase()
            let address = database.address()
            try open(address) { session in
                session.author = "ann"
                let (joe, jim, kim) = (Person(), Person(), Person())
                (joe.name, joe.tags, joe.codes, joe.marks) = ("Joe", ["a", "b", "c"], [1, 2], ["m": 0.5])
                (jim.name, kim.name) = ("Jim", "Kim")
                let pet = Pet()
                pet.owner = joe
                try session.save([joe, jim, kim, pet])
            }
            let time = Date()
            Thread.sleep(forTimeInterval: 0.01)
            _ = try database.psql(
                """
                SET search_path = pg_catalog; SET client_min_messages = warning;
                UPDATE public.person SET name = name || '!';
                UPDATE public.person_tags SET position = position + 1000, value = upper(value) WHERE value <> 'a';
                UPDATE public.person_codes SET owner_id = (SELECT id FROM public.person WHERE name = 'Jim!') WHERE value = 2;
                UPDATE public.person_marks SET key = 'k';
                UPDATE public.person SET id = id + 100000 WHERE name = 'Kim!';
                DELETE FROM public.pet;
                TRUNCATE public.person CASCADE;
                """)
            try open(address) { _ in
                let entries = try Person.history.order(by: \.id).all()
                let joe = try #require(entries.first?.object)
                expect(
                    entries.filter { $0.object == joe }.map(\.change),
                    [.created, .changed, .changed, .changed, .changed, .deleted])
                expect(Set(entries.prefix(3).map(\.author)), ["ann"])
                expect(Set(entries.dropFirst(3).map(\.author)), [nil])
                // All statements were one transaction for each line, because psql commits each of them.
                let last = try #require(entries.last { $0.object == joe })
                expect(last.elements.count, 5)
                expect(
                    last.elements.filter { $0.table == "person_tags" }.map(\.old), [.text("a"), .text("B"), .text("C")])
                expect(
                    entries.filter { $0.object == joe + 1 }.map(\.change), [.created, .changed, .changed, .deleted])
                let kims = entries.filter { $0.object == joe + 2 || $0.object > 100_000 }
                expect(kims.map(\.change), [.created, .changed, .deleted, .created, .deleted])
                try expect(Pet.history.all().map(\.change), [.created, .deleted])
                // The history reconstructs each state.
                let again = try Person.restored(joe, to: time)
                #expect(again.name == "Joe" && again.tags == ["a", "b", "c"] && again.codes == [1, 2])
                expect(again.marks, ["m": 0.5])
                let changed = try Person.restored(joe, to: entries.filter { $0.object == joe }[4].date)
                #expect(changed.name == "Joe!" && changed.codes == [1])
            }
        }

        @Test func `a role without rights on the history has its changes recorded`() throws {
            let database = try PostgresDatabase()
            let role = try database.role("app")
            try open(database.address()) { _ in try Person().save() }
            _ = try database.psql(
                """
                GRANT SELECT, INSERT, UPDATE, DELETE ON person, person_tags, pet TO \(role);
                GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO \(role);
                CREATE SCHEMA other AUTHORIZATION \(role);
                """)
            // Functions with the names of PostgreSQL's must not run with the rights of the owner.
            _ = try database.psql(
                """
                CREATE FUNCTION other.current_setting(text, boolean) RETURNS text LANGUAGE sql AS $$SELECT '=forged'$$;
                CREATE TABLE other.po_history_entry (id int);
                SET search_path = other, pg_catalog;
                UPDATE public.person SET name = 'x';
                INSERT INTO public.person_tags SELECT id, 1, 'a' FROM public.person;
                DELETE FROM public.person_tags;
                """, as: role)
            func refusal(_ sql: String) -> String {
                do { return try database.psql(sql, as: role) } catch { return "\(error)" }
            }
            #expect(refusal("SELECT * FROM po_history_entry").contains("permission denied for table po_history_entry"))
            // The role cannot run a function for a table of its own.
            let forged = refusal(
                """
                CREATE TABLE other.mine (id bigint, name text);
                CREATE TRIGGER forged AFTER INSERT ON other.mine REFERENCING NEW TABLE AS "po n" FOR EACH STATEMENT
                EXECUTE FUNCTION public."person.history.insert"();
                """)
            #expect(forged.contains("permission denied for function public.person.history.insert"), "\(forged)")
            try open(database.address()) { _ in
                try expect(Person.history.all().map(\.author), [nil, nil, nil, nil])
                try expect(Person.history.all().map { $0.elements.map(\.change) }, [[], [], [.added], [.removed]])
            }
        }

        @Test func `concurrent transactions that write entries do not conflict`() throws {
            let database = try PostgresDatabase()
            let (one, two) = (try Store(.postgres(database.address())), try Store(.postgres(database.address())))
            defer { one.close() }
            defer { two.close() }
            try one.withSession { _ in
                try Sample().save()
                _ = try Person.count()
            }
            try two.withSession { _ in
                _ = try Sample.count()
                _ = try Person.count()
            }
            for _ in 0..<20 {
                let (hasBegun, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let thread = Thread {
                    hasBegun.wait()
                    defer { hasEnded.signal() }
                    do {
                        try two.withSession { session in
                            session.author = "two"
                            let person = Person()
                            person.tags = ["x"]
                            try session.transaction { try session.save([Sample(), Sample(), person]) }
                        }
                    } catch { Issue.record(error) }
                }
                thread.start()
                try one.withSession { session in
                    session.author = "one"
                    let person = Person()
                    person.codes = [1, 2]
                    try session.transaction {
                        try session.save([Sample(), person])
                        hasBegun.signal()
                        hasEnded.wait()
                        try Sample().save()
                    }
                }
            }
            try one.withSession { _ in
                let entries = try Sample.history.all()
                expect(entries.count, 81)
                try expect(
                    Person.history.all().map(\.elements.count).sorted(),
                    Array(repeating: 1, count: 20) + Array(repeating: 2, count: 20))
                for (_, own) in Dictionary(grouping: entries.dropFirst(), by: \.transaction) {
                    #expect(own.count == 2 && Set(own.map(\.author)).count == 1)
                }
            }
        }

        @Test func `the author at the commit counts, and other rows of a transaction follow the first statement`()
            throws
        {
            try withTemporarySession { session, _ in
                session.author = "ann"
                let (one, two) = (Person(), Person())
                try session.transaction {
                    one.tags = ["a"]
                    try one.save()
                    session.author = "bob"
                    try two.save()
                    one.name = "One"
                    one.tags = ["a", "b"]
                    try one.save()
                    one.tags = ["b"]
                    try one.save()
                    try two.delete()
                }
                try expect(Person.history.all().map(\.author), ["bob", "bob", "bob", "bob"])
                try expect(Set(Person.history.all().map(\.transaction)).count, 1)
                try expect(one.history.all().map(\.change), [.created, .changed])
                // Elements follow the last entry of their object.
                try expect(one.history.all().map(\.elements.count), [2, 1])
                try expect(one.history.all().last?.new(\Person.tags), ["b"])
            }
        }

        @Test func `wide rows and large statements are recorded after small ones`() throws {
            try withTemporarySession { session, _ in
                try session.save((0..<3).map { _ in Wide() })
                for _ in 0..<8 { try session.execute("UPDATE wide SET n = n + 1, a = a + 1 WHERE id = 1") }
                try session.execute(
                    "INSERT INTO wide (a, n) SELECT g, -g FROM generate_series(1, 3000) AS g")
                try session.execute("UPDATE wide SET n = n + 1, m = 5 WHERE a > 0")
                try session.execute("INSERT INTO wide_tags SELECT id, 1, 'x' FROM wide")
                try session.execute("UPDATE wide_tags SET value = value || 'y'")
                // The functions keep their plans, so a plan for few rows must not be a nested loop.
                let functions = "SELECT count(*) AS n FROM pg_proc WHERE pronamespace = current_schema()::regnamespace "
                let isFast = "AND proname LIKE 'wide%' AND proconfig @> ARRAY['enable_nestloop=off']"
                try expect(session.rows(functions + isFast)[0].value("n") as Int, 8)
                let last = try #require(try Wide.history.where { $0.change == .changed }.order(by: \.id).last())
                expect(last.elements.map(\.new), [.text("xy")])
                let entry = try #require(
                    try Wide.history.where { $0.values.any { $0.column == "m" && $0.new == .integer(5) } }.first())
                expect(entry.values.map(\.column), ["m", "n"])
                try expect(Wide.history.where { $0.values.any { $0.column == "n" } }.count(), 6_012)
            }
        }

        @Test func `schemas may contain quotes, and a renamed schema is repaired by its owner`() throws {
            let database = try PostgresDatabase()
            let role = try database.role("owner")
            func use(_ schema: String) throws {
                _ = try database.psql("ALTER ROLE \(role) SET search_path = \(schema)")
            }
            _ = try database.psql(#"CREATE SCHEMA "it's ""a""" AUTHORIZATION \#(role)"#)
            try use(#""it's ""a""""#)
            try open(database.address(role)) { session in
                try Sample().save()
                try Person().save()
                try #expect(session.store.schemaPlan(for: Sample.self, Person.self).isEmpty)
            }
            _ = try database.psql(#"ALTER SCHEMA "it's ""a""" RENAME TO plain"#)
            try use("plain")
            try open(database.address(role)) { _ in
                let sample = try Sample.query.single()
                sample.name = "x"
                try sample.save()
                try expect(sample.history.count(), 2)
            }
        }
    }
#endif
