import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Changes of other programs that prevent an undo.
struct UndoConflictTests {
    typealias Person = UndoModel.Person
    typealias Company = UndoModel.Company

    /// Changes objects, runs SQL in another program, and undoes the first change. Returns the error of the undo.
    private func refusal(
        _ work: (Session, Person, Company) throws -> Void, others sql: String,
        _ configuration: Store.Configuration = .init()
    ) throws -> StoreError? {
        var refusal: StoreError?
        try UndoModel.withSession(configuration) { session, file throws in
            let joe = Person()
            let acme = Company()
            (joe.name, joe.age, joe.tags, joe.employer) = ("Joe", 3, ["a"], acme)
            try session.save([joe, acme])
            try work(session, joe, acme)
            let keys = TestEngine.isPostgres ? "" : "PRAGMA foreign_keys = ON; "
            _ = try file.file.sqlite(keys + sql)
            let rows = try file.rows()
            do { try session.undo() } catch let error as StoreError { refusal = error }
            if refusal == nil {
                try session.redo()
            } else {
                #expect(session.canUndo, "it can be tried again")
            }
            #expect(try file.rows() == rows)
            _ = try file.file.sqlite(keys + "INSERT INTO pet (name) VALUES ('x')")
            #expect(throws: (any Error).self, "foreign keys are on again") {
                try session.execute("INSERT INTO pet (name, owner_id) VALUES ('', 99)")
            }
        }
        return refusal
    }

    private func rename(_: Session, _ joe: Person, _: Company) throws {
        joe.name = "Jim"
        try joe.save()
    }

    @Test func `a refused undo is reported to onQuery`() throws {
        let undone = Recorder<String>()
        var configuration = Store.Configuration()
        configuration.onQuery = { profile in
            if profile.sql == "-- undo" { undone.add(profile.sql) }
        }
        let error = try refusal(rename, others: "UPDATE person SET name = 'Jack'", configuration)
        #expect(error != nil && undone.take().count == 1)
    }

    @Test func `undo does not overwrite a column that was changed later`() throws {
        let error = try #require(try refusal(rename, others: "UPDATE person SET name = 'Tom'"))
        #expect(error.code == .staleObject && error.className == "Person" && error.rowID == 1)
        #expect(error.message.hasPrefix("The row was changed later, so the last commit cannot be undone"))
    }

    @Test func `undo ignores later changes of other columns`() throws {
        #expect(try refusal(rename, others: "UPDATE person SET age = 77") == nil)
    }

    @Test func `the undo of an update is refused if the row was deleted later`() throws {
        let error = try #require(try refusal(rename, others: "DELETE FROM person"))
        #expect(error.code == .staleObject && error.message.hasPrefix("The row was deleted later"))
    }

    @Test func `the undo of an insertion is refused if the row was changed later`() throws {
        let error = try refusal(
            { session, _, _ in try session.save([Company()]) }, others: "UPDATE company SET name = 'x' WHERE id = 2")
        #expect(error?.code == .staleObject && error?.className == "Company" && error?.rowID == 2)
    }

    @Test func `the undo of an insertion is refused if other rows now refer to the row`() throws {
        let error = try refusal(
            { session, _, _ in try session.save([Company()]) }, others: "UPDATE person SET employer_id = 2")
        #expect(error?.code == .staleObject && error?.message.hasPrefix("Person now refers to the row") == true)
    }

    @Test func `the undo of a deletion is refused if the id is used again`() throws {
        let error = try refusal(
            { _, joe, _ in try joe.delete() },
            others: "INSERT INTO person (id, name, class) VALUES (1, 'new', 'Person')")
        #expect(error?.code == .staleObject && error?.message.hasPrefix("A row with this id exists again") == true)
    }

    @Test func `the undo of a deletion is refused if a referenced row was deleted`() throws {
        let error = try refusal({ _, joe, _ in try joe.delete() }, others: "DELETE FROM company")
        #expect(
            error?.code == .staleObject
                && error?.message.hasPrefix("A row that it refers to was deleted later") == true)
        #expect(error?.className == "Person" && error?.rowID == 1)
    }

    @Test func `undo is refused if another row now has the unique value`() throws {
        let error = try refusal(
            { session, joe, _ in
                joe.email = "a"
                try joe.save()
                joe.email = nil
                try joe.save()
            }, others: "INSERT INTO person (name, email, class) VALUES ('', 'a', 'Person')")
        #expect(error?.code == .staleObject && error?.message.hasPrefix("Another row now has its unique value") == true)
    }

    @Test func `undo is refused if collection elements were changed, and the error names the property`() throws {
        let error = try refusal(
            { _, joe, _ in
                joe.marks = ["x": 1]
                try joe.save()
            }, others: "UPDATE person_marks SET value = 5")
        #expect(error?.code == .staleObject && error?.className == "Person" && error?.property == "marks")
        expect(error?.rowID, 1)
    }

    @Test func `undo is refused if the columns of the table were changed`() throws {
        // A server records only the columns that an update changes.
        let column = TestEngine.isPostgres ? "name" : "age"
        let error = try refusal(
            rename, others: "ALTER TABLE person RENAME COLUMN \(column) TO years")
        #expect(error?.code == .staleObject && error?.message.contains("were changed later") == true)
    }

    @Test(.onSQLite("sessions on a server do not wait for each other"))
    func `undo throws busy while another session writes, and can be repeated later`() throws {
        try UndoModel.withSession(.init(busyTimeout: .milliseconds(50))) { session, file throws in
            let joe = Person()
            try joe.save()
            joe.name = "Joe"
            try joe.save()
            let other = try file.file.open()
            try other.withSession { blocking throws in
                try blocking.connection.begin()
                defer { blocking.connection.rollback() }
                let error = try #require(throws: StoreError.self) { try session.undo() }
                #expect(error.code == .busy && joe.name == "Joe" && session.canUndo)
            }
            try session.undo()
            #expect(joe.name == "")
        }
    }
}
