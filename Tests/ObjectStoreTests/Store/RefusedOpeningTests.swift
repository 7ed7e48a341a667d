import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Calls that a store or session refuses because of its state.
struct RefusedOpeningTests {
    final class Page: PersistentObject {
        override class var tableName: String { "refused_page" }
        var title = ""
    }

    @Test func `a temporary folder that cannot be created is an error with its path and the system's reason`() throws {
        let error = #expect(throws: StoreError.self) { try TemporaryFolder(in: "/dev/null") }
        expect(error?.code, .cannotOpen)
        expect(error?.message.hasPrefix("Cannot create the folder /dev/null/persistent-objects-"), true)
        expect(error?.message.hasSuffix(": Not a directory"), true, "\(String(describing: error))")
    }

    @Test func `a transaction that a trigger rolled back does not continue, even if its error is ignored`() throws {
        try withTemporarySession { session, file throws in
            try Page().save()
            _ = try session.execute(
                """
                CREATE TRIGGER ends BEFORE UPDATE ON refused_page BEGIN SELECT RAISE(ROLLBACK, 'all or nothing'); END
                """)
            let error = #expect(throws: StoreError.self) { () throws in
                try session.transaction { () throws in
                    try session.transaction { () throws in
                        _ = try? session.execute("UPDATE refused_page SET title = 'x'")
                    }
                }
            }
            #expect(error != nil && !session.isInFileTransaction, "\(String(describing: error))")
            try expect(file.sqlite("SELECT title FROM refused_page"), "")
            let page = Page()
            page.title = "after"
            try page.save()
            try expect(Page.count(), 2)
        }
    }

    @Test func `a commit that the database refuses sends no event, and the next commit does`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        var events = store.events.makeAsyncIterator()
        try store.withSession { session throws in
            _ = try session.execute(
                "CREATE TABLE link (page INTEGER REFERENCES refused_page (id) DEFERRABLE INITIALLY DEFERRED)")
            #expect(throws: StoreError.self) { () throws in
                try session.transaction { () throws in
                    let page = Page()
                    page.title = "lost"
                    try page.save()
                    _ = try session.execute("INSERT INTO link VALUES (77)")
                }
            }
            let page = Page()
            page.title = "kept"
            try page.save()
            try expect(Page.query.single().title, "kept")
        }
        // No event refers to the page that was not written.
        let event = try #require(await events.next())
        #expect("\(event)".hasPrefix("Page #1 inserted"), "\(event)")
        store.close()
    }
}
