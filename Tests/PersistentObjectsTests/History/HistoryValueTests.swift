import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The values of entries, in the entry itself and outside of it.
struct HistoryValueTests {
    final class Sample: PersistentObject {
        override class var keepsHistory: Bool { true }
        override class var tableName: String { "value_sample" }
        var whole: Int64 = 0
        var real: Double?
        var text: String?
        var blob: Data?
        var any: DatabaseValue?
    }

    @Test(.onSQLite("PostgreSQL strings hold no NUL"))
    func `values of every kind come back bit for bit`() throws {
        let rows: [(Int64, Double?, String?, Data?, DatabaseValue?)] = [
            (.max, .infinity, "a\0b", Data([0, 255, 0]), .integer(1)),
            (.min, -.infinity, "", Data(), .real(1)),
            (0, -0.0, "\0", nil, .text("1")),
            (1, 0.1 + 0.2, nil, Data("{}".utf8), .blob([1])),
            (-1, .leastNonzeroMagnitude, "ü\u{301}", Data([1]), nil),
            (5, .greatestFiniteMagnitude, "'quoted' \"", nil, .real(-.infinity)),
            (5, nil, nil, nil, .integer(.min)),
        ]
        try withTemporarySession { session, _ in
            let sample = Sample()
            var stored: [[DatabaseValue]] = []
            for row in rows {
                (sample.whole, sample.real, sample.text, sample.blob, sample.any) = row
                try sample.save()
                let now = try session.rows("SELECT whole, real, text, blob, \"any\" FROM value_sample")[0]
                stored.append(try ["whole", "real", "text", "blob", "any"].map { try now.value($0) ?? .null })
            }
            let entries = try sample.history.all()
            #expect(entries.count == rows.count)
            let columns = ["whole", "real", "text", "blob", "any"]
            var before = Array(repeating: DatabaseValue.null, count: columns.count)
            for (entry, after) in zip(entries, stored) {
                for (place, column) in columns.enumerated() {
                    let value = entry.values.first { $0.column == column }
                    guard !isSame(before[place], after[place]) else {
                        #expect(value == nil, "\(column)")
                        continue
                    }
                    #expect(isSame(value?.old ?? .null, before[place]), "\(column): \(before[place])")
                    #expect(isSame(value?.new ?? .null, after[place]), "\(column): \(after[place])")
                }
                before = after
            }
            try expect(entries[1].new(\Sample.real), -.infinity)
            try expect(entries[1].old(\Sample.text), "a\0b")
        }
    }

    private func isSame(_ one: DatabaseValue, _ other: DatabaseValue) -> Bool {
        if case .real(let one) = one, case .real(let other) = other { return one.bitPattern == other.bitPattern }
        return one == other && one.storageClass == other.storageClass
    }

    /// More columns than an entry has places for.
    private func createWide(_ session: Session, columns: Int) throws {
        let list = (0..<columns).map { "\"c\($0)\" INTEGER" }.joined(separator: ", ")
        try session.execute(
            "CREATE TABLE value_wide (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL DEFAULT '', \(list)) STRICT"
        )
    }

    final class Wide: PersistentObject {
        override class var keepsHistory: Bool { true }
        override class var tableName: String { "value_wide" }
        var name = ""
        var c5: Int?
        var c30: Int?
    }

    @Test(.onSQLite("the test creates a table with SQLite's SQL"))
    func `columns that an entry has no place for are recorded like the others, in their order`() throws {
        try withTemporarySession(.init(onNote: { _ in })) { session, file in
            try createWide(session, columns: 40)
            let wide = Wide()
            (wide.name, wide.c5, wide.c30) = ("w", 5, 30)
            try wide.save()
            (wide.c5, wide.c30) = (6, 31)
            try wide.save()
            wide.c30 = nil
            try wide.save()
            let entries = try wide.history.all()
            expect(entries.map { $0.values.map(\.column) }, [["name", "c5", "c30"], ["c5", "c30"], ["c30"]])
            try expect(entries[1].old(\Wide.c30), 30)
            expect(entries.map(\.values).joined().compactMap(\.id).count, 6)
            try expect(Wide.history.where { $0.values.any { $0.column == "c30" && $0.old == .integer(31) } }.count(), 1)
            // By id, as `refresh()` and references read them.
            for value in entries.flatMap(\.values) {
                let id = try #require(value.id)
                #expect(try HistoryValue.find(id) === value)
                #expect(try HistoryValue.where { $0.id == id }.single().column == value.column)
            }
            let ids = entries.flatMap(\.values).compactMap(\.id)
            session.evict(entries.flatMap(\.values))
            try expect(HistoryValue.find(ids).count, 6)
            try expect(Wide.history.delete(), 3)
            try expect(
                file.sqlite("SELECT count(*) FROM po_history_extra; SELECT count(*) FROM po_history_value"), "0\n0")
        }
    }

