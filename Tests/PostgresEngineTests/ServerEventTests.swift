#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Box: PersistentObject {
        override class var tableName: String { "box" }
        var name = ""
        var tags: [String] = []

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    private class Animal: PersistentObject {
        override class var tableName: String { "animal" }
        var name = ""
        var marks: Set<Int> = []
    }

    private final class Dog: Animal {
        var tricks = 0
    }

    private final class Late: PersistentObject {
        override class var tableName: String { "late" }
        var count = 0
    }

    /// The rows of commits of other processes, which are other stores and `psql` here.
    @Suite(.hangLimit, .onPostgres("a file reports such commits as unknown")) struct ServerEventTests {
        private typealias Events = ChangeEvents<PersistentObject>.AsyncIterator

        /// Two stores of a database, which do not know of each other.
        private static func stores(
            _ configuration: Store.Configuration = .init()
        ) throws -> (PostgresDatabase, Store, Store) {
            let database = try PostgresDatabase()
            let stores = try (0..<2).map { _ in try Store(.postgres(database.address()), configuration: configuration) }
            for store in stores { try store.prepare(Box.self, Dog.self) }
            return (database, stores[0], stores[1])
        }

        /// Closes stores before their database is dropped.
        private static func close(_ stores: [Store], of database: PostgresDatabase) {
            withExtendedLifetime(database) { for store in stores { store.close() } }
        }

        private static func next(_ events: inout Events) async -> String {
            guard let event = await events.next() else { return "end" }
            guard let id = event.id else { return "unknown" }
            return "\(event.objectClass.map { "\($0)" } ?? "") \(id.value) \(event.kind)"
        }

        @Test func `a role that may write a table cannot run its code with the rights of the owner`() async throws {
            let (database, store, other) = try Self.stores()
            defer { Self.close([store, other], of: database) }
            var events = store.events.makeAsyncIterator()
            let role = try database.role("app")
            // Functions with the names of PostgreSQL's, in a schema that comes first in the role's path.
            let callers = try database.psql(
                """
                CREATE SCHEMA own AUTHORIZATION \(role);
                GRANT SELECT, INSERT ON box TO \(role);
                SET ROLE \(role);
                SET search_path = own, pg_catalog, public;
                CREATE TABLE callers (name text);
                CREATE FUNCTION md5(name) RETURNS text LANGUAGE sql AS
                    'INSERT INTO own.callers VALUES (current_user); SELECT pg_catalog.md5($1::text)';
                CREATE FUNCTION date_part(text, timestamptz) RETURNS float8 LANGUAGE sql AS
                    'INSERT INTO own.callers VALUES (current_user); SELECT pg_catalog.date_part($1, $2)';
                INSERT INTO public.box (id, name) VALUES (900, 'x');
                SELECT 'callers: ' || count(*) FROM own.callers;
                """)
            #expect(callers.hasSuffix("callers: 0"), "\(callers)")
            await expect(Self.next(&events), "Box 900 inserted")
        }

        @Test func `commits of another store arrive by row, and rolled back ones do not`() async throws {
            let (database, store, other) = try Self.stores()
            defer { Self.close([store, other], of: database) }
            var events = store.events.makeAsyncIterator()
            try other.withSession { session in
                let box = Box("a")
                try box.save()
                box.name = "b"
                try box.save()
                box.tags = ["x", "y"]
                try box.save()
                struct Stop: Error {}
                #expect(throws: Stop.self) {
                    try session.transaction {
                        try Box("gone").save()
                        throw Stop()
                    }
                }
                try box.delete()
            }
            for kind in ["inserted", "updated", "updated", "deleted"] {
                await expect(Self.next(&events), "Box 1 \(kind)")
            }
            store.close()
            await expect(Self.next(&events), "end")
        }

        @Test func `rows of a hierarchy arrive with their classes, also if they are deleted`() async throws {
            let (database, store, other) = try Self.stores()
            defer { Self.close([store, other], of: database) }
            var events = store.events.makeAsyncIterator()
            var dogs = try store.withSession { _ in Dog.events.makeAsyncIterator() }
            try other.withSession { session in
                let (animal, dog) = (Animal(), Dog())
                try session.save([animal, dog])
                dog.marks = [7]
                try dog.save()
            }
            _ = try database.psql("DELETE FROM animal WHERE class = 'Dog'; DELETE FROM animal")
            let all = await [Self.next(&events), Self.next(&events)].sorted()
            #expect(all == ["Animal 1 inserted", "Dog 2 inserted"])
            for line in ["Dog 2 updated", "Dog 2 deleted", "Animal 1 deleted"] {
                await expect(Self.next(&events), line)
            }
            for kind in ["inserted", "updated", "deleted"] { await expect("\(dogs.next()?.kind ?? .unknown)", kind) }
        }

        @Test func `writers without the library are reported, also by roles with few privileges`() async throws {
            let (database, store, other) = try Self.stores()
            defer { Self.close([store, other], of: database) }
            let role = try database.role("writer")
            _ = try database.psql("GRANT INSERT, UPDATE (name), SELECT ON box TO \(role)")
            var events = store.events.makeAsyncIterator()
            _ = try database.psql(
                "SET search_path = pg_catalog; INSERT INTO public.box (id, name) VALUES (5, 'a'), (6, 'b')", as: role)
            for id in [5, 6] { await expect(Self.next(&events), "Box \(id) inserted") }
            _ = try database.psql("UPDATE box SET id = id + 10")
            // A row with another id is a deleted row and an updated row.
            var all: [String] = []
            for _ in 0..<4 { all.append(await Self.next(&events)) }
            #expect(all.sorted() == ["Box 15 updated", "Box 16 updated", "Box 5 deleted", "Box 6 deleted"])
            _ = try database.psql("COPY box (id, name) FROM STDIN;\n8\tx\n\\.\n")
            await expect(Self.next(&events), "Box 8 inserted")
        }

        @Test func `more than 10,000 rows of a statement are unknown changes of their class`() async throws {
            let (database, store, other) = try Self.stores()
            defer { Self.close([store, other], of: database) }
            var (boxes, dogs) = try store.withSession { _ in
                (Box.events.makeAsyncIterator(), Dog.events.makeAsyncIterator())
            }
            let insert = "INSERT INTO box (id, name) SELECT g, '' FROM generate_series"
            _ = try database.psql("\(insert)(1, 10001) AS g; INSERT INTO box (id, name) VALUES (20000, '')")
            await expect(boxes.next()?.kind, .unknown)
            await expect(boxes.next()?.id?.value, 20000)
            try other.withSession { _ in try Dog().save() }
            // The unknown changes of boxes were not reported here.
            await expect(dogs.next()?.kind, .inserted)
            _ = try database.psql("SET client_min_messages = warning; TRUNCATE box CASCADE")
            await expect(boxes.next()?.kind, .unknown)
        }

        @Test func `tables that are created later are watched, and a change of tables is unknown`() async throws {
            let (database, store, other) = try Self.stores()
            defer { Self.close([store, other], of: database) }
            var events = store.events.makeAsyncIterator()
            try other.prepare(Late.self)
            await expect(Self.next(&events), "unknown")
            try store.prepare(Late.self)
            try other.withSession { _ in try Late().save() }
            await expect(Self.next(&events), "Late 1 inserted")
        }

        @Test func `tables without triggers are watched once their owner listens`() async throws {
            let (database, store, other) = try Self.stores()
            defer { Self.close([store, other], of: database) }
            let names = "SELECT count(*) FROM pg_trigger WHERE starts_with(tgname, 'po_change_')"
            let count = try database.psql(names)
            for letter in "iudt" { _ = try database.psql("DROP TRIGGER po_change_\(letter) ON box") }
            var events = store.events.makeAsyncIterator()
            expect(try database.psql(names), count)
            try other.withSession { _ in try Box("a").save() }
            await expect(Self.next(&events), "Box 1 inserted")
        }

        @Test func `changes of tables of another owner are unknown`() async throws {
            let (database, store, other) = try Self.stores()
            let role = try database.role("reader")
            for letter in "iudt" { _ = try database.psql("DROP TRIGGER po_change_\(letter) ON box") }
            _ = try database.psql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(role)")
            let reader = try Store(.postgres(database.address(role)), configuration: .init(isReadOnly: true))
            defer { Self.close([store, other, reader], of: database) }
            var events = reader.events.makeAsyncIterator()
            try other.withSession { _ in try Box("a").save() }
            await expect(Self.next(&events), "unknown")
        }

        @Test func `watched queries and objects follow other processes`() async throws {
            let (database, store, other) = try Self.stores()
            defer { Self.close([store, other], of: database) }
            try await store.withSession { session in
                let box = Box("a")
                try box.save()
                var names = Box.query.updates().makeAsyncIterator()
                try await expect(names.next()?.map(\.name), ["a"])
                _ = try database.psql("UPDATE box SET name = 'b'")
                try await expect(names.next()?.map(\.name), ["b"])
                for try await update in session.updates(of: box) {
                    if update.isDeleted { break }
                    _ = try database.psql("DELETE FROM box")
                }
            }
        }

        // MARK: Registrations

        @Test func `nothing is recorded without a listener, and what was read is removed`() async throws {
            var configuration = Store.Configuration()
            // Renewals, which also remove changes, would be in the way.
            configuration.changesAreKept = .seconds(1_000_000)
            let (database, store, other) = try Self.stores(configuration)
            defer { Self.close([store, other], of: database) }
            let recorded = "SELECT (SELECT count(*) FROM po_change), (SELECT count(*) FROM po_listener)"
            try other.withSession { _ in try Box("a").save() }
            expect(try database.psql(recorded), "0|0")
            var events: Events? = store.events.makeAsyncIterator()
            try other.withSession { _ in try Box("b").save() }
            await expect(events?.next()?.id?.value, 2)
            expect(try database.psql(recorded), "1|1")
            // The next listener to arrive removes changes that all have read, and registrations that have ended.
            _ = try database.psql(
                "UPDATE po_listener SET until = now() - interval '1 s', seen = pg_current_snapshot()")
            var others: Events? = other.events.makeAsyncIterator()
            expect(try database.psql(recorded), "0|1")
            withExtendedLifetime(others) {}
            others = nil
            events = nil
            expect(try database.psql(recorded), "0|0")
            expect(try database.psql("SELECT last_value FROM po_listening"), "0")
        }

        @Test func `a listener that was away for too long receives unknown changes once`() async throws {
            let (database, store, other) = try Self.stores()
            defer { Self.close([store, other], of: database) }
            var events = store.events.makeAsyncIterator()
            // The registration has ended, so this change is not recorded. In one transaction, because a listener that
            // registered between the first two statements would be ended by the second.
            _ = try database.psql(
                """
                BEGIN; UPDATE po_listener SET until = now() - interval '1 s'; SELECT setval('po_listening', 0);
                INSERT INTO box (id, name) VALUES (1, 'a'); COMMIT
                """)
            try other.withSession { _ in try Box("b").save() }
            let channel = try database.psql("SELECT 'po_change_' || md5('public')")
            _ = try database.psql("NOTIFY \(channel)")
            await expect(Self.next(&events), "unknown")
            _ = try database.psql("INSERT INTO box (id, name) VALUES (900, 'c'), (901, 'd')")
            for id in [900, 901] { await expect(Self.next(&events), "Box \(id) inserted") }
        }

        @Test func `a transaction that began to write before the listener is an unknown change`() async throws {
            let (database, store, other) = try Self.stores()
            defer { Self.close([store, other], of: database) }
            var events: Events?
            try other.withSession { session in
                try session.transaction {
                    try Box("early").save()
                    _ = try Box.count()
                    events = store.events.makeAsyncIterator()
                    try Box("late").save()
                }
                try Box("after").save()
            }
            await expect(events?.next()?.kind, .unknown)
            await expect(events?.next()?.id?.value, 3)
        }

        @Test func `a restart of the server loses no event and repeats none`() async throws {
            let server = try RestartablePostgres()
            let store = try Store(.postgres(server.address))
            defer { store.close() }
            try store.prepare(Box.self)
            var events = store.events.makeAsyncIterator()
            for id in 1...3 {
                _ = try server.psql("INSERT INTO box (id, name) VALUES (\(id), 'a')")
                try server.restart()
                _ = try server.psql("INSERT INTO box (id, name) VALUES (\(id + 10), 'a')")
                for id in [id, id + 10] { await expect(Self.next(&events), "Box \(id) inserted") }
            }
        }
    }
#endif
