import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// However a transaction fails, file and memory are as before, and the session stays usable.
struct TransactionFailureTests {
    final class Page: PersistentObject {
        override class var tableName: String { "page" }
        var title = ""
        @Unique var number: Int?
        var bytes: [UInt8] = []
        var next: Page?
        var tags: [String] = []
        @Transient var vetoes = false

        override func willSave() throws { if vetoes { throw Veto() } }
    }

    struct Veto: Error {}

    private func page(_ title: String, _ number: Int? = nil) -> Page {
        let page = Page()
        page.title = title
        page.number = number
        return page
    }

    private func withPages(
        _ configuration: Store.Configuration = .init(lostEdits: .ignore),
        _ body: (Session, TemporaryStore, [Page]) throws -> Void
    ) throws {
        try withTemporarySession(configuration) { session, file throws in
            let pages = [page("a", 1), page("b", 2)]
            pages[0].next = pages[1]
            pages[0].tags = ["x"]
            try session.save(pages)
            pages[1].title = "edited"
            try body(session, file, pages)
            // The session stays usable.
            pages[0].title = "after"
            pages[1].number = 22
            let new = page("new", 33)
            try session.transaction { () throws in try session.save(pages + [new]) }
            try expect(file.sqlite("SELECT title, number FROM page ORDER BY id"), "after|1\nedited|22\nnew|33")
            try expect(Page.all(), pages + [new])
        }
    }

    private func edit(_ pages: [Page], _ new: Page) throws {
        pages[0].tags.append("y")
        pages[0].next = new
        try pages[0].save()
        try pages[1].delete()
    }

    private func expectAsBefore(
        _ session: Session, _ file: TemporaryStore, _ pages: [Page], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(pages[0].tags == ["x"] && pages[0].next === pages[1], sourceLocation: sourceLocation)
        #expect(!pages[0].hasChanges && !pages[1].isDeleted, sourceLocation: sourceLocation)
        #expect(pages[1].title == "edited" && pages[1].changes.map(\.name) == ["title"], sourceLocation: sourceLocation)
        #expect(!session.isInTransaction && !session.isInFileTransaction, sourceLocation: sourceLocation)
        let rows = try file.sqlite(
            "SELECT title, number, next_id FROM page ORDER BY id; SELECT count(*) FROM page_tags")
        expect(rows, "a|1|2\nb|2|\n1", sourceLocation: sourceLocation)
    }

    /// Limits the growth of the file to this number of pages.
    private func limit(_ session: Session, toPagesMore more: Int?) throws {
        guard case .integer(let count)? = try session.connection.value(SQL("PRAGMA page_count")) else { return }
        let limit = more.map { Int(count) + $0 } ?? 1_000_000
        try session.connection.execute("PRAGMA max_page_count = \(number: limit)")
    }

    @Test(.onSQLite("the test limits the size of the file"))
    func `a full disk rolls back the transaction, whether the error is caught or not`() throws {
        try withPages { session, file, pages throws in
            let (new, large) = (page("new"), page("large"))
            large.bytes = [UInt8](repeating: 1, count: 100_000)
            for isCaught in [false, true] {
                try limit(session, toPagesMore: 2)
                let error = failing(StoreError.self) {
                    try session.transaction { () throws in
                        try edit(pages, new)
                        do { try large.save() } catch {
                            expect((error as? StoreError)?.code, .diskFull)
                            #expect(large.isNew && large.bytes.count == 100_000)
                            if !isCaught || !session.isInFileTransaction { throw error }
                        }
                        // If SQLite kept the transaction open, it continues.
                        throw StoreError(.diskFull, "the test's own")
                    }
                }
                expect(error?.code, .diskFull)
                try limit(session, toPagesMore: nil)
                #expect(new.isNew && large.isNew && large.id == nil)
                try expectAsBefore(session, file, pages)
            }
        }
    }

    @Test(.onSQLite("PostgreSQL has no INSERT OR ROLLBACK"))
    func `after SQLite rolls back by itself, later writes in the transaction throw`() throws {
        try withPages { session, file, pages throws in
            let (new, late) = (page("new"), page("late"))
            let error = failing(StoreError.self) {
                try session.transaction { () throws in
                    try edit(pages, new)
                    failing(StoreError.self) {
                        try session.execute("INSERT OR ROLLBACK INTO page (id, title) VALUES (1, 'z')")
                    }
                    #expect(!session.isInFileTransaction)
                    failing(StoreError.self) { try late.save() }
                    failing(StoreError.self) { try pages[0].delete() }
                    failing(StoreError.self) { try Page.deleteAll() }
                    failing(StoreError.self) { try Page.where { $0.number > 0 }.update { $0.title = "u" } }
                    failing(StoreError.self) { try session.execute("DELETE FROM page") }
                    failing(StoreError.self) { try session.transaction { () throws in try late.save() } }
                    pages[0].title = "late"
                    failing(StoreError.self) { try session.saveChanges() }
                    try expect(file.sqlite("SELECT count(*) FROM page"), "2")
                }
            }
            #expect(error?.code == .notUnique || error?.code == .constraint, "\(String(describing: error))")
            #expect(late.isNew && new.isNew)
            try expectAsBefore(session, file, pages)
        }
    }