    @Test(.onSQLite("the test explains SQLite's plans"))
    func `values are read by id and by entry without reading the whole history`() throws {
        try withTemporarySession { session, _ in
            try Sample().save()
            let queries = [
                "SELECT * FROM po_history_value WHERE entry_id = 7",
                "SELECT * FROM po_history_value WHERE entry_id IN (SELECT value FROM json_each('[1]')) ORDER BY entry_id",
                "SELECT * FROM po_history_entry e JOIN po_history_value ON entry_id = e.id "
                    + "WHERE e.object = 1 AND e.\"table\" = 'value_sample'",
            ]
            let space = try session.space(of: HistoryValue.self)
            let own = [ClassStatement.selectByID, .selectByIDs, .selectByRange].map { space.text($0).text }
            for sql in queries + own {
                let filled = sql.replacing("?1", with: "'[1]'").replacing("?2", with: "2")
                let plan = try session.rows("EXPLAIN QUERY PLAN " + filled).map { "\($0)" }
                let scans = plan.filter { line in
                    ["SCAN e", "SCAN x", "SCAN po_history_e"].contains { line.contains($0) }
                }
                #expect(scans.isEmpty, "\(sql): \(plan)")
            }
        }
    }

    @Test(.onSQLite("the test reads the file with SQLite"))
    func `other programs write the same entries`() throws {
        try withTemporarySession { session, file in
            try session.store.prepare(Sample.self)
            _ = try file.sqlite(
                "INSERT INTO value_sample (whole, real, text) VALUES (7, 9e999, CAST(x'610062' AS TEXT)); "
                    + "UPDATE value_sample SET \"any\" = 1; UPDATE value_sample SET \"any\" = 1.0, blob = x'00'; "
                    + "UPDATE value_sample SET id = 9; DELETE FROM value_sample")
            let entries = try Sample.history.all()
            expect(entries.map(\.change), [.created, .changed, .changed, .deleted, .created, .deleted])
            expect(entries[2].values.map(\.column), ["blob", "any"])
            expect(entries[2].values[1].old, .integer(1))
            expect(entries[2].values[1].new, .real(1))
            for entry in entries[3...] { expect(entry.values.count, 5) }
            try expect(entries[5].old(\Sample.text), "a\0b")
            let shown = try file.sqlite(
                "SELECT object, change, \"column\", old, new FROM po_history_entry JOIN po_history_value ON "
                    + "entry_id = po_history_entry.id WHERE change = 'changed'")
            expect(shown, "1|changed|any||1\n1|changed|blob||\u{0}\n1|changed|any|1|1.0".replacing("\u{0}", with: ""))
        }
    }

    enum Before {
        final class Item: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "value_item" }
            var one = 0
            var two = 0
            var three = 0
        }
    }
    /// Two columns exchange their names, one is left, one is new and takes its place in the class.
    enum After {
        final class Item: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "value_item" }
            @Column("two", renamedFrom: "one") var one = 0
            @Column("one", renamedFrom: "two") var two = 0
            var four = 0
        }
    }
    /// The column that was left is there again.
    enum Again {
        final class Item: PersistentObject {
            override class var keepsHistory: Bool { true }
            override class var tableName: String { "value_item" }
            @Column("two") var one = 0
            @Column("one") var two = 0
            var three = 0
            var four = 0
        }
    }

    @Test func `a place stays with its column when columns are exchanged, left, dropped and added again`() throws {
        let file = try TemporaryStore()
        func open(_ changes: SchemaChanges = .automatic, _ body: (Session) throws -> Void) throws {
            var configuration = Store.Configuration(onNote: { _ in })
            configuration.schemaChanges = changes
            let store = try Store(file.path, configuration: configuration)
            defer { store.close() }
            try store.withSession(body)
        }
        try open { _ in
            let item = Before.Item()
            (item.one, item.two, item.three) = (1, 2, 3)
            try item.save()
        }
        try open(.dropping) { _ in
            let item = try #require(try After.Item.first())
            expect(item.one, 1)
            (item.one, item.four) = (11, 4)
            try item.save()
            try expect(item.history.all().map { try $0.new(\After.Item.one) ?? 0 }, [1, 11])
            try expect(item.history.all().map { try $0.new(\After.Item.two) ?? 0 }, [2, 0])
            try expect(item.history.all()[0].values.map(\.column), ["two", "one", "three"])
        }
        try open { _ in
            let item = try #require(try Again.Item.first())
            (item.three, item.four) = (33, 44)
            try item.save()
            try expect(item.history.all().map { try $0.new(\Again.Item.three) ?? 0 }, [3, 0, 33])
            try expect(item.history.all().map { try $0.new(\Again.Item.four) ?? 0 }, [0, 4, 44])
        }
        try expect(
            file.sqlite("SELECT slot, \"column\" FROM po_history_column WHERE \"table\" = 'value_item'"),
            "1|two\n2|one\n3|three\n4|four")
    }
}
