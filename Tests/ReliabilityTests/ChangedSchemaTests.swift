import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Another process changes the tables while this process has statements, objects and baselines for them.
@Suite struct ChangedSchemaTests {
    /// Runs typical operations with the class. A failure must have a type of the library, and leave nothing open.
    private func use(_ session: Session, _ joe: Person, _ ann: Person) -> [any Error] {
        var errors: [any Error] = []
        func attempt(_ body: () throws -> Void) {
            do { try body() } catch {
                errors.append(error)
                #expect(error is StoreError || error is SchemaError, "\(error)")
            }
            #expect(session.busyStatementCount == 0 && !session.isInFileTransaction)
        }
        attempt { _ = try Person.all() }
        attempt { _ = try Person.findByLastName("Joe") }
        attempt { _ = try Person.where { $0.weight > 1 }.count() }
        attempt { try joe.reload() }
        attempt {
            joe.weight += 1
            try joe.save()
        }
        attempt { try person("New").save() }
        attempt { try session.transaction { try session.save((0..<5).map { person("\($0)") }) } }
        attempt { try ann.delete() }
        attempt { _ = try session.rows("SELECT count(*) FROM person") }
        return errors
    }

    /// A class that the schema change does not affect.
    final class Bystander: PersistentObject { var value = 1 }

    private func change(_ sql: String, _ body: (TemporaryStore, [any Error]) throws -> Void) throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .quiet)
        try store.withSession { session throws in
            let (joe, ann, other) = (person("Joe"), person("Ann"), Bystander())
            try session.save([joe, ann, other])
            // All statements have been prepared and are in the cache.
            #expect(use(session, joe, ann).isEmpty)
            let eve = person("Eve")
            try eve.save()
            _ = try file.sqlite(sql)
            let errors = use(session, joe, eve)
            other.value += 1
            try other.save()
            #expect(try Bystander.find(1) === other)
            try body(file, errors)
        }
        try expect(file.sqlite("PRAGMA integrity_check"), "ok")
    }

    @Test(arguments: [
        "ALTER TABLE person ADD COLUMN extra TEXT DEFAULT 'x'", "CREATE INDEX i ON person (weight)",
        "DROP INDEX IF EXISTS person_last_name", "CREATE TABLE other (x); INSERT INTO other VALUES (1)",
        "CREATE TRIGGER t AFTER INSERT ON person BEGIN UPDATE person SET age = 5 WHERE id = new.id; END",
        "VACUUM", "ANALYZE", "REINDEX", "DELETE FROM sqlite_sequence",
        "BEGIN; CREATE TABLE copy AS SELECT * FROM person; DROP TABLE copy; COMMIT",
    ])
    func `a schema change that does not affect the class causes no error`(_ sql: String) throws {
        try change(sql) { file, errors throws in
            #expect(errors.isEmpty, "\(errors)")
            try expect(file.sqlite("SELECT weight FROM person WHERE last_name = 'Joe'"), "2.0")
        }
    }

    @Test(arguments: [
        "ALTER TABLE person DROP COLUMN weight", "ALTER TABLE person RENAME COLUMN weight TO mass",
        "ALTER TABLE person RENAME TO people", "DROP TABLE person",
        "DROP TABLE person; CREATE VIEW person AS SELECT 1 AS id, 'a' AS last_name, 1 AS age, 1.0 AS weight, x'' AS picture",
        "DROP TABLE person; CREATE TABLE person (x)",
        "DROP TABLE person; CREATE TABLE person (id TEXT PRIMARY KEY, last_name, age, weight, picture) WITHOUT ROWID",
    ])
    func `a schema change that removes what the class needs leads to typed errors only`(_ sql: String) throws {
        try change(sql) { _, errors throws in #expect(!errors.isEmpty) }
    }

    @Test func `reopening the store adds a dropped column again`() throws {
        try change("ALTER TABLE person DROP COLUMN weight") { file, _ throws in
            try file.open(configuration: .quiet).withSession { _ throws in
                #expect(try Person.all().allSatisfy { $0.weight == 0 })
                try person("again").save()
            }
        }
    }

    @Test func `columns in a different order are read by name`() throws {
        try change(
            """
            BEGIN; CREATE TABLE p (picture BLOB NOT NULL DEFAULT x'', weight REAL NOT NULL DEFAULT 0, age INTEGER,
                last_name TEXT NOT NULL DEFAULT '', id INTEGER PRIMARY KEY AUTOINCREMENT);
            INSERT INTO p (id, last_name, age, weight, picture) SELECT id, last_name, age, weight, picture FROM person;
            DROP TABLE person; ALTER TABLE p RENAME TO person; COMMIT
            """
        ) { file, errors throws in
            #expect(errors.isEmpty, "\(errors)")
            try expect(file.sqlite("SELECT weight FROM person WHERE last_name = 'Joe'"), "2.0")
        }
    }
}
