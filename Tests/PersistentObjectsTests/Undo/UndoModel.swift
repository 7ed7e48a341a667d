import TestSupport
import Testing

@testable import PersistentObjects

/// The classes for the tests of undo: references, an owning inverse, collections, a lazy property, a hierarchy, and in a
/// file search.
enum UndoModel {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age: Int?
        @Unique var email: String?
        var employer: Company?
        var friends: [Person] = []
        var tags: Set<String> = []
        var marks: [String: Int]?
        @Lazy var note: String?
        @OnDelete(.cascade) var passport: Passport?
        @Inverse(\Pet.owner, onDelete: .cascade) var pets: [Pet]
    }

    final class Employee: Person { var salary = 0 }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
        @OnDelete(.cascade) var desks: [Desk] = []
    }

    final class Desk: PersistentObject {
        override class var tableName: String { "desk" }
        var number = 0
    }

    final class Passport: PersistentObject {
        override class var tableName: String { "passport" }
        var number = ""
    }

    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var name = ""
        weak var owner: Person?
    }

    /// A server has no full-text search.
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        @Searchable var text = ""
    }

    /// Runs the body in a session that records undo, with access to the file.
    static func withSession(
        _ configuration: Store.Configuration = .init(), sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (Session, UndoFile) throws -> Void
    ) throws {
        try withTemporarySession(configuration, sourceLocation: sourceLocation) { session, file in
            try session.store.prepare(Person.self, Employee.self, Company.self, Pet.self)
            if !TestEngine.isPostgres { try session.store.prepare(Note.self) }
            session.recordsUndo = true
            try body(session, UndoFile(file: file, session: session))
            if !TestEngine.isPostgres {
                try session.execute("INSERT INTO note_search (note_search, rank) VALUES ('integrity-check', 1)")
                try expect(file.sqlite("PRAGMA foreign_key_check"), "", sourceLocation: sourceLocation)
            }
            let broken = session.classes.allIdentities.compactMap { $0.brokenInvariant() }
            expect(broken, [], sourceLocation: sourceLocation)
            expect(session.busyStatementCount, 0, sourceLocation: sourceLocation)
        }
    }
}

/// Reads the file of a store of `UndoModel`.
struct UndoFile {
    let file: TemporaryStore
    let session: Session

    /// Returns all rows of all tables as a string.
    func rows() throws -> String {
        let names =
            TestEngine.isPostgres
            ? "SELECT relname FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace "
                + "AND relkind = 'r' AND NOT starts_with(relname, 'po_') ORDER BY 1"
            : "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' "
                + "ORDER BY name"
        let tables = try session.rows(names)
        return try tables.map { table in
            let name: String = try table.value(0)
            let rows = try session.rows("SELECT * FROM \"\(name)\" ORDER BY 1, 2")
            return "\(name): \(rows.map(\.values))"
        }.joined(separator: "\n")
    }
}
