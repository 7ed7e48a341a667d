import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The history of rows in classes with `keepsHistory`.
struct HistoryTests {
    class Person: PersistentObject {
        override class var keepsHistory: Bool { true }
        var name = ""
        var age: Int?
        var data = Data()
        var employer: Company?
    }
    final class Worker: Person { var wage = 0.0 }
    final class Company: PersistentObject { var name = "" }
    final class Anything: PersistentObject {
        override class var keepsHistory: Bool { true }
        var value: DatabaseValue?
    }

    /// PostgreSQL strings hold no NUL.
    private let oddName = TestEngine.isPostgres ? "Joe\u{1}x" : "Joe\0x"

    @Test func `each change of a row is an entry with old and new values`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            (joe.name, joe.data) = (oddName, Data([0, 255]))
            try joe.save()
            joe.name = "Jim"
            try joe.save()
            try joe.save()
            try Person.where { $0.name == "Jim" }.update { $0.age = 3 }
            try joe.delete()
            let entries = try joe.history.all()
            #expect(entries.map(\.change) == [.created, .changed, .changed, .deleted])
            #expect(try entries[0].new(\Person.name) == oddName && entries[0].new(\Person.data) == Data([0, 255]))
            #expect(entries[1].values.map(\.column) == ["name"])
            #expect(try entries[1].old(\Person.name) == oddName && entries[1].new(\Person.name) == "Jim")
            #expect(try entries[2].old(\Person.age) == nil && entries[2].new(\Person.age) == 3)
            #expect(try entries[2].didChange(\Person.age) && !entries[2].didChange(\Person.name))
            #expect(try entries[3].old(\Person.name) == "Jim" && entries[3].new(\Person.name) == nil)
            #expect(entries.allSatisfy { abs($0.date.timeIntervalSinceNow) < 60 })
            #expect(entries.allSatisfy { $0.table == "person" && $0.object == joe.id })
        }
    }

    @Test(.onSQLite("the test reads the file with SQLite"))
    func `rolled back changes leave no entries, and other classes have no history`() throws {
        try withTemporarySession { session, _ in
            struct Stop: Error {}
            let joe = Person()
            try joe.save()
            #expect(throws: Stop.self) {
                try session.transaction {
                    joe.name = "Jim"
                    try joe.save()
                    throw Stop()
                }
            }
            #expect(try joe.history.count() == 1)
            try Company().save()
            let error = #expect(throws: StoreError.self) { try Company.history.count() }
            #expect(error?.code == .misuse && error?.className == "Company", "\(String(describing: error))")
            #expect(throws: StoreError.self) { try Company().history.all() }
            let unsaved = #expect(throws: StoreError.self) { try Person().history.all() }
            #expect(unsaved?.message.contains("never saved") == true)
            #expect(try session.rows("SELECT 1 FROM sqlite_master WHERE name LIKE 'company.%'").isEmpty)
        }
    }

    @Test(.onSQLite("the test reads the file with SQLite"))
    func `a store without classes that keep a history has no history tables`() throws {
        try withTemporarySession { session, _ in
            try Company().save()
            session.author = "ann"
            try Company().save()
            #expect(try session.rows("SELECT 1 FROM sqlite_master WHERE name LIKE 'po_history_%'").isEmpty)
        }
    }

    @Test func `subclasses share the history and have their own columns, even if used late`() throws {
        try withTemporarySession { session, _ in
            let bob = Person()
            try bob.save()
            let ann = Worker()
            ann.wage = 2.5
            try ann.save()
            ann.wage = 3
            try ann.save()
            let entries = try ann.history.all()
            try expect(entries.map { try $0.new(\Worker.wage) }, [2.5, 3])
            try expect(Person.history.count(), 3)
            try expect(Worker.history.ids(), entries.compactMap(\.id))
            try ann.delete()
            #expect(try Worker.history.count() == 3 && bob.history.count() == 1)
        }
    }

    @Test func `a row that becomes a subclass has all its entries in the subclass's history`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            try joe.save()
            try Worker().save()
            try session.execute("UPDATE person SET class = 'Worker', wage = 1 WHERE id = ?", joe.id)
            try expect(Worker.history.where { $0.object == (joe.id ?? 0) }.count(), 2)
        }
    }

    @Test func `undo and redo are recorded as changes`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            joe.name = "Joe"
            try joe.save()
            session.recordsUndo = true
            joe.name = "Jim"
            try joe.save()
            try session.undo()
            try session.redo()
            try joe.delete()
            try session.undo()
            let entries = try joe.history.all()
            expect(entries.map(\.change), [.created, .changed, .changed, .changed, .deleted, .created])
            try expect(entries.prefix(4).map { try $0.new(\Person.name) }, ["Joe", "Jim", "Joe", "Jim"])
            #expect(try entries[4].old(\Person.name) == "Jim" && entries[5].new(\Person.name) == "Jim")
        }
    }

    @Test func `references cleared by foreign keys and changes by the sqlite3 program are recorded`() throws {
        try withTemporarySession { session, file in
            let (joe, acme) = (Person(), Company())
            joe.employer = acme
            try joe.save()
            let keys = TestEngine.isPostgres ? "" : "PRAGMA foreign_keys = ON;"
            _ = try file.sqlite("\(keys) UPDATE person SET age = 9; DELETE FROM company;")
            let entries = try joe.history.all()
            expect(entries.map { $0.values.map(\.column) }.dropFirst(), [["age"], ["employer_id"]])
            #expect(try entries[2].old(\Person.employer)?.value == acme.id && entries[2].new(\Person.employer) == nil)
            #expect(try file.sqlite("SELECT count(*) FROM po_history_entry").hasPrefix("3"))
            #expect(
                entries.map(\.author) == [nil, nil, nil] && (entries[1].transaction == nil || TestEngine.isPostgres))
        }
    }

    @Test func `a deletion of all rows has an entry for each`() throws {
        try withTemporarySession { session, _ in
            try session.save([Person(), Worker(), Person()])
            #expect(try Worker.deleteAll() == 1 && Person.deleteAll() == 2)
            try session.save((0..<3).map { _ in Person() })
            try session.execute("DELETE FROM person")
            try expect(Person.history.where { $0.change == .deleted }.values(of: \.object), [2, 1, 3, 4, 5, 6])
        }
    }

    final class Quoted: PersistentObject {
        override class var keepsHistory: Bool { true }
        override class var tableName: String { "it's a \"table\" [x]" }
        @Column("it's \"a\" `column`; --") var value = ""
        @Column("CLASS") var kind = 0
    }

    @Test func `table and column names can contain quotes and other SQL characters`() throws {
        try withTemporarySession { session, _ in
            let one = Quoted()
            try one.save()
            one.value = "'\"" + oddName
            one.kind = 2
            try one.save()
            let entry = try #require(try one.history.all().last)
            #expect(try entry.old(\Quoted.value) == "" && entry.new(\Quoted.value) == "'\"" + oddName)
            try one.revert(to: entry.date)
            #expect(!one.hasChanges)
            try expect(Quoted.history.count(), 2)
        }
    }

    @Test(
        .onSQLite("SQLite's SQL replaces a row"), arguments: ["id", "ID", "\"id\"", "rowid", "_rowid_", "\"OID\""])
    func `a changed or replaced id is recorded as a deletion and a creation`(name: String) throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            joe.name = "Joe"
            try joe.save()
            try session.execute("UPDATE person SET \(name) = 7 WHERE id = ?", joe.id)
            try expect(Person.history.all().map(\.object), [1, 1, 7])
            try expect(Person.history.all().map(\.change), [.created, .deleted, .created])
            try session.execute("INSERT OR REPLACE INTO person (id, name) VALUES (7, 'Jim')")
            let entries = try Person.history.where { $0.object == 7 }.all()
            expect(entries.map(\.change), [.created, .deleted, .created])
            #expect(try entries[1].old(\Person.name) == "Joe" && entries[2].new(\Person.name) == "Jim")
        }
    }

    @Test(.onSQLite("PostgreSQL has no columns for values of any type"))
    func `a column for values of any type keeps their types`() throws {
        try withTemporarySession { session, _ in
            let thing = Anything()
            thing.value = .integer(1)
            try thing.save()
            for value in [.real(1), .text("1"), .blob([1]), nil] as [DatabaseValue?] {
                thing.value = value
                try thing.save()
            }
            let entries = try thing.history.all()
            let kinds: [DatabaseValue?] = [.integer(1), .real(1), .text("1"), .blob([1]), nil]
            try expect(entries.map { try $0.new(\Anything.value) }, kinds)
            try expect(entries.map { try $0.old(\Anything.value) }, [nil] + kinds.dropLast())
            try thing.revert(to: #require(entries.first).date)
            // Entries of one millisecond have one date.
            let values = try entries.filter { $0.date == entries[0].date }.map { try $0.new(\Anything.value) }
            expect(thing.value, values.last ?? nil)
        }
    }

    @Test func `entries and their values cannot be saved`() throws {
        try withTemporarySession { session, _ in
            let joe = Person()
            try joe.save()
            let entry = try #require(try joe.history.first())
            entry.author = "somebody"
            #expect(throws: StoreError.self) { try entry.save() }
            entry.revert()
            #expect(throws: StoreError.self) { try HistoryEntry().save() }
            let value = HistoryValue()
            #expect(throws: StoreError.self) { try value.save() }
        }
    }

    @Test func `a subclass cannot differ in keepsHistory, and a class over an existing table cannot have it`() throws {
        class Base: PersistentObject { override class var tableName: String { "history_base" } }
        final class Sub: Base { override class var keepsHistory: Bool { true } }
        final class Other: PersistentObject {
            override class var tableName: String { "other" }
            override class var origin: TableOrigin { .existing }
            override class var keepsHistory: Bool { true }
        }
        #expect(throws: SchemaError.historyDiffers(className: "Sub", root: "Base")) { try ClassMap.map(of: Sub.self) }
        let error = #expect(throws: SchemaError.self) { try ClassMap.map(of: Other.self) }
        #expect("\(String(describing: error))".contains("keepsHistory"))
    }
}
