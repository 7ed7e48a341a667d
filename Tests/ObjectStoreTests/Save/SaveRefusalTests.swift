import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Saves that are refused with class, property and row, and leave the file unchanged.
struct SaveRefusalTests {
    final class Asking: PersistentObject {
        override class var tableName: String { "refused_asking" }
        var tags: [String] = []
        override func validate(_ problems: inout Problems) { problems.requireUnique(\Asking.tags) }
    }

    @Test func `requireUnique for a collection is refused`() throws {
        try withTemporarySession { session, file throws in
            let error = #expect(throws: StoreError.self) { try Asking().save() }
            #expect(error?.code == .misuse && error?.className == "Asking" && error?.property == "tags")
            #expect(
                error?.message
                    == "The class's validate requires it to be unique, but it is not a property with a column")
            #expect(try file.sqlite("SELECT count(*) FROM refused_asking") == "0")
            withExtendedLifetime(session) {}
        }
    }

    final class Rate: PersistentObject {
        override class var tableName: String { "refused_rate" }
        @Unique var rate = 0.0
    }

    @Test func `an upsert by a value that cannot be stored is refused`() throws {
        try withTemporarySession { session, _ throws in
            let rate = Rate()
            rate.rate = .nan
            let error = #expect(throws: StoreError.self) { try session.upsert(rate, on: \.rate) }
            #expect(error?.code == .notRepresentable && error?.className == "Rate" && error?.property == "rate")
        }
    }

    /// Values that differ in memory and are equal in the column.
    struct Loose: PersistentValue, Hashable {
        var text: String
        static var columnType: ColumnType { .text }
        init(_ text: String) { self.text = text }
        init(databaseValue: DatabaseValue) throws {
            guard case .text(let text) = databaseValue else { throw CocoaError(.coderInvalidValue) }
            self.text = text
        }
        var databaseValue: DatabaseValue { .text(text.lowercased()) }
    }

    final class Bag: PersistentObject {
        override class var tableName: String { "refused_bag" }
        var set: Set<Loose> = []
        var map: [Loose: Int] = [:]
        var list: [Int] = []
    }

    @Test func `elements and keys with the same column value are refused`() throws {
        try withTemporarySession { session, file throws in
            let bag = Bag()
            (bag.set, bag.map) = ([Loose("x")], [Loose("x"): 1])
            try bag.save()
            bag.set = [Loose("a"), Loose("A")]
            let error = #expect(throws: StoreError.self) { try bag.save() }
            #expect(error?.className == "Bag" && error?.property == "set" && error?.rowID == 1)
            #expect(error?.message.contains("two elements of the set have the same value in their column") == true)
            bag.set = [Loose("x")]
            bag.map = [Loose("a"): 1, Loose("A"): 2]
            let other = #expect(throws: StoreError.self) { try bag.save() }
            #expect(other?.className == "Bag" && other?.property == "map" && other?.rowID == 1)
            #expect(other?.message.contains("two keys of the dictionary have the same value in their column") == true)
            #expect(try file.sqlite("SELECT value FROM refused_bag_set; SELECT key FROM refused_bag_map") == "x\nx")
            withExtendedLifetime(session) {}
        }
    }

    @Test func `the collection of an object whose row was deleted is not written`() throws {
        try withTemporarySession { session, file throws in
            let bag = Bag()
            try bag.save()
            // The table has no foreign key that would report it.
            _ = try file.sqlite("DELETE FROM refused_bag")
            bag.list = [1]
            let error = #expect(throws: StoreError.self) { try bag.save() }
            #expect(error?.code == .rowGone && error?.className == "Bag" && error?.rowID == 1)
            #expect(try file.sqlite("SELECT count(*) FROM refused_bag_list") == "0")
            withExtendedLifetime(session) {}
        }
    }

    final class Sack: PersistentObject {
        override class var tableName: String { "refused_sack" }
        var list: [Int] = []
    }

    @Test func `a collection whose owner a trigger deletes in the same save is not written`() throws {
        try withTemporarySession { session, file throws in
            let (bag, sack) = (Bag(), Sack())
            try session.save([bag, sack])
            for (table, other) in [("bag", "sack"), ("sack", "bag")] {
                _ = try session.execute(
                    "CREATE TRIGGER sweep_\(other) AFTER INSERT ON refused_\(table)_list "
                        + "BEGIN DELETE FROM refused_\(other); END")
            }
            (bag.list, sack.list) = ([1], [2])
            let error = #expect(throws: StoreError.self) { try session.save([bag, sack]) }
            #expect(error?.code == .rowGone && error?.rowID == 1, "\(String(describing: error))")
            #expect(["Bag", "Sack"].contains(error?.className))
            #expect(bag.hasChanges && sack.hasChanges)
            #expect(
                try file.sqlite(
                    "SELECT count(*) FROM refused_bag; SELECT count(*) FROM refused_bag_list; "
                        + "SELECT count(*) FROM refused_sack_list") == "1\n0\n0")
        }
    }

    @Test func `saving a collection whose table was dropped is an error with class and property`() throws {
        try withTemporarySession { session, file throws in
            try Bag().save()
            _ = try file.sqlite("DROP TABLE refused_bag_list")
            let bag = Bag()
            bag.list = [1]
            let error = #expect(throws: StoreError.self) { try bag.save() }
            #expect(error?.className == "Bag" && error?.property == "list", "\(String(describing: error))")
            #expect(error?.message.contains("no such table") == true && bag.id == nil)
            #expect(try file.sqlite("SELECT count(*) FROM refused_bag") == "1")
            withExtendedLifetime(session) {}
        }
    }

    @Test func `a swap of unique values that a trigger prevents is refused as not unique`() throws {
        try withTemporarySession { session, file throws in
            let rates = [Rate(), Rate()]
            (rates[0].rate, rates[1].rate) = (1, 2)
            try session.save(rates)
            _ = try session.execute(
                """
                CREATE TRIGGER keep BEFORE UPDATE ON refused_rate WHEN new.rate NOT IN (1, 2)
                BEGIN SELECT RAISE(ABORT, 'one or two'); END
                """)
            (rates[0].rate, rates[1].rate) = (2, 1)
            let error = #expect(throws: StoreError.self) { try session.save(rates) }
            #expect(error?.code == .notUnique && error?.className == "Rate" && error?.property == "rate")
            expect(error?.rowID, 1, "\(String(describing: error))")
            try expect(file.sqlite("SELECT rate FROM refused_rate"), "1.0\n2.0")
        }
    }

    final class Country: PersistentObject {
        override class var tableName: String { "refused_country" }
        override class var identity: Identity { .given }
        var name = ""
    }

    @Test func `if the largest id is assigned, an object without an id cannot be saved`() throws {
        try withTemporarySession { session, _ throws in
            let last = try Country(id: Int64.max)
            let error = #expect(throws: StoreError.self) { try session.save([last, Country()]) }
            #expect(error?.code == .misuse && error?.className == "Country")
            expect(error?.message.contains("There are no ids above 9223372036854775807"), true)
        }
    }

    @Test func `an untracked object cannot be restored`() throws {
        try withTemporarySession { session, _ throws in
            let note = SoftNote()
            try note.save()
            let untracked = try #require(try SoftNote.query.untracked().all().first)
            let error = #expect(throws: StoreError.self) { try untracked.restore() }
            #expect(error?.className == "SoftNote")
            #expect(error?.message.contains("so it cannot be restored") == true, "\(String(describing: error))")
            withExtendedLifetime(session) {}
        }
    }

    @Test func `an error of a trigger on restore names the class`() throws {
        try withTemporarySession { session, file throws in
            let note = SoftNote()
            try note.save()
            try note.delete()
            _ = try session.execute(
                """
                CREATE TRIGGER keep BEFORE UPDATE ON refused_soft_note WHEN new.deleted_at IS NULL
                BEGIN SELECT RAISE(ABORT, 'gone for good'); END
                """)
            let error = #expect(throws: StoreError.self) { try note.restore() }
            #expect(error?.className == "SoftNote" && error?.message.contains("gone for good") == true)
            #expect(note.isDeleted)
            try expect(file.sqlite("SELECT count(deleted_at) FROM refused_soft_note"), "1")
        }
    }

    final class SoftNote: PersistentObject {
        override class var tableName: String { "refused_soft_note" }
        override class var softDeletes: Bool { true }
        var deletedAt: Date?
    }
}
