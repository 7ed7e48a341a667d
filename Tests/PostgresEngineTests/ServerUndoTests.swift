#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Box: PersistentObject {
        override class var tableName: String { "box" }
        var name = ""
        var real: Double?
        var lid: Lid?
        var tags: [String] = []
    }

    private final class Lid: PersistentObject {
        override class var tableName: String { "lid" }
        @Unique var code = 0
        @Inverse(\Box.lid, onDelete: .cascade) var boxes: [Box]
    }

    private final class Page: PersistentObject {
        override class var tableName: String { "page" }
        @Searchable var text = ""
    }

    /// Undo by triggers on a server.
    @Suite(.onPostgres("SQLite records changes itself")) struct ServerUndoTests {
        private func open<R>(
            _ address: String, _ configuration: Store.Configuration = .init(), _ body: (Session) throws -> R
        ) throws -> R {
            let store = try Store(.postgres(address), configuration: configuration)
            defer { store.close() }
            return try store.withSession { try body($0) }
        }

        /// All rows, as the server shows them.
        private func rows(_ session: Session) throws -> [String] {
            try session.rows(
                """
                SELECT 'box ' || box::text FROM box UNION ALL SELECT 'lid ' || lid::text FROM lid \
                UNION ALL SELECT 'tag ' || box_tags::text FROM box_tags ORDER BY 1
                """
            ).map { try $0.value(0) }
        }

        @Test func `a role that is no superuser undoes and redoes`() throws {
            let database = try PostgresDatabase()
            let (owner, app) = (try database.role("owner"), try database.role("app"))
            _ = try database.psql(
                """
                CREATE SCHEMA shop AUTHORIZATION \(owner);
                ALTER ROLE \(owner) SET search_path = shop; ALTER ROLE \(app) SET search_path = shop;
                """)
            try open(database.address(owner)) { session in try session.store.prepare(Box.self, Lid.self) }
            _ = try database.psql(
                """
                GRANT USAGE ON SCHEMA shop TO \(app);
                GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA shop TO \(app);
                GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA shop TO \(app);
                """)
            try open(database.address(app)) { session in
                session.recordsUndo = true
                let (box, lid) = (Box(), Lid())
                (box.lid, box.tags) = (lid, ["a", "b"])
                try session.save([box, lid])
                let before = try rows(session)
                try lid.delete()
                #expect(try box.isDeleted && rows(session).isEmpty)
                try session.undo()
                #expect(try !box.isDeleted && box.lid === lid && rows(session) == before)
                try session.redo()
                #expect(try box.isDeleted && rows(session).isEmpty)
                try session.undo()
                try session.undo()
                #expect(try rows(session).isEmpty && !session.canUndo)
            }
            // The role needs the right to create temporary tables.
            _ = try database.psql(
                "DO $$ BEGIN EXECUTE 'REVOKE TEMPORARY ON DATABASE ' || current_database() || ' FROM PUBLIC'; END $$")
            try open(database.address(app)) { session in
                session.recordsUndo = true
                let error = #expect(throws: StoreError.self) { () throws in try session.undo() }
                #expect(!session.recordsUndo && error?.code == .notPermitted)
                expect(error?.message.contains("GRANT TEMPORARY ON DATABASE"), true)
            }
        }

        @Test func `values that JSON numbers lack come back to the bit`() throws {
            try withTemporarySession { session, _ in
                try session.store.prepare(Box.self, Lid.self)
                session.recordsUndo = true
                let reals = ["-0", "NaN", "Infinity", "-Infinity", "5e-324", "1.7976931348623157e308", "0.1"]
                for real in reals {
                    try session.execute("INSERT INTO box (name, real) VALUES ('a', '\(real)'), ('b', '0')")
                    let before = try rows(session)
                    for change in ["real = '0'", "real = '-0'", "real = NULL", "name = '\"\\\u{1}é{,}'"] {
                        try session.execute("UPDATE box SET \(change)")
                        let after = try rows(session)
                        if after == before { continue }
                        try session.undo()
                        try expect(rows(session), before)
                        try session.redo()
                        try expect(rows(session), after)
                        try session.undo()
                    }
                    try session.execute("DELETE FROM box")
                    try session.undo()
                    try expect(rows(session), before)
                    try session.execute("TRUNCATE box CASCADE")
                    try expect(rows(session), [])
                    try session.undo()
                    try expect(rows(session), before)
                    try session.redo()
                }
            }
        }

        @Test func `searches find what an undo or a redo restores`() throws {
            try withTemporarySession { session, _ in
                session.recordsUndo = true
                let pages = ["red apples", "green apples", "green pears"].map { text in
                    let page = Page()
                    page.text = text
                    return page
                }
                try session.save(pages)
                func found() throws -> [[String]] {
                    try ["red", "green", "apples"].map { try Page.search($0).all().map(\.text).sorted() }
                }
                let before = try found()
                expect(before, [["red apples"], ["green apples", "green pears"], ["green apples", "red apples"]])
                pages[1].text = "red pears"
                try session.saveChanges()
                try Page.where { $0.text != "" }.update { $0.text = "green apples" }
                try pages[0].delete()
                let after = try found()
                expect(after, [[], ["green apples", "green apples"], ["green apples", "green apples"]])
                for _ in 1...3 { try session.undo() }
                try expect(found(), before)
                while session.canRedo { try session.redo() }
                try expect(found(), after)
            }
        }

        @Test func `changed keys and shifted positions are undone as they were changed`() throws {
            try withTemporarySession { session, _ in
                try session.store.prepare(Box.self, Lid.self)
                session.recordsUndo = true
                try session.execute("INSERT INTO box (id, name) VALUES (1, 'x')")
                // In this order the server can shift the rows although it checks the key for each of them.
                try session.execute(
                    "INSERT INTO box_tags (owner_id, position, value) VALUES (1, 2, 'c'), (1, 1, 'b'), (1, 0, 'a')")
                let statements = [
                    "UPDATE box_tags SET position = position + 1", "UPDATE box_tags SET position = position + 1000",
                    "UPDATE box_tags SET position = position + 1000, value = value || '!' WHERE position > 1001",
                    "UPDATE box SET id = 7, name = 'y'",
                ]
                for sql in statements {
                    let before = try rows(session)
                    let isOfBox = sql.hasPrefix("UPDATE box SET")
                    if isOfBox { try session.execute("DELETE FROM box_tags") }
                    let start = try rows(session)
                    try session.execute(sql)
                    let after = try rows(session)
                    #expect(after != start)
                    try session.undo()
                    try expect(rows(session), start)
                    try session.redo()
                    try expect(rows(session), after)
                    if isOfBox {
                        try session.undo()
                        try session.undo()
                        try expect(rows(session), before)
                    }
                }
            }
        }

        @Test(arguments: [
            "INSERT INTO box_tags (owner_id, position, value) VALUES (2, 1, 'c'), (2, 0, 'd')",
            "DELETE FROM box_tags WHERE owner_id = 1", "DELETE FROM box WHERE id = 1",
            "UPDATE box_tags SET value = value || '!' WHERE owner_id = 1",
        ])
        func `rows that one commit moves, and also inserts, changes or deletes, are undone`(statement: String) throws {
            try withTemporarySession { session, _ in
                try session.store.prepare(Box.self, Lid.self)
                try session.execute("INSERT INTO box (id, name) VALUES (1, 'x'), (2, 'y')")
                try session.execute(
                    "INSERT INTO box_tags (owner_id, position, value) VALUES (1, 1, 'b'), (1, 0, 'a')")
                session.recordsUndo = true
                let move = "UPDATE box_tags SET position = position + 1000"
                let first = "INSERT INTO box_tags (owner_id, position, value) VALUES (1, 0, 'first')"
                let before = try rows(session)
                for statements in [[move, first, statement], [statement, move], [move, statement, move]] {
                    try session.transaction { for sql in statements { try session.execute(sql) } }
                    let after = try rows(session)
                    #expect(after != before)
                    try session.undo()
                    try expect(rows(session), before)
                    try session.redo()
                    try expect(rows(session), after)
                    try session.undo()
                    try expect(rows(session), before)
                }
            }
        }

        @Test func `rows that cascade from a restored row of another session are refused`() throws {
            let database = try PostgresDatabase()
            try open(database.address()) { session in
                try session.store.prepare(Box.self, Lid.self)
                session.recordsUndo = true
                let box = Box()
                try box.save()
                // A foreign key would delete the element with the box.
                _ = try database.psql("INSERT INTO box_tags (owner_id, position, value) VALUES (1, 0, 'theirs')")
                let error = #expect(throws: StoreError.self) { () throws in try session.undo() }
                #expect(error?.code == .staleObject && error?.message.hasPrefix("Box now refers to the row") == true)
                try expect(database.psql("SELECT value FROM box_tags"), "theirs")
                _ = try database.psql("DELETE FROM box_tags")
                #expect(try session.undo() && box.isDeleted)
                // The same applies to a row that was replaced by a row with its id.
                try session.execute("INSERT INTO lid (id, code) VALUES (1, 1)")
                try session.transaction {
                    try session.execute("DELETE FROM lid")
                    try session.execute("INSERT INTO lid (id, code) VALUES (1, 2)")
                }
                _ = try database.psql("INSERT INTO box (name, lid_id) VALUES ('theirs', 1)")
                let replaced = #expect(throws: StoreError.self) { () throws in try session.undo() }
                #expect(replaced?.code == .staleObject && replaced?.className == "Lid" && replaced?.rowID == 1)
                try expect(database.psql("SELECT name, lid_id FROM box"), "theirs|1")
            }
        }

        @Test func `a trigger of another program can do nothing during undo`() throws {
            try withTemporarySession { session, file in
                try session.store.prepare(Box.self, Lid.self)
                session.recordsUndo = true
                _ = try file.sqlite(
                    """
                    CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        NEW.name := NEW.name || '!'; RETURN NEW; END $$;
                    CREATE TRIGGER shout BEFORE UPDATE ON box FOR EACH ROW EXECUTE FUNCTION shout();
                    """)
                let box = Box()
                box.name = "a"
                try box.save()
                box.name = "b"
                try box.save()
                try expect(file.sqlite("SELECT name FROM box"), "b!")
                let error = #expect(throws: StoreError.self) { () throws in try session.undo() }
                #expect(error?.code == .unsupported && error?.message.contains("po.undoing") == true)
                try expect(file.sqlite("SELECT name FROM box"), "b!")
                _ = try file.sqlite(
                    """
                    DROP TRIGGER shout ON box;
                    CREATE TRIGGER shout BEFORE UPDATE ON box FOR EACH ROW
                    WHEN (current_setting('po.undoing', true) IS DISTINCT FROM '1') EXECUTE FUNCTION shout();
                    """)
                try session.undo()
                #expect(box.name == "a")
                try session.redo()
                #expect(box.name == "b!")
            }
        }

        @Test func `tables of an earlier version get triggers, and others clear the levels`() throws {
            let database = try PostgresDatabase()
            let notes = Recorder<String>()
            try open(database.address(), .init(onNote: { notes.add($0) })) { session in
                try session.store.prepare(Box.self, Lid.self)
                for letter in "iudt" { _ = try database.psql("DROP TRIGGER po_change_undo_\(letter) ON box") }
                session.recordsUndo = true
                try Box().save()
                #expect(session.canUndo)
                _ = try database.psql("CREATE TABLE other (id int)")
                try session.execute("INSERT INTO box (name) VALUES ('x')")
                #expect(session.canUndo)
                try session.execute("CREATE TABLE own (id int)")
                try session.execute("INSERT INTO other VALUES (1)")
                #expect(!session.canUndo)
                expect(notes.all.filter { $0.contains("The table other has no triggers") }.count, 1)
                try Box().save()
                #expect(try session.undo())
            }
        }

        @Test func `a new connection records as the lost one`() throws {
            let database = try PostgresDatabase()
            try open(database.address()) { session in
                try session.store.prepare(Box.self, Lid.self)
                session.recordsUndo = true
                let box = Box()
                try box.save()
                try database.setConnections(areAllowed: false)
                try database.setConnections(areAllowed: true)
                box.name = "b"
                try? box.save()
                try box.save()
                #expect(try session.undo() && box.name == "" && session.undo() && box.isDeleted)
            }
        }

        @Test func `only recorded transactions write the table for recorded rows`() throws {
            try withTemporarySession { session, _ in
                try session.store.prepare(Box.self, Lid.self)
                func isRecorded() throws -> Bool {
                    try session.transaction {
                        try session.execute("INSERT INTO box (name) VALUES ('x')")
                        let found = try session.rows("SELECT current_setting('po.undo', true) = '1' AS found")
                        return try found[0].value("found") ?? false
                    }
                }
                try expect(isRecorded(), false)
                session.recordsUndo = true
                try expect(isRecorded(), true)
                session.recordsUndo = false
                try expect(isRecorded(), false)
            }
        }
    }
#endif
