import TestSupport
import Testing

@testable import PersistentObjects

/// Calls on `Store` that are forwarded to the current session.
struct CurrentSessionCallTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
    }

    @Test func `the current session is that of the innermost withSession`() throws {
        try withTemporarySession { session, _ in
            #expect(try Store.session() === session && session.store.session() === session)
            try withTemporarySession { inner, _ in
                #expect(try Store.session() === inner)
                let outer = try session.store.session()
                #expect(outer !== inner && outer.store === session.store)
            }
        }
    }

    @Test func `calls on Store reach the current session`() throws {
        try withTemporarySession { session, file in
            let joe = Person()
            joe.name = "Joe"
            try joe.save()
            try Store.session().recordsUndo = true
            #expect(try !Store.hasChanges)
            joe.name = "Jim"
            #expect(try Store.hasChanges)
            try Store.saveChanges()
            #expect(try !Store.hasChanges && file.sqlite("SELECT name FROM person") == "Jim")
            #expect(try Store.undo() && joe.name == "Joe")
            #expect(try Store.redo() && joe.name == "Jim")
            #expect(try !Store.redo())
            joe.name = "x"
            try Store.revert()
            expect(joe.name, "Jim")
            try expect(Store.execute("UPDATE person SET name = ?", "Ann"), 1)
            try Store.refresh()
            expect(joe.name, "Ann")
            try expect(Store.rows("SELECT name FROM person WHERE id = ?", 1).map { $0["name"] }, [.text("Ann")])
        }
    }

    @Test func `added objects and edits of released objects count as changes`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            #expect(!session.hasChanges)
            try session.add(joe)
            #expect(session.hasChanges)
            try session.saveChanges()
            #expect(!session.hasChanges)
            func edit() throws { try Person.where { $0.id == 1 }.all()[0].name = "gone" }
            try edit()
            #expect(session.hasChanges && joe.name == "gone")
        }
    }

    @Test func `an ended session has no changes`() throws {
        let store = try Store.inMemory()
        let session = try store.withSession { session in
            try Person().save()
            return session
        }
        #expect(!session.hasChanges)
        store.close()
        #expect(throws: StoreError.self) { try store.session() }
    }
}