    @Test(.onSQLite("PostgreSQL has no INSERT OR ROLLBACK"))
    func `nested transactions are rolled back if SQLite rolls back by itself`() throws {
        try withPages { session, file, pages throws in
            let (new, late) = (page("new"), page("late"))
            failing(StoreError.self) {
                try session.transaction { () throws in
                    pages[0].title = "outer"
                    try pages[0].save()
                    _ = try? session.transaction { () throws in
                        try session.transaction { () throws in
                            try edit(pages, new)
                            try session.execute("INSERT OR ROLLBACK INTO page (id, title) VALUES (1, 'z')")
                        }
                    }
                    try? late.save()
                    session.rollBack()
                }
            }
            #expect(late.isNew && new.isNew && pages[0].title == "a")
            try expectAsBefore(session, file, pages)
        }
    }

    @Test(.onSQLite("PostgreSQL has no INSERT OR ROLLBACK"))
    func `a class first used after SQLite rolled back can be used later`() throws {
        final class Late: PersistentObject {
            override class var tableName: String { "late_page" }
            var x = 0
        }
        try withPages { session, file, pages throws in
            failing(StoreError.self) {
                try session.transaction { () throws in
                    try edit(pages, page("new"))
                    _ = try? session.execute("INSERT OR ROLLBACK INTO page (id, title) VALUES (1, 'z')")
                    try? Late().save()
                }
            }
            try expectAsBefore(session, file, pages)
            try Late().save()
            try expect(Late.count(), 1)
            try expect(file.sqlite("SELECT count(*) FROM late_page"), "1")
        }
    }

    @Test func `a foreign key violated by raw SQL fails the commit`() throws {
        try withPages { session, file, pages throws in
            let new = page("new")
            for isNested in [false, true] {
                let error = failing(StoreError.self) {
                    try session.transaction { () throws in
                        let work = {
                            try edit(pages, new)
                            try session.connection.execute(SQL("UPDATE page SET next_id = 4711 WHERE id = 1"))
                        }
                        if isNested { try session.transaction(work) } else { try work() }
                    }
                }
                expect(error?.isOfForeignKeys, true, "\(String(describing: error))")
                #expect(new.isNew)
                try expectAsBefore(session, file, pages)
            }
        }
    }

    @Test(.onSQLite("the sqlite3 program locks the file"))
    func `a transaction throws busy while another program writes`() throws {
        try withPages(.init(busyTimeout: .milliseconds(50), lostEdits: .ignore)) { session, file, pages throws in
            let other = try SQLiteProcess(file.path)
            try other.run("BEGIN IMMEDIATE;")
            let error = failing(StoreError.self) {
                try session.transaction { () throws in
                    Issue.record("it must not begin")
                    try edit(pages, page("new"))
                }
            }
            expect(error?.code, .busy)
            try other.run("ROLLBACK;")
            try expectAsBefore(session, file, pages)
        }
    }

    @Test func `an error in a hook rolls back its save, and the transaction if it is not caught`() throws {
        try withPages { session, file, pages throws in
            let (new, vetoing) = (page("new"), page("veto"))
            vetoing.vetoes = true
            failing(Veto.self) {
                try session.transaction { () throws in
                    try edit(pages, new)
                    try vetoing.save()
                }
            }
            #expect(new.isNew && vetoing.isNew)
            try expectAsBefore(session, file, pages)
            try session.transaction { () throws in
                failing(Veto.self) { try session.save([pages[0], vetoing]) }
                vetoing.vetoes = false
                try vetoing.save()
                session.rollBack()
            }
            #expect(vetoing.isNew && vetoing.title == "veto")
            try expectAsBefore(session, file, pages)
        }
    }

    @Test func `many successive failures leave no state behind`() throws {
        try withPages { session, file, pages throws in
            for round in 0..<30 {
                let new = page("new")
                failing((any Error).self) {
                    try session.transaction { () throws in
                        try edit(pages, new)
                        switch round % 3 {
                        case 0: throw Veto()
                        case 1:
                            let orRollback = TestEngine.isPostgres ? "" : "OR ROLLBACK"
                            try session.execute("INSERT \(orRollback) INTO page (id, title) VALUES (1, 'z')")
                        default: try session.connection.execute(SQL("UPDATE page SET next_id = 4711 WHERE id = 1"))
                        }
                    }
                }
                #expect(new.isNew && new.id == nil)
            }
            try expectAsBefore(session, file, pages)
            expect(session.busyStatementCount, 0)
        }
    }
}
