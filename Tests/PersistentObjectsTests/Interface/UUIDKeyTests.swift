import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// UUID keys are stored as 16 bytes and are strings everywhere else.
struct UUIDKeyTests {
    class Letter: PersistentObject {
        override class var tableName: String { "letter" }
        override class var identity: Identity { .uuid }
        var name = ""
        var answer: Letter?
        var tags: [String] = []
    }

    final class Parcel: Letter { var weight = 0 }

    private static let texts = [
        "00000000-0000-4000-8000-000000000001", "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
        "6ba7b810-9dad-41d1-80b4-00c04fd430c9", "ffffffff-ffff-4fff-bfff-ffffffffffff",
    ]

    /// Saves letters with the given keys, in an order other than that of the keys.
    @discardableResult
    private func letters(_ session: Session) throws -> [Letter] {
        let letters = try UUIDKeyTests.texts.map { try Letter(key: $0) }
        for (place, letter) in letters.enumerated() { letter.name = "letter \(place)" }
        try session.save([letters[2], letters[0], letters[3], letters[1]])
        return letters
    }

    private func names(_ letters: [Letter]) -> [String] { letters.map { String($0.name.dropFirst(7)) } }

    @Test func `the column holds the 16 bytes of the key`() throws {
        try withTemporarySession { session, file throws in
            try letters(session)
            try expect(
                file.sqlite("SELECT typeof(key), length(key), lower(hex(key)) FROM letter ORDER BY key"),
                UUIDKeyTests.texts.map { "blob|16|\($0.replacing("-", with: ""))" }.joined(separator: "\n"))
            guard !TestEngine.isPostgres else { return }
            try expect(file.sqlite("SELECT type FROM pragma_table_info('letter') WHERE name = 'key'"), "BLOB")
        }
    }

