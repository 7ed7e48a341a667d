import StoreEngine
import TestSupport
import Testing

/// The engine reports which constraint failed, so that no other module parses SQLite's messages.
@Suite struct ConstraintFailureTests {
    private static let tables = """
        CREATE TABLE person (id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT NOT NULL, age INTEGER CHECK (age > 0),
            boss INTEGER REFERENCES person (id), first TEXT, "last, name" TEXT, UNIQUE (first, "last, name")) STRICT;
        """

    private func failure(_ sql: String, after others: String...) throws -> ConstraintFailure? {
        try withConnection { connection throws in
            try connection.run(Self.tables)
            try connection.run("CREATE TABLE pet (id INTEGER PRIMARY KEY, email TEXT UNIQUE)")
            try connection.run("INSERT INTO person (id, email, name) VALUES (1, 'a', 'Joe')")
            for other in others { try connection.run(other) }
            return #expect(throws: StoreError.self) { try connection.run(sql) }?.constraint
        }
    }

    @Test func `a duplicate value is reported with its column`() throws {
        try expect(
            failure("INSERT INTO person (email, name) VALUES ('a', 'Jim')"),
            ConstraintFailure(kind: .unique, table: "person", columns: ["email"]))
        try expect(
            failure("INSERT INTO pet (email) VALUES ('x')", after: "INSERT INTO pet (email) VALUES ('x')"),
            ConstraintFailure(kind: .unique, table: "pet", columns: ["email"]))
        try expect(
            failure("INSERT INTO person (id, name) VALUES (1, 'Jim')"),
            ConstraintFailure(kind: .unique, table: "person", columns: ["id"]))
    }

    @Test func `a failure of several columns names them all, even if a name contains a comma`() throws {
        try expect(
            failure(
                "UPDATE person SET first = 'x', \"last, name\" = 'y'",
                after: "INSERT INTO person (name, first, \"last, name\") VALUES ('Jim', 'x', 'y')"),
            ConstraintFailure(kind: .unique, table: "person", columns: ["first", "last, name"]))
    }

    @Test func `a failure of an index on an expression names no columns`() throws {
        try expect(
            failure(
                "INSERT INTO person (email, name) VALUES ('A', 'Jim')",
                after: "CREATE UNIQUE INDEX i ON person (lower(email))"), ConstraintFailure(kind: .unique))
    }

    @Test func `the kinds of constraint failures are distinguished`() throws {
        try expect(
            failure("INSERT INTO person (email) VALUES ('b')"),
            ConstraintFailure(kind: .notNull, table: "person", columns: ["name"]))
        try expect(failure("INSERT INTO person (name, age) VALUES ('x', 0)")?.kind, .check)
        try expect(failure("INSERT INTO person (name, boss) VALUES ('x', 7)")?.kind, .foreignKey)
        try expect(failure("INSERT INTO person (name, age) VALUES ('x', 'old')")?.kind, .other)
    }

    @Test func `a failure of a delete rule is distinguished from a failure of another trigger`() throws {
        let rule = Dialect.sqlite.deleteTrigger(
            DeleteTriggerText(
                name: "p", table: "person", actsAfterwards: false, condition: nil, action: .deny(rule: "A.b")))
        try expect(failure("DELETE FROM person", after: rule.text)?.kind, .deniedDeletion)
        try expect(
            failure(
                "DELETE FROM person",
                after: "CREATE TRIGGER p BEFORE DELETE ON person BEGIN SELECT RAISE(ABORT, 'no'); END")?.kind, .trigger)
    }

    @Test func `an error with another cause is not a constraint failure`() throws {
        try withConnection { connection throws in
            let error = #expect(throws: StoreError.self) { try connection.run("SELECT 1 FROM nowhere") }
            #expect(error?.constraint == nil)
            expect(error?.isIntegerOverflow, false)
            let sum: SQL = "SELECT sum(x) FROM (SELECT 9223372036854775807 AS x UNION ALL SELECT 1)"
            let overflow = #expect(throws: StoreError.self) { try connection.execute(sum) }
            expect(overflow?.isIntegerOverflow, true)
        }
    }
}
