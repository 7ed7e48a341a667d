import TestSupport
import Testing

@testable import PersistentObjects

/// Triggers of other programs that leave out a statement's row: `RAISE(IGNORE)`.
struct IgnoringTriggerTests {
    final class Entry: PersistentObject {
        override class var tableName: String { "entries" }
        override class var origin: TableOrigin { .existing }
        var number = 0
        var note: String?
    }

    static let sql = """
        CREATE TABLE entries (id INTEGER PRIMARY KEY, number INT NOT NULL, note TEXT);
        CREATE TRIGGER i BEFORE INSERT ON entries WHEN NEW.number < 0 BEGIN SELECT RAISE(IGNORE); END;
        CREATE TRIGGER u BEFORE UPDATE ON entries WHEN NEW.number < 0 BEGIN SELECT RAISE(IGNORE); END;
        CREATE TRIGGER d BEFORE DELETE ON entries WHEN OLD.number = 5
            BEGIN UPDATE entries SET note = 'dead' WHERE id = OLD.id; SELECT RAISE(IGNORE); END;
        """

    private func entry(_ number: Int) -> Entry {
        let entry = Entry()
        entry.number = number
        return entry
    }

    private func check(_ error: StoreError?) {
        #expect(error?.code == .constraint && error?.className == "Entry")
        #expect(error?.message.contains("trigger of the table entries") == true, "\(error as Any)")
    }

    @Test func `a new row that a trigger leaves out is an error, and nothing is saved`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            let one = entry(-1)
            check(#expect(throws: StoreError.self) { try one.save() })
            #expect(one.isNew && one.id == nil)
            for count in [3, 30, 700] {
                let many = (0..<count).map { entry($0 == 1 ? -1 : $0) }
                check(#expect(throws: StoreError.self) { try session.save(many) })
                #expect(many.allSatisfy { $0.isNew })
            }
            try expect(file.sqlite("SELECT count(*) FROM entries"), "0")
        }
    }

    @Test func `a change that a trigger ignores is an error that names the row`() throws {
        try SampleFile.with(Self.sql) { _, file throws in
            let one = entry(1)
            try one.save()
            one.number = -2
            let error = #expect(throws: StoreError.self) { try one.save() }
            check(error)
            #expect(error?.rowID == 1)
            #expect(one.number == -2 && one.hasChanges)
            one.revert()
            try expect(file.sqlite("SELECT number FROM entries"), "1")
        }
    }

    @Test func `a deletion that a trigger ignores is an error, and nothing is deleted`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            let entries = [entry(4), entry(5)]
            try session.save(entries)
            let error = #expect(throws: StoreError.self) { try entries[1].delete() }
            #expect(error?.rowID == 2)
            check(error)
            check(#expect(throws: StoreError.self) { try session.delete(entries) })
            check(#expect(throws: StoreError.self) { try Entry.deleteAll() })
            check(#expect(throws: StoreError.self) { try Entry.where { $0.number > 0 }.delete() })
            #expect(entries.allSatisfy { !$0.isDeleted })
            try expect(file.sqlite("SELECT id, note FROM entries"), "1|\n2|")
            try entries[0].delete()
            // A row that is gone already is not an error.
            _ = try file.sqlite("DROP TRIGGER d; DELETE FROM entries")
            try entries[1].delete()
        }
    }

    @Test func `a new row that a trigger deletes or moves is an error, and nothing is saved`() throws {
        for action in ["DELETE FROM entries WHERE id = NEW.id", "UPDATE entries SET id = 1000 + id WHERE id = NEW.id"] {
            let sql = """
                CREATE TABLE entries (id INTEGER PRIMARY KEY, number INT NOT NULL, note TEXT);
                CREATE TRIGGER i AFTER INSERT ON entries WHEN NEW.number < 0 BEGIN \(action); END;
                """
            try SampleFile.with(sql) { session, file throws in
                let (good, bad) = (entry(1), entry(-1))
                check(#expect(throws: StoreError.self) { try bad.save() })
                check(#expect(throws: StoreError.self) { try session.save([good, bad]) })
                #expect(good.isNew && bad.isNew)
                try expect(file.sqlite("SELECT count(*) FROM entries"), "0")
            }
        }
    }
}
