#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// A table partitioned by its id.
    private final class Reading: PersistentObject {
        override class var tableName: String { "reading" }
        override class var origin: TableOrigin { .existing(id: "id") }
        var name = ""
        var value: Double?
        var sensor: Sensor?
    }

    private final class Sensor: PersistentObject {
        override class var tableName: String { "sensor" }
        var name = ""
        @Inverse(\Reading.sensor) var readings: [Reading]
    }

    /// The same table for a program that only reads.
    private final class SeenReading: PersistentObject {
        override class var tableName: String { "reading" }
        override class var origin: TableOrigin { .existing(id: "id") }
        override class var isReadOnly: Bool { true }
        var name = ""
    }

    /// A table partitioned by a date.
    private final class Sale: PersistentObject {
        override class var tableName: String { "sale" }
        override class var origin: TableOrigin { .existing(id: "number") }
        @Column(format: .day) var day = Date(timeIntervalSince1970: 0)
        var amount = 0.0
    }

    /// Existing tables that are partitioned, or whose rows are on another server.
    @Suite(.onPostgres("a file has no partitions")) struct PartitionTests {
        private func open<R>(_ database: PostgresDatabase, _ body: (Session) throws -> R) throws -> R {
            let store = try Store(.postgres(database.address()))
            defer { store.close() }
            return try store.withSession { try body($0) }
        }

        private func refusal(_ database: PostgresDatabase, _ body: (Session) throws -> Void) throws -> String {
            do { try open(database, body) } catch { return "\(error)" }
            return "none"
        }

        @Test func `a table partitioned by its id works like any other`() throws {
            let database = try PostgresDatabase()
            _ = try database.psql(
                """
                CREATE TABLE reading (id bigint PRIMARY KEY, name text NOT NULL, value double precision, sensor_id bigint)
                    PARTITION BY HASH (id);
                CREATE TABLE reading_0 PARTITION OF reading FOR VALUES WITH (MODULUS 3, REMAINDER 0);
                CREATE TABLE reading_1 PARTITION OF reading FOR VALUES WITH (MODULUS 3, REMAINDER 1);
                CREATE TABLE reading_2 PARTITION OF reading FOR VALUES WITH (MODULUS 3, REMAINDER 2);
                """)
            try open(database) { session in
                let sensor = Sensor()
                sensor.name = "roof"
                let readings = (1...30).map { number in
                    let reading = Reading()
                    (reading.name, reading.value, reading.sensor) = ("r\(number)", Double(number), sensor)
                    return reading
                }
                try session.save(readings)
                expect(try Reading.where { $0.value > 10 }.count(), 20)
                expect(
                    try Reading.query.order(by: \.id).after(readings[9], limit: 3).map(\.name), ["r11", "r12", "r13"])
                expect(try Reading.where { $0.sensor.name == "roof" }.sum(\.value), 465)
                expect(sensor.readings.count, 30)
                try readings[0].delete()
                try Reading.where { $0.value > 25 }.update { $0.name = "high" }
                expect(try Reading.where { $0.name == "high" }.count(), 5)
            }
            // Changes by another session are noticed, and changes of other properties are merged.
            try open(database) { session in
                let reading = try #require(try Reading.find(2))
                _ = try database.psql("UPDATE reading SET value = 2.5 WHERE id = 2; DELETE FROM reading WHERE id = 3")
                reading.name = "second"
                try reading.save()
                expect(try database.psql("SELECT name, value FROM reading WHERE id = 2"), "second|2.5")
                expect(try Reading.find(3) == nil, true)
                expect(try session.transaction { try Reading.count() }, 28)
            }
        }

        @Test func `a table partitioned by a date that is part of its key works like any other`() throws {
            let database = try PostgresDatabase()
            _ = try database.psql(
                """
                CREATE TABLE sale (number bigint, day text COLLATE "C", amount double precision NOT NULL, PRIMARY KEY (number, day))
                    PARTITION BY RANGE (day);
                CREATE TABLE sale_2025 PARTITION OF sale FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
                CREATE TABLE sale_2026 PARTITION OF sale FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
                INSERT INTO sale SELECT n, make_date(2025 + n % 2, 3, 1 + n % 9)::text, n FROM generate_series(1, 100) AS n;
                """)
            let day = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01
            try open(database) { session in
                expect(try Sale.where { $0.day >= day }.count(), 50)
                expect(try Sale.where { $0.day < day && $0.amount > 50 }.order(by: \.id).all().first?.id, 52)
                let sale = Sale()
                (sale.day, sale.amount) = (day, 7)
                try sale.save()
                expect(try database.psql("SELECT number, amount FROM sale_2026 WHERE number > 100"), "101|7")
                // The row moves to another partition.
                sale.day = day - 86400
                try sale.save()
                expect(try database.psql("SELECT number, day FROM sale_2025 WHERE number > 100"), "101|2025-12-31")
                try Sale.where { $0.amount == 7 }.update { $0.amount += 1 }
                expect(
                    try database.psql(
                        "SELECT string_agg(number::text, ' ' ORDER BY number) FROM sale WHERE amount = 8"), "7 8 101")
                try sale.delete()
                expect(try Sale.count(), 100)
            }
        }

        @Test func `foreign tables and foreign partitions are only read`() throws {
            let database = try PostgresDatabase()
            let host = try #require(database.address().split(separator: "host=").last)
            let name = try database.psql("SELECT current_database()")
            _ = try database.psql(
                """
                CREATE EXTENSION postgres_fdw;
                CREATE SERVER there FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '\(host)', dbname '\(name)');
                CREATE USER MAPPING FOR po SERVER there OPTIONS (user 'po');
                CREATE TABLE far (id bigint PRIMARY KEY, name text NOT NULL, value double precision, sensor_id bigint);
                INSERT INTO far VALUES (2, 'far', 1, NULL);
                CREATE FOREIGN TABLE reading (id bigint, name text NOT NULL, value double precision, sensor_id bigint)
                    SERVER there OPTIONS (table_name 'far');
                """)
            let reason = "The rows of the table, or of some of its partitions, are on another server"
            #expect(try refusal(database) { _ in _ = try Reading.all() }.contains(reason))
            try expect(open(database) { _ in try SeenReading.all().map(\.name) }, ["far"])
            _ = try database.psql(
                """
                DROP FOREIGN TABLE reading;
                CREATE TABLE reading (id bigint, name text NOT NULL, value double precision, sensor_id bigint)
                    PARTITION BY RANGE (id);
                CREATE TABLE near PARTITION OF reading FOR VALUES FROM (100) TO (200);
                CREATE FOREIGN TABLE distant PARTITION OF reading FOR VALUES FROM (0) TO (100) SERVER there
                    OPTIONS (table_name 'far');
                INSERT INTO near VALUES (100, 'near');
                """)
            #expect(try refusal(database) { _ in _ = try Reading.all() }.contains(reason))
            try expect(
                open(database) { _ in try SeenReading.query.order(by: \.id).all().map(\.name) }, ["far", "near"])
        }
    }
#endif
