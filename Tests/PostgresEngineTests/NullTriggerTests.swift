#if PostgreSQL
    import PersistentObjects
    import TestSupport
    import Testing

    /// Triggers of other programs on a server that leave out a statement's row: `RETURN NULL`.
    @Suite(.onPostgres("SQLite's triggers have RAISE(IGNORE)")) struct NullTriggerTests {
        final class Entry: PersistentObject {
            override class var tableName: String { "entries" }
            override class var origin: TableOrigin { .existing(id: "id") }
            var number = 0
            var note: String?

            convenience init(_ number: Int) {
                self.init()
                self.number = number
            }
        }

        private static let sql = """
            CREATE TABLE entries (id bigint PRIMARY KEY, number int NOT NULL, note text);
            CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
            CREATE TRIGGER i BEFORE INSERT ON entries FOR EACH ROW WHEN (NEW.number < 0) EXECUTE FUNCTION nothing();
            CREATE TRIGGER u BEFORE UPDATE ON entries FOR EACH ROW WHEN (NEW.number < 0) EXECUTE FUNCTION nothing();
            CREATE TRIGGER d BEFORE DELETE ON entries FOR EACH ROW WHEN (OLD.number = 5) EXECUTE FUNCTION nothing();
            """

        private func check(_ error: StoreError?, _ rowID: Int64? = nil) {
            #expect(error?.code == .constraint && error?.className == "Entry" && error?.rowID == rowID)
            #expect(error?.message.contains("trigger of the table entries") == true, "\(error as Any)")
        }

        private func withEntries(_ body: (Session, PostgresDatabase) throws -> Void) throws {
            let database = try PostgresDatabase()
            _ = try database.psql(Self.sql)
            let store = try Store(.postgres(database.address()))
            defer { store.close() }
            try store.withSession { try body($0, database) }
        }

        @Test(arguments: [1, 2, 30, 700])
        func `a new row that a trigger leaves out is an error, and nothing is saved`(count: Int) throws {
            try withEntries { session, database in
                let many = (0..<count).map { Entry($0 == count / 2 ? -1 : $0) }
                check(#expect(throws: StoreError.self) { try session.save(many) })
                #expect(many.allSatisfy { $0.isNew })
                #expect(try database.psql("SELECT count(*) FROM entries") == "0")
                for entry in many where entry.number < 0 { entry.number = 1 }
                try session.save(many)
                #expect(try database.psql("SELECT count(*) FROM entries") == "\(count)")
            }
        }

        @Test func `a change or deletion that a trigger leaves out is an error that names the row`() throws {
            try withEntries { session, database in
                let many = (1...20).map { Entry($0) }
                try session.save(many)
                for entry in many { entry.note = "new" }
                many[6].number = -7
                check(#expect(throws: StoreError.self) { try session.saveChanges() }, many[6].id)
                #expect(try database.psql("SELECT count(note) FROM entries") == "0")
                many[6].number = 7
                try session.saveChanges()
                #expect(try database.psql("SELECT count(note) FROM entries") == "20")

                check(#expect(throws: StoreError.self) { try session.delete(many) }, many[4].id)
                #expect(many.allSatisfy { !$0.isDeleted })
                check(#expect(throws: StoreError.self) { _ = try Entry.deleteAll() }, many[4].id)
                check(#expect(throws: StoreError.self) { try many[4].delete() }, many[4].id)
                #expect(try database.psql("SELECT count(*) FROM entries") == "20")
                try session.delete(many.filter { $0.number != 5 })
                #expect(try database.psql("SELECT number FROM entries") == "5")
            }
        }

        @Test func `rows that a trigger inserts into another table that the class reads are saved`() throws {
            try withEntries { session, database in
                _ = try database.psql(
                    """
                    CREATE TABLE entries_new () INHERITS (entries);
                    CREATE FUNCTION move() RETURNS trigger LANGUAGE plpgsql AS
                        'BEGIN INSERT INTO entries_new VALUES (NEW.*); RETURN NULL; END';
                    CREATE TRIGGER m BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION move();
                    """)
                try session.save((1...100).map { Entry($0) })
                #expect(try database.psql("SELECT count(*) FROM entries_new") == "100")
                #expect(try Entry.count() == 100)
            }
        }

        @Test func `an update by a query returns the number of the rows that were written`() throws {
            try withEntries { session, database in
                let entries = (1...6).map { Entry($0) }
                try session.save(entries)
                try expect(Entry.query.update { $0.number -= 3 }, 4)
                #expect(entries.map(\.number) == [1, 2, 0, 1, 2, 3])
                try expect(Entry.where { $0.number == 2 }.update { $0.number = -1 }, 0)
                #expect(try entries.allSatisfy { !$0.hasChanges } && Entry.count() == 6)
            }
        }

        @Test func `a transaction continues after a save that a trigger refused`() throws {
            try withEntries { session, database in
                try session.transaction {
                    try Entry(1).save()
                    check(#expect(throws: StoreError.self) { try session.save([Entry(2), Entry(-3)]) })
                    try Entry(4).save()
                }
                #expect(try database.psql("SELECT string_agg(number::text, ',' ORDER BY number) FROM entries") == "1,4")
            }
        }
    }
#endif
