#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Columns of existing tables that have types which the library does not create.
    @Suite(.onPostgres("SQLite has no such types")) struct ExistingTypeTests {
        enum Mood: String, Codable, CaseIterable { case sad, fine, glad }

        final class Sample: PersistentObject {
            override class var tableName: String { "samples" }
            override class var origin: TableOrigin { .existing(id: "id") }
            var small: Int16 = 0
            var whole = 0
            var amount: Decimal?
            var ratio: Float = 0
            var flag = false
            var mood: Mood?
            var token = UUID()
            var name = ""
            var code: String?
            var bytes: Data?
            var nick: String?
            var length: String?
        }

        private static let sql = """
            CREATE TYPE mood AS ENUM ('sad', 'fine', 'glad');
            CREATE DOMAIN nick AS varchar(20) CHECK (VALUE <> '');
            CREATE TABLE samples (id bigint PRIMARY KEY, small smallint NOT NULL, whole integer NOT NULL,
                amount numeric(10,2), ratio real NOT NULL, flag boolean NOT NULL, mood mood, token uuid NOT NULL UNIQUE,
                name varchar(40) NOT NULL, code char(3), bytes bytea, nick nick, length interval);
            """

        private func withSamples(_ body: (Session, PostgresDatabase, [Sample]) throws -> Void) throws {
            let database = try PostgresDatabase()
            _ = try database.psql(Self.sql)
            let store = try Store(.postgres(database.address()))
            defer { store.close() }
            try store.withSession { session in
                let samples = (1...5).map { number in
                    let sample = Sample()
                    (sample.small, sample.whole, sample.amount) = (Int16(number), number * 10, Decimal(number) / 4)
                    (sample.ratio, sample.flag) = (Float(number) / 2, number % 2 == 0)
                    (sample.mood, sample.name) = (Mood.allCases[number % 3], "n\(number)")
                    (sample.code, sample.bytes, sample.nick) = ("c\(number)x", Data([UInt8(number)]), "k\(number)")
                    sample.length = "0\(number):00:00"
                    return sample
                }
                try session.save(samples)
                try body(session, database, samples)
            }
        }

        @Test func `values are read back, found, listed, sorted and paged`() throws {
            try withSamples { session, database, samples in
                let one = samples[2]
                try session.reset()
                let found = try #require(try Sample.find(one.id ?? 0))
                #expect(found.small == 3 && found.whole == 30 && found.amount == 0.75 && found.ratio == 1.5)
                #expect(!found.flag && found.mood == .sad && found.token == one.token && found.name == "n3")
                #expect(
                    found.code == "c3x" && found.bytes == Data([3]) && found.nick == "k3" && found.length == "03:00:00")
                #expect(!found.hasChanges)

                let token = one.token
                let conditions: [(Columns<Sample>) -> Condition] = [
                    { $0.small == 3 }, { $0.whole == 30 }, { $0.amount == 0.75 }, { $0.ratio == 1.5 },
                    { $0.mood == .sad }, { $0.token == token }, { $0.name == "n3" }, { $0.code == "c3x" },
                    { $0.bytes == Data([3]) }, { $0.nick == "k3" }, { $0.length == "03:00:00" },
                    { $0.small.isIn([3, 9]) }, { $0.whole.isIn([30]) }, { $0.amount.isIn([0.75]) },
                    { $0.ratio.isIn([1.5]) }, { $0.mood.isIn([.sad]) }, { $0.token.isIn([token]) },
                    { $0.name.isIn(["n3", "x"]) }, { $0.code.isIn(["c3x"]) }, { $0.bytes.isIn([Data([3])]) },
                    { $0.nick.isIn(["k3"]) }, { $0.length.isIn(["03:00:00"]) },
                    { ($0.amount ?? 9) == 0.75 }, { ($0.mood ?? .glad) == .sad }, { ($0.code ?? "") == "c3x" },
                    { ($0.nick ?? "") == "k3" }, { $0.flag == false && $0.small == 3 },
                    { $0.flag.isIn([false]) && $0.small.isIn(2...4) }, { $0.whole.isIn([30, 1 << 40]) },
                ]
                for (index, condition) in conditions.enumerated() {
                    let ids = Result { try Sample.where(condition).all().map(\.small) }
                    guard case .success(let numbers) = ids else {
                        Issue.record("\(index): \(ids)")
                        continue
                    }
                    #expect(numbers == [3], "condition \(index)")
                }
                let orders: [Query<Sample>] = [
                    Sample.query.order(by: \.small), Sample.query.order(by: \.amount), Sample.query.order(by: \.ratio),
                    Sample.query.order(by: \.mood), Sample.query.order(by: \.token), Sample.query.order(by: \.name),
                    Sample.query.order(by: \.code), Sample.query.order(by: \.nick), Sample.query.order(by: \.length),
                    Sample.query.order(by: \.flag), Sample.query.order(by: \.mood, .descending),
                    Sample.query.order(by: \.bytes),
                ]
                for (index, query) in orders.enumerated() {
                    do {
                        let all = try query.all().map(\.small)
                        var paged: [Int16] = []
                        var page = try query.limit(2).all()
                        while let last = page.last, paged.count < 9 {
                            paged += page.map(\.small)
                            page = try query.after(last, limit: 2)
                        }
                        #expect(paged == all && all.count == 5, "order \(index)")
                    } catch { Issue.record("order \(index): \(error)") }
                }
            }
        }

        @Test func `many rows are saved and read, and raw SQL reads any type as the server's string`() throws {
            try withSamples { session, database, _ in
                let many = (0..<3000).map { number in
                    let sample = Sample()
                    (sample.mood, sample.bytes, sample.amount) = (.glad, Data([0xFE, 0]), number == 0 ? nil : 1.10)
                    (sample.length, sample.ratio) = ("1 day", 0.1)
                    return sample
                }
                try session.save(many)
                try session.reset()
                let found = try Sample.where { $0.mood == .glad && $0.small == 0 }.order(by: \.id).all()
                #expect(found.count == 3000 && found[0].amount == nil && !found.contains { $0.mood != .glad })
                #expect(found[7].bytes == Data([0xFE, 0]) && found[7].amount == 1.1 && found[7].ratio == 0.1)
                #expect(found[7].token == many[7].token && found[7].length == "1 day")
                let row = try #require(
                    try session.rows(
                        """
                        SELECT ARRAY['a', 'b'], '{"a": 1}'::jsonb, '10.0.0.1'::inet, 1::int2, true, 2.50, 'x'::text, NULL::point,
                            '2009-01-31 12:00+00'::timestamptz, '-Infinity'::float8, 7::bigint, 'sad'::mood, ''::bytea
                        """
                    ).first)
                expect(
                    row.values,
                    [
                        .text("{a,b}"), .text("{\"a\": 1}"), .text("10.0.0.1"), .integer(1), .integer(1), .real(2.5),
                        .text("x"), .null, .text("2009-01-31 12:00:00"), .real(-.infinity), .integer(7), .text("sad"),
                        .blob([]),
                    ])
            }
        }

        final class Host: PersistentObject {
            override class var tableName: String { "hosts" }
            override class var origin: TableOrigin { .existing(id: "id") }
            var tags = ""
            var ports: String?
            var address = ""
            var data: String?
            var at: String?
        }

        @Test func `strings are written to arrays, addresses, JSON and times of day as the server parses them`() throws
        {
            try withSamples { session, database, _ in
                _ = try database.psql(
                    "CREATE TABLE hosts (id bigint PRIMARY KEY, tags text[] NOT NULL, ports integer[], address inet NOT NULL, "
                        + "data jsonb, at time)")
                let hosts = (1...3).map { number in
                    let host = Host()
                    (host.tags, host.ports, host.address) = ("{a,b\(number)}", "{\(number),80}", "10.0.0.\(number)")
                    (host.data, host.at) = ("{\"n\": \(number)}", "0\(number):30:00")
                    return host
                }
                try session.save(hosts)
                hosts[0].tags = "{}"
                hosts[0].ports = nil
                try hosts[0].save()
                try session.reset()
                let all = try Host.query.order(by: \.id).all()
                #expect(
                    all.map(\.tags) == ["{}", "{a,b2}", "{a,b3}"] && all.map(\.ports) == [nil, "{2,80}", "{3,80}"])
                #expect(all.map(\.address) == ["10.0.0.1", "10.0.0.2", "10.0.0.3"] && all[1].data == "{\"n\": 2}")
                #expect(all[2].at == "03:30:00" && all.allSatisfy { !$0.hasChanges })
                let conditions: [(Columns<Host>) -> Condition] = [
                    { $0.tags == "{a,b2}" }, { $0.ports == "{2,80}" }, { $0.address == "10.0.0.2" },
                    { $0.data == "{\"n\":2}" }, { $0.at == "02:30" }, { $0.address.isIn(["10.0.0.2", "10.0.0.9"]) },
                    { $0.at.isIn(["02:30:00"]) }, { $0.address < "10.0.0.3" && $0.address > "10.0.0.1" },
                ]
                for (index, condition) in conditions.enumerated() {
                    do { try expect(Host.where(condition).all(), [all[1]], "condition \(index)") } catch {
                        Issue.record("\(index): \(error)")
                    }
                }
                try expect(
                    Host.where { $0.at == "02:30" }.update { ($0.tags, $0.ports, $0.data) = ("{x}", "{1}", "[]") }, 1)
                #expect(all[1].tags == "{x}" && all[1].ports == "{1}" && all[1].data == "[]")
                all[0].tags = "a, b"
                let error = #expect(throws: StoreError.self) { try all[0].save() }
                #expect(error?.className == "Host" && error?.rowID == all[0].id, "\(error as Any)")
            }
        }

        @Test func `a value is the same beside a column of an unknown type`() throws {
            try withSamples { session, _, _ in
                let values = [
                    "1::int8", "(-7)::int4", "2::int2", "1.5::float8", "'NaN'::float8", "0.1::float4", "1e300::float8",
                    "'-Infinity'::float4", "'-0'::float8", "true", "'a'::text", "''::varchar", "'c'::char(3)",
                    "'\\x00ff'::bytea", "gen_random_uuid()", "12.50::numeric(10,2)", "7::numeric", "0.0001::numeric",
                    "'NaN'::numeric", "-12345678901234567890.5::numeric(30,1)", "1e30::numeric(40,1)",
                    "'{\"a\": [1]}'::jsonb",
                    "'{ \"a\":1}'::json", "'2009-01-31 23:59:59.5'::timestamp",
                    "'1969-12-31 23:59:59.25+00'::timestamptz",
                    "'0001-02-03'::date", "'infinity'::timestamptz", "'infinity'::date", "NULL::int8", "NULL::numeric",
                ]
                for value in values {
                    _ = try session.execute("DROP TABLE IF EXISTS one")
                    _ = try session.execute("CREATE TABLE one AS SELECT \(value) AS value, 'sad'::mood AS mood")
                    for from in [
                        "FROM one",
                        "FROM (SELECT value, mood FROM one UNION ALL SELECT NULL, NULL) AS t WHERE mood IS NOT NULL",
                    ] {
                        let alone = try session.rows("SELECT value \(from)").map { "\($0.values)" }
                        let beside = try session.rows("SELECT value, mood \(from)").map { "\($0.values.dropLast())" }
                        expect(beside, alone, "\(value)")
                    }
                }
            }
        }

        @Test func `updates by a query assign constants, columns and nil`() throws {
            try withSamples { session, database, samples in
                let token = UUID()
                let calls: [() throws -> Int] = [
                    { try Sample.where { $0.small == 1 }.update { $0.token = token } },
                    { try Sample.where { $0.small == 1 }.update { ($0.mood, $0.nick) = (.glad, nil) } },
                    { try Sample.where { $0.small == 1 }.update { ($0.amount, $0.ratio) = (12.34, 2.25) } },
                    { try Sample.where { $0.small == 1 }.update { ($0.bytes, $0.length) = (Data([7]), "00:07:00") } },
                    { try Sample.where { $0.small == 1 }.update { ($0.code, $0.flag) = ("zzz", true) } },
                    { try Sample.where { $0.small == 1 }.update { $0.whole += 5 } },
                    { try Sample.where { $0.small == 1 }.update { ($0.name, $0.code) = ("n", $0.code ?? "q") } },
                    { try Sample.where { $0.small == 1 }.update { $0.mood = $0.mood ?? .sad } },
                    { try Sample.where { $0.small == 1 }.limit(1).update { $0.small = 100 } },
                ]
                for (index, call) in calls.enumerated() {
                    do { try expect(call(), 1) } catch { Issue.record("call \(index): \(error)") }
                }
                let one = samples[0]
                try expect(
                    database.psql("SELECT * FROM samples WHERE id = \(one.id ?? 0)"),
                    "\(one.id ?? 0)|100|15|12.34|2.25|t|glad|\(token.uuidString.lowercased())|n|zzz|\\x07||00:07:00")
                #expect(one.small == 100 && one.token == token && one.amount == 12.34 && one.mood == .glad)
                #expect(one.nick == nil && one.bytes == Data([7]) && one.flag && !one.hasChanges)
            }
        }

        @Test func `groups, values, aggregates, upserts and keys of native types`() throws {
            try withSamples { session, database, samples in
                let query = Sample.query
                let calls: [(String, () throws -> Bool)] = [
                    ("counted by mood", { try query.counted(by: \.mood) == [.sad: 1, .fine: 2, .glad: 2] }),
                    ("counted by flag", { try query.counted(by: \.flag) == [true: 2, false: 3] }),
                    ("counted by token", { try query.counted(by: \.token).count == 5 }),
                    ("counted by nick", { try query.counted(by: \.nick).count == 5 }),
                    ("distinct", { try Set(query.distinct(\.mood)) == Set(Mood.allCases) }),
                    ("values", { try query.values(of: \.amount, \.mood, \.code).count == 5 }),
                    ("max", { try query.max(\.amount) == 1.25 && query.min(\.nick) == "k1" }),
                    ("max of small", { try query.max(\.small) == 5 && query.sum(\.whole) == 150 }),
                    ("finder", { try Sample.findByMood(Mood.sad) as [Sample] == [samples[2]] }),
                    ("finder in", { try (Sample.findByTokenIn([samples[1].token]) as [Sample]) == [samples[1]] }),
                    ("typed finder", { try Sample.findBy.nick("k2") == [samples[1]] }),
                    ("prefix", { try Sample.where { $0.name.hasPrefix("n") }.count() == 5 }),
                    ("contains", { try Sample.where { $0.nick.contains("2") }.count() == 1 }),
                    ("ignoring case", { try Sample.where { $0.code.contains("C2", ignoringCase: true) }.count() == 1 }),
                    (
                        "criteria",
                        {
                            try Sample.findByCriteria("WHERE mood = ? AND token = ?", Mood.sad, samples[2].token).count
                                == 1
                        }
                    ),
                ]
                for (name, call) in calls {
                    do { #expect(try call(), "\(name)") } catch { Issue.record("\(name): \(error)") }
                }
                samples[0].mood = nil
                samples[1].nick = ""
                try samples[0].save()
                let error = #expect(throws: StoreError.self) { try samples[1].save() }
                #expect(error?.code == .constraint && error?.className == "Sample", "\(error as Any)")
                samples[1].nick = String(repeating: "x", count: 21)
                let second = #expect(throws: StoreError.self) { try samples[1].save() }
                #expect(second?.className == "Sample" && second?.rowID == samples[1].id, "\(second as Any)")
                samples[1].revert()
                samples[1].small = .max
                samples[1].whole = Int(Int32.max) + 1
                let third = #expect(throws: StoreError.self) { try samples[1].save() }
                #expect(third?.className == "Sample" && third?.rowID == samples[1].id, "\(third as Any)")
            }
        }
    }
#endif