    @Test(arguments: [true, false]) func `each way to query a key finds the object`(isInMemory: Bool) throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in _ = try letters(session) }
            try store.withSession { session throws in
                let held = isInMemory ? try Letter.all() : []
                let text = UUIDKeyTests.texts[1]
                let capitals = text.uppercased()
                let uuid = try #require(UUID(uuidString: text))
                let found: [Letter?] = [
                    try Letter.find(text), try Letter.find(capitals), try Letter.find(uuid),
                    try Letter.findByKey(text).first, try Letter.findByKey(capitals).first,
                    try Letter.findByKey(uuid).first, try Letter.findBy.key(text).first,
                    try Letter.findFirstBy.key(capitals), try Letter.where { $0.key == text }.first(),
                    try Letter.where { $0.key == capitals }.first(),
                    try Letter.where { $0.key.isIn([capitals]) }.first(),
                    try Letter.where { $0.key == text && $0.name == "letter 1" }.first(),
                    try Letter.findByKeyIn([capitals, text]).first, try Letter.findByKeyIn([uuid]).first,
                    try Letter.findByKeyIgnoreCase(capitals).first,
                    try Letter.findByCriteria("WHERE key = ?", uuid).first,
                    try Letter.findByCriteria("WHERE key IN (?)", [capitals]).first,
                    try Letter.find(keys: [capitals]).first,
                ]
                #expect(found.map { $0?.name } == Array(repeating: "letter 1", count: found.count))
                #expect(found.allSatisfy { $0 === found[0] && $0?.key == text })
                let id = try #require(found[0]?.persistentID)
                #expect(id.key == text)
                #expect(try Letter.find(id) === found[0] && session.object(for: id) === found[0])
                _ = held
            }
        }
    }

    @Test func `keys are looked up in the given order, with one statement for any number`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in _ = try letters(session) }
            try store.withSession { session throws in
                _ = try Letter.count()
                let asked =
                    [3, 0, 2, 0].map { UUIDKeyTests.texts[$0].uppercased() } + [UUID().uuidString, "no UUID", ""]
                let log = try statements(of: session) { () throws in
                    let found = try Letter.find(keys: asked)
                    expect(names(found), ["3", "0", "2", "0"])
                }
                expect(log.count { $0.contains("FROM \"letter\"") }, 1, "\(log)")
            }
            try store.withSession { session throws in
                let many = (0..<3000).map { _ in Letter() }
                try session.save(many)
                let keys = many.compactMap(\.key)
                try session.reset()
                try expect(Letter.find(keys: keys).compactMap(\.key), keys)
                try session.reset()
                try expect(Set(Letter.where { $0.key.isIn(keys) }.all().compactMap(\.key)), Set(keys))
            }
        }
    }

    @Test func `a string that is not a UUID finds no row and cannot be compared by order`() throws {
        try withTemporarySession { session, _ throws in
            try letters(session)
            #expect(try Letter.find("x") == nil && Letter.findByKey("x").isEmpty && Letter.find(keys: ["x"]).isEmpty)
            #expect(try Letter.where { $0.key == "x" }.all().isEmpty)
            #expect(try Letter.where { $0.key.isIn(["x", ""]) }.all().isEmpty)
            #expect(try Letter.where { $0.key != "x" }.count() == 4)
            let error = #expect(throws: StoreError.self) { try Letter.where { $0.key > "x" }.all() }
            #expect(error?.description.contains("is not a UUID") == true, "\(String(describing: error))")
        }
    }

    @Test func `keys are sorted like their strings and compared through the index`() throws {
        try withTemporarySession { session, _ throws in
            try letters(session)
            let texts = UUIDKeyTests.texts
            expect(names(try Letter.query.order(by: \.key).all()), ["0", "1", "2", "3"])
            expect(names(try Letter.query.order(by: \.key, .descending).limit(2).all()), ["3", "2"])
            expect(names(try Letter.listOrderByKey()), ["0", "1", "2", "3"])
            expect(names(try Letter.where { $0.key > texts[1] }.order(by: \.key).all()), ["2", "3"])
            expect(names(try Letter.where { $0.key <= texts[1].uppercased() }.order(by: \.key).all()), ["0", "1"])
            expect(names(try Letter.findByKeyBetweenOrderByKey(texts[1], texts[2])), ["1", "2"])
            try expect(
                Letter.query.order(by: \.key).after(try #require(try Letter.find(texts[1])), limit: 1).first?.key,
                texts[2])
            let queries = [
                Letter.where { $0.key == texts[0] }, Letter.where { $0.key.isIn(texts) },
                Letter.where { $0.key > texts[1] },
            ]
            // PostgreSQL does not explain queries yet.
            for query in queries where !TestEngine.isPostgres {
                #expect(try query.explain().description.contains("letter.key.unique"))
            }
        }
    }

    @Test func `queries use a key as a string`() throws {
        try withTemporarySession { session, _ throws in
            let all = try letters(session)
            let texts = UUIDKeyTests.texts
            expect(names(try Letter.where { $0.key.hasPrefix("6ba7b810-") }.order(by: \.key).all()), ["1", "2"])
            expect(names(try Letter.where { $0.key.hasSuffix("c9") }.all()), ["2"])
            expect(names(try Letter.where { $0.key.contains("9dad-41") }.order(by: \.key).all()), ["1", "2"])
            expect(names(try Letter.findByKeyStartingWith("fff")), ["3"])
            expect(names(try Letter.findByKeyLike("%c8")), ["1"])
            expect(names(try Letter.findByKeyStartingWithIgnoreCase("FFF")), ["3"])
            try expect(Letter.query.order(by: \.key).values(of: \.key), texts.map { $0 })
            try expect(Letter.query.min(\.key), texts[0])
            try expect(Letter.query.max(\.key), texts[3])
            try expect(Letter.where { $0.key == nil }.count(), 0)
            all[0].name = texts[0]
            try all[0].save()
            try expect(Letter.where { $0.key == $0.name }.all(), [all[0]])
            all[1].answer = all[2]
            try all[1].save()
            try expect(Letter.where { $0.answer.key == texts[2] }.all(), [all[1]])
            try expect(Letter.where { $0.answer.key == nil }.count(), 3)
            try expect(Letter.where { $0.answer.key != $0.key && $0.answer.key.hasPrefix("6") }.all(), [all[1]])
        }
    }

    @Test func `generated keys are version 7 UUIDs in the order of their creation`() throws {
        try withTemporarySession { session, file throws in
            let before = UInt64(Date().timeIntervalSince1970 * 1000)
            for count in [1, 5000, 3] { try session.save((0..<count).map { _ in Letter() }) }
            let after = UInt64(Date().timeIntervalSince1970 * 1000)
            let keys = try Letter.query.order(by: \.id).values(of: \.key).compactMap { $0 }
            #expect(keys.count == 5004 && keys == keys.sorted() && Set(keys).count == 5004)
            #expect(
                keys.allSatisfy {
                    $0.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
                })
            let times = keys.compactMap { UInt64($0.replacing("-", with: "").prefix(12), radix: 16) }
            // If more keys are created than fit in a millisecond, their times run slightly ahead of the clock.
            let (first, last) = (try #require(times.first), try #require(times.last))
            #expect(first >= before && last <= after + 3)
            #expect(try file.sqlite("SELECT count(*) FROM letter WHERE typeof(key) <> 'blob'") == "0")
        }
    }

    @Test func `keys stay in order if the clock is set back or a millisecond is full`() {
        var maker = KeyMaker()
        var last = maker.next(at: 1_000_000, start: .max, rest: .max).canonicalText
        expect(last, "0000000f-4240-77ff-bfff-ffffffffffff")
        for (time, start) in [(1_000_000, 0), (999_999, 5), (0, .max), (1_000_000, 0)] as [(UInt64, UInt64)] {
            let next = maker.next(at: time, start: start, rest: 0).canonicalText
            #expect(next > last && next.hasPrefix("0000000f-4240-78"))
            last = next
        }
        for _ in 0..<4096 {
            let next = maker.next(at: 1_000_000, start: 0, rest: 0).canonicalText
            #expect(next > last)
            last = next
        }
        #expect(last.hasPrefix("0000000f-4241-7"))
        expect(maker.next(at: 1_000_002, start: 0, rest: 0).canonicalText, "0000000f-4242-7000-8000-000000000000")
        #expect(maker.next(at: .max, start: 0, rest: 0).canonicalText.hasPrefix("ffffffff-ffff-7"))
    }

    @Test func `rows of programs without keys get version 4 UUIDs`() throws {
        try withTemporarySession { session, file throws in
            _ = try Letter.count()
            _ = try file.sqlite(
                """
                WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                INSERT INTO letter (name) SELECT CAST(i AS TEXT) FROM n
                """)
            let keys = try Letter.all().compactMap(\.key)
            expect(Set(keys).count, 300)
            #expect(
                keys.allSatisfy {
                    $0.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
                }, "\(keys.prefix(3))")
            try expect(file.sqlite("SELECT DISTINCT typeof(key) || length(key) FROM letter"), "blob16")
        }
    }

    @Test(.onSQLite("the sqlite3 program writes beside the session"))
    func `another process reads and writes the same keys`() throws {
        try withTemporarySession { session, file throws in
            try letters(session)
            let other = try SQLiteProcess(file.path)
            let hex = "0190A1B2C3D47E5F8A9B0C1D2E3F4A5B"
            try other.run("INSERT INTO letter (key, name) VALUES (X'\(hex)', 'theirs');")
            try expect(Letter.find("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")?.name, "theirs")
            try other.run("UPDATE letter SET key = X'\(hex.replacing("0190", with: "0191"))' WHERE name = 'theirs';")
            #expect(try Letter.find("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b") == nil)
            let mine = try #require(try Letter.find("0191a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"))
            let taken = try Letter(key: "0191A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B")
            let error = #expect(throws: StoreError.self) { try taken.save() }
            #expect(error?.code == .notUnique && error?.property == "key" && error?.className == "Letter")
            try mine.setKey(UUIDKeyTests.texts[0].replacing("1", with: "2"))
            try mine.save()
            try expect(
                other.run("SELECT lower(hex(key)) FROM letter WHERE name = 'theirs';"),
                "00000000000040008000000000000002")
            try other.quit()
        }
    }

    @Test(.onSQLite("PostgreSQL has a type for UUIDs"))
    func `bytes that are not a UUID throw an error that names the row`() throws {
        try withTemporarySession { _, file throws in
            _ = try Letter.count()
            _ = try file.sqlite("INSERT INTO letter (key, name) VALUES (X'0102', 'short')")
            let error = #expect(throws: StoreError.self) { try Letter.all() }
            #expect(error?.className == "Letter" && error?.property == "key" && error?.rowID == 1)
        }
    }

    @Test func `changes, snapshots, undo, dictionaries and descriptions have the key as a string`() throws {
        try withTemporarySession { session, file throws in
            let texts = UUIDKeyTests.texts
            session.recordsUndo = true
            let letter = try Letter(key: texts[0].uppercased())
            try letter.save()
            #expect(letter.dictionary["key"] as? String == texts[0] && letter["key"] as? String == texts[0])
            #expect(letter.description.contains("key: \"\(texts[0])\""))
            let snapshot = letter.snapshot()
            try letter.setKey(texts[1])
            expect(
                letter.changes.map { "\($0.old as? String ?? "")>\($0.new as? String ?? "")" },
                ["\(texts[0])>\(texts[1])"])
            try letter.save()
            #expect(!letter.hasChanges)
            try letter.setKey(texts[1].uppercased())
            #expect(!letter.hasChanges)
            try session.undo()
            expect(letter.key, texts[0])
            #expect(try Letter.find(texts[0]) === letter && Letter.find(texts[1]) == nil)
            try session.redo()
            expect(letter.key, texts[1])
            expect(snapshot.key, texts[0])
            try expect(file.sqlite("SELECT lower(hex(key)) FROM letter"), texts[1].replacing("-", with: ""))
        }
    }

    @Test func `upsert by key and finding work with UUID keys of subclasses`() throws {
        try withTemporarySession { session, file throws in
            let parcel = try Parcel(key: UUIDKeyTests.texts[0])
            parcel.tags = ["a", "b"]
            try parcel.save()
            let again = try Parcel(key: UUIDKeyTests.texts[0].uppercased())
            again.name = "again"
            #expect(try session.upsert(again, on: \.key) === parcel)
            #expect(try Letter.find(UUIDKeyTests.texts[0]) === parcel && parcel.name == "again")
            try expect(file.sqlite("SELECT count(*), max(name) FROM letter"), "1|again")
        }
    }

    @Test(.onSQLite("no earlier version has made such a file"))
    func `a file with string keys is converted to bytes`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { _ throws in _ = try Letter.count() }
        let text = UUIDKeyTests.texts[1]
        // The column as an earlier version created it.
        _ = try file.sqlite(
            """
            DROP INDEX "letter.key.unique"; ALTER TABLE letter DROP COLUMN key;
            ALTER TABLE letter ADD COLUMN key TEXT; CREATE UNIQUE INDEX "letter.key.unique" ON letter (key);
            INSERT INTO letter (name, key) VALUES ('old', '\(text)');
            DELETE FROM po_class; DELETE FROM po_property;
            """)
        try file.open().withSession { _ throws in
            #expect(try Letter.find(text)?.name == "old" && Letter.all().count == 1)
        }
        try expect(
            file.sqlite("SELECT typeof(key), lower(hex(key)) FROM letter"), "blob|\(text.replacing("-", with: ""))")
    }

    @Test func `a string key of an older file becomes bytes, or throws an error that names the row`() throws {
        let map = try ClassMap.map(of: Letter.self)
        let plain = try ClassMap.map(of: KeyTests.Country.self)
        #expect(map.bytesKey?.name == "key" && plain.bytesKey == nil)
        let uuid = try #require(UUID(uuidString: UUIDKeyTests.texts[1]))
        for text in [UUIDKeyTests.texts[1], UUIDKeyTests.texts[1].uppercased()] {
            #expect(try map.keyBytes(of: .text(text), rowID: 7) == .blob(uuid.bytes))
        }
        #expect(try map.keyBytes(of: .blob(uuid.bytes), rowID: 7) == .blob(uuid.bytes))
        #expect(try map.keyBytes(of: .null, rowID: 7) == .null)
        for bad in [.text("IS"), .text(""), .blob([1]), .integer(1), .real(1)] as [DatabaseValue] {
            let error = #expect(throws: StoreError.self) { try map.keyBytes(of: bad, rowID: 7) }
            #expect(error?.className == "Letter" && error?.property == "key" && error?.rowID == 7)
            #expect(error?.description.contains("not a UUID") == true && error?.description.contains("IS") == false)
        }
    }
}
