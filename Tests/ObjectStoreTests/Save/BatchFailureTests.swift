import TestSupport
import Testing

@testable import PersistentObjects

/// A statement of several rows stops at the row that fails and leaves the rows before it: nothing of them stays.
struct BatchFailureTests {
    final class Part: PersistentObject {
        override class var tableName: String { "part" }
        @Unique var code = 0
        @Indexed var key = 0
        var number = 0
        var tags: [String] = []
    }

    private enum Place: CaseIterable { case alone, transaction, innerTransaction }

    /// Keys in no order.
    private static func parts(_ count: Int, from first: Int = 0) -> [Part] {
        (first..<first + count).map { number in
            let part = Part()
            (part.code, part.key, part.number) = (number * 7919 % 10_007, number * 31 % 97, number)
            part.tags = ["tag \(number)"]
            return part
        }
    }

    private static let rows = "SELECT (SELECT count(*) FROM part), (SELECT count(*) FROM part_tags)"

    /// Runs a save that fails in a place; the transaction around it saves other objects before and after it.
    private func failing(
        _ place: Place, _ session: Session, _ save: () throws -> Void
    ) throws -> (error: StoreError?, others: Int) {
        var error: StoreError?
        func attempt(_ body: () throws -> Void) { error = #expect(throws: StoreError.self) { try body() } }
        switch place {
        case .alone:
            attempt(save)
            return (error, 0)
        case .transaction, .innerTransaction:
            try session.transaction {
                try session.save(Self.parts(30, from: 5000))
                attempt { if place == .transaction { try save() } else { try session.transaction { try save() } } }
                try session.save(Self.parts(70, from: 6000))
            }
            return (error, 100)
        }
    }

    @Test(arguments: [30, 200, 700], [0, 1, 2])
    func `a duplicate among new objects leaves none`(count: Int, third: Int) throws {
        for place in Place.allCases {
            try withTemporarySession { session, file in
                try session.save(Self.parts(3, from: 4000))
                let new = Self.parts(count)
                let bad = new[min(count - 1, max(1, third * count / 2))]
                let code = bad.code
                bad.code = third == 1 ? 4001 * 7919 % 10_007 : new[0].code
                let (error, others) = try failing(place, session) { try session.save(new) }
                #expect(error?.code == .notUnique && error?.className == "Part" && error?.property == "code")
                #expect(try file.sqlite(Self.rows) == "\(3 + others)|\(3 + others)")
                #expect(new.allSatisfy { $0.isNew && $0.id == nil && $0.hasChanges })
                #expect(try session.space(of: Part.self).identity.brokenInvariant() == nil)
                bad.code = code
                try session.save(new)
                #expect(try file.sqlite(Self.rows) == "\(3 + others + count)|\(3 + others + count)")
                try expect(file.sqlite("PRAGMA integrity_check"), "ok")
            }
        }
    }

    @Test(arguments: [1, 40, 128])
    func `a duplicate among edits leaves none, and its row is named`(bad: Int64) throws {
        for place in Place.allCases {
            try withTemporarySession { session, file in
                let parts = Self.parts(128)
                try session.save(parts)
                try session.save(Self.parts(1, from: 4000))
                for part in parts { (part.code, part.key) = (part.number + 20_000, part.key + 1) }
                parts[Int(bad) - 1].code = 4000 * 7919 % 10_007
                let edited = "SELECT count(*) FROM part WHERE code >= 20000"
                let (error, _) = try failing(place, session) { try session.save(parts) }
                #expect(error?.code == .notUnique && error?.rowID == bad && error?.property == "code")
                try expect(file.sqlite(edited), "0")
                #expect(parts.allSatisfy { $0.changes.map(\.name) == ["code", "key"] })
                parts[Int(bad) - 1].code = 30_000
                try session.saveChanges()
                try expect(file.sqlite(edited), "128")
                try expect(file.sqlite("PRAGMA integrity_check"), "ok")
            }
        }
    }
}

/// The same in existing tables, whose rules a class does not know.
@Suite(.enabled(if: !TestEngine.isPostgres)) struct BatchConstraintTests {
    final class Shelf: PersistentObject {
        override class var tableName: String { "shelf" }
        override class var origin: TableOrigin { .existing }
        var place = 0
        var note: String? = ""
        var part: Int64? = 1
    }

    private static let tables = """
        CREATE TABLE part (id INTEGER PRIMARY KEY);
        INSERT INTO part VALUES (1), (2);
        CREATE TABLE shelf (id INTEGER PRIMARY KEY, place INTEGER NOT NULL CHECK (place < 5000), note TEXT NOT NULL,
            part INTEGER REFERENCES part (id));
        CREATE INDEX place ON shelf (place);
        CREATE INDEX distance ON shelf (abs(place));
        CREATE UNIQUE INDEX note ON shelf (note);
        """

    private static func shelves(_ count: Int) -> [Shelf] {
        (0..<count).map { number in
            let shelf = Shelf()
            shelf.place = number * 7919 % 4001
            shelf.note = "note \(number)"
            return shelf
        }
    }

    private static let faults: [(String, @Sendable (Shelf) -> Void)] = [
        ("NOT NULL", { $0.note = nil }), ("CHECK", { $0.place = 5000 }), ("FOREIGN KEY", { $0.part = 77 }),
        ("UNIQUE", { $0.note = "note 0" }),
        // The index's expression fails: abs() of this number is none.
        ("overflow", { $0.place = Int.min }),
    ]

    @Test(arguments: faults.map(\.0), [false, true])
    func `a row that breaks a rule leaves none`(rule: String, inTransaction: Bool) throws {
        let spoil = try #require(Self.faults.first { $0.0 == rule }?.1)
        try SampleFile.with(Self.tables) { session, file throws in
            func expectFailure(_ body: () throws -> Void) throws -> StoreError? {
                guard inTransaction else { return #expect(throws: StoreError.self) { try body() } }
                var error: StoreError?
                try session.transaction { error = #expect(throws: StoreError.self) { try body() } }
                return error
            }
            let new = Self.shelves(700)
            spoil(new[300])
            let inserting = try expectFailure { try session.save(new) }
            // Only the check of references knows the row.
            expect(inserting?.rowID, rule == "FOREIGN KEY" ? 301 : nil)
            if rule != "FOREIGN KEY" { expect(inserting?.className, "Shelf") }
            #expect(new.allSatisfy { $0.isNew })
            try expect(file.sqlite("SELECT count(*) FROM shelf"), "0")
            let old = Self.shelves(100)
            try session.save(old)
            for shelf in old { shelf.place += 1 }
            spoil(old[70])
            let editing = try expectFailure { try session.save(old) }
            if rule != "FOREIGN KEY" { expect(editing?.rowID, old[70].id) }
            let places = Self.shelves(100).map(\.place).reduce(0, +)
            try expect(file.sqlite("SELECT count(*), sum(place) FROM shelf"), "100|\(places)")
            try expect(file.sqlite("PRAGMA integrity_check"), "ok")
        }
    }
}
