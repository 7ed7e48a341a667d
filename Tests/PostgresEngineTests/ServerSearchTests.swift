#if PostgreSQL
    import Dispatch
    import Foundation
    @_spi(Locks) import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private enum V1 {
        final class Note: PersistentObject {
            override class var tableName: String { "note" }
            var title = ""
            var text: String?
        }
    }
    private enum V2 {
        final class Note: PersistentObject {
            override class var tableName: String { "note" }
            @Searchable var title = ""
            @Searchable var text: String?
            @Searchable var more = "initially there"
        }
    }
    private enum V3 {
        final class Memo: PersistentObject {
            override class var tableName: String { "the memo" }
            override class var formerTableNames: [String] { ["note"] }
            override class var formerNames: [String] { ["Note"] }
            @Searchable @Column("it's \"head\"", renamedFrom: "title") var title = ""
            var text: String?
        }
    }

    private final class Book: PersistentObject {
        override class var tableName: String { "book" }
        @Searchable var title = ""
        var count = 0
    }

    /// The search index of a server.
    @Suite(.onPostgres("a file has an FTS5 table")) struct ServerSearchTests {
        private func error(_ body: () throws -> Void) -> StoreError? {
            do { try body() } catch { return error as? StoreError }
            return nil
        }

        private func problems(_ store: Store) throws -> [String] {
            try store.checkIntegrity().problems.map(\.message)
        }

        @Test func `existing rows are indexed, and renamed tables and columns remain searchable`() throws {
            let file = try TemporaryStore()
            try file.open().prepare(V1.Note.self)
            _ = try file.sqlite("INSERT INTO note (id, title, text) VALUES (1, 'red', 'house'), (2, 'blue', NULL)")
            let store = try file.open()
            try store.withSession { _ in
                try expect(V2.Note.search("house initially").ids(), [1])
                try expect(V2.Note.search("there").order(by: \.id).ids(), [1, 2])
            }
            expect(try problems(store), [])
            // Preparing the class again changes nothing.
            try expect(file.open().schemaPlan(for: V2.Note.self).changes.map(\.summary), [])
            let later = try file.open()
            try later.withSession { _ in
                try expect(V3.Memo.search("red").ids(), [1])
                try expect(V3.Memo.search("house").ids(), [])
                let memo = V3.Memo()
                memo.title = "green"
                try memo.save()
                try expect(V3.Memo.search("gre*").snippets(of: \.title).map(\.snippet), ["[green]"])
            }
            expect(try problems(later), [])
            try expect(file.open().schemaPlan(for: V3.Memo.self).changes.map(\.summary), [])
            let names = "SELECT relname FROM pg_class WHERE relname LIKE '%search%' AND relnamespace = "
            try expect(
                file.sqlite("\(names)current_schema()::regnamespace ORDER BY 1").split(separator: "\n"),
                ["the memo_search", "the memo_search.words", "the memo_search_pkey"])
        }

        @Test func `removing search from a class removes the index and its triggers`() throws {
            let file = try TemporaryStore()
            try file.open().prepare(V2.Note.self)
            try file.open().takeBack(V1.Note.self)
            try file.open().withSession { _ in
                let note = V1.Note()
                try note.save()
                try note.delete()
            }
            let own = "relnamespace = current_schema()::regnamespace"
            try expect(file.sqlite("SELECT count(*) FROM pg_class WHERE relname LIKE '%search%' AND \(own)"), "0")
            let triggers =
                "pg_trigger AS t JOIN pg_class AS c ON c.oid = tgrelid WHERE tgname LIKE '%search%' AND \(own)"
            try expect(file.sqlite("SELECT count(*) FROM \(triggers)"), "0")
        }

        @Test func `missing triggers or a missing index are recreated, and the index is rebuilt`() throws {
            let file = try TemporaryStore()
            try file.open().prepare(Book.self)
            for sql in [
                "DROP TRIGGER \"book.search.insert\" ON book; INSERT INTO book (title) VALUES ('grey')",
                "ALTER TABLE book DISABLE TRIGGER USER; DROP TABLE book_search; UPDATE book SET title = 'grey cat'; "
                    + "ALTER TABLE book ENABLE TRIGGER USER",
            ] {
                _ = try file.sqlite(sql)
                let store = try file.open()
                try store.prepare(Book.self)
                expect(try problems(store), [])
            }
            try file.open().withSession { _ in try expect(Book.search("cat").count(), 1) }
        }

        @Test func `other programs, truncation and exchanged ids keep the index up to date`() throws {
            let file = try TemporaryStore()
            let store = try file.open()
            try store.withSession { _ in
                try expect(Book.count(), 0)
                let schema = try file.sqlite("SELECT current_schema()")
                // A program with another path of schemas.
                _ = try file.sqlite(
                    """
                    SET search_path = pg_catalog;
                    INSERT INTO \(schema).book (id, title) VALUES (1, 'one'), (2, 'two'), (3, 'three');
                    UPDATE \(schema).book SET id = id + 1 WHERE id = 3;
                    BEGIN; ALTER TABLE \(schema).book DROP CONSTRAINT book_pkey;
                    UPDATE \(schema).book SET id = CASE id WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE id END;
                    ALTER TABLE \(schema).book ADD PRIMARY KEY (id); COMMIT
                    """)
                try expect(["one", "two", "three"].map { try Book.search($0).ids() }, [[2], [1], [4]])
                expect(try problems(store), [])
                _ = try file.sqlite("TRUNCATE book")
                try expect(Book.search("one OR two OR three").count(), 0)
                expect(try problems(store), [])
            }
        }

        @Test func `a search reads the index of words`() throws {
            try withTemporarySession { session, file in
                try session.store.prepare(Book.self)
                _ = try file.sqlite(
                    """
                    INSERT INTO book (title) SELECT 'word ' || n || CASE WHEN n % 500 = 0 THEN ' rare' ELSE '' END
                    FROM generate_series(1, \(Scale.of(20_000))) AS n; ANALYZE
                    """)
                for search in ["rare", "rar*", "\"1500 rare\"", "rare -500"] {
                    let query = Book.search(search)
                    #expect(try query.count() > 0)
                    let sql = query.sql.replacing("?1", with: "'\(SearchText(search).query)'")
                    let plan = try file.sqlite("EXPLAIN \(sql)")
                    #expect(plan.contains("book_search.words") && !plan.contains("Seq Scan on book_search"), "\(plan)")
                }
            }
        }

        @Test func `a role without rights on the index can write the class, and needs SELECT to search`() throws {
            let database = try PostgresDatabase()
            let role = try database.role("app")
            let owner = try Store(.postgres(database.address()))
            defer { owner.close() }
            try owner.prepare(Book.self)
            _ = try database.psql(
                """
                GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role);
                GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO \(role);
                REVOKE ALL ON book_search FROM \(role)
                """)
            let store = try Store(.postgres(database.address(role)))
            defer { store.close() }
            try store.withSession { _ in
                let book = Book()
                book.title = "otter"
                try book.save()
                expect(error { _ = try Book.search("otter").count() }?.code, .notPermitted)
            }
            try owner.withSession { _ in try expect(Book.search("otter").count(), 1) }
        }

        private static func change(_ store: Store) throws {
            try store.withSession { session in
                let book = try #require(try Book.query.order(by: \.id, .descending).first())
                try session.transaction {
                    book.title = "right"
                    try book.save()
                }
            }
        }

        @Test func `transactions that write different texts do not conflict`() throws {
            let file = try TemporaryStore()
            let (first, second) = (try file.open(), try file.open())
            try first.withSession { session in
                try session.save(
                    (0..<4).map { number in
                        let book = Book()
                        book.title = "start \(number)"
                        return book
                    })
            }
            try first.withSession { one in
                let left = try #require(try Book.query.order(by: \.id).first())
                try one.transaction {
                    left.title = "left"
                    try left.save()
                    let failure = Locked<String?>(nil)
                    let group = DispatchGroup()
                    group.enter()
                    Thread.detachNewThread {
                        defer { group.leave() }
                        do { try Self.change(second) } catch { failure.withLock { $0 = "\(error)" } }
                    }
                    group.wait()
                    expect(failure.withLock { $0 }, nil)
                }
            }
            try first.withSession { _ in try expect(Book.search("left OR right").count(), 2) }
            expect(try problems(first), [])
        }

        @Test func `long texts and long words can be saved, and are searched as documented`() throws {
            try withTemporarySession { session, _ in
                let (many, repeated, word) = (Book(), Book(), Book())
                many.title = (0..<200_000).map { "w\($0)" }.joined(separator: " ")
                repeated.title = String(repeating: "again and ", count: 20_000) + "finally"
                word.title = String(repeating: "ä", count: 3000) + " end"
                try session.save([many, repeated, word])
                try expect(Book.search("w7 w1000").ids(), [try #require(many.id)])
                try expect(Book.search("w199999").count(), 0)
                try expect(Book.search("finally again").ids(), [try #require(repeated.id)])
                try expect(Book.search("aaaaaa* end").ids(), [try #require(word.id)])
                try expect(Book.search(word.title).ids(), [try #require(word.id)])
            }
        }

        @Test func `an index that differs from the rows is reported, with the statement that rebuilds it`() throws {
            try withTemporarySession { session, file in
                let book = Book()
                book.title = "otter"
                try book.save()
                _ = try file.sqlite("UPDATE book_search SET words = ''")
                let found = try problems(session.store)
                expect(
                    found,
                    [
                        "its search index does not match 1 of its rows. Rebuild it with execute(\"CALL "
                            + "po_search_rebuild('book')\")"
                    ])
                try session.execute("CALL po_search_rebuild('book')")
                expect(try problems(session.store), [])
                try expect(Book.search("otter").count(), 1)
            }
        }
    }
#endif
