import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Random changes by various writers: after each step, the marks are the difference of two dumps.
@Suite(.onSQLite("PostgreSQL captures no changes"))
struct SyncModelTests {
    class Item: PersistentObject {
        override class var tableName: String { "sync_item" }
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var name = ""
        var count: Int?
        @Merged(.counter) var stars = 0
        var parent: Item?
        var tags: [String] = []
        var codes: Set<Int> = []
        var scores: [String: Int] = [:]
        var kin: [Item]?
    }
    final class Tool: Item {
        var weight = 0.5
        @Lazy var parts: [String: Item] = [:]
    }

    private struct Stop: Error {}

    /// The contents of the tables, without the library's types.
    private struct Dump {
        /// The values by column of each row.
        var rows: [Int64: [String: DatabaseValue]] = [:]
        /// The elements of each collection, by owner and place.
        var elements: [String: [Int64: [DatabaseValue: DatabaseValue]]] = [:]

        init(_ session: Session) throws {
            for row in try session.rows("SELECT * FROM sync_item") {
                var values: [String: DatabaseValue] = [:]
                for (column, value) in zip(row.columnNames, row.values) { values[column] = value }
                rows[try row.value("id")] = values
            }
            let tables = try session.rows(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'sync\\_item\\_%' ESCAPE '\\'")
            for table in tables {
                let name: String = try table.value("name")
                var owners: [Int64: [DatabaseValue: DatabaseValue]] = [:]
                for row in try session.rows("SELECT * FROM \"\(name)\"") {
                    guard case .integer(let owner) = row.values[0] else { continue }
                    owners[owner, default: [:]][row.values[1]] = row.values.last
                }
                elements[name] = owners
            }
        }
    }

    /// The marks of one step, by table.
    private struct Marks {
        struct Mark: Hashable {
            let table: String
            let row: Int64
            /// The key of an element of a set or dictionary.
            let part: DatabaseValue?
        }
        var masks: [Mark: Int64] = [:]
        var columns: [Mark: Set<String>] = [:]

        init(_ session: Session) throws {
            let rows = try session.rows(
                """
                SELECT t.name, t.kind, m.row, m.part, m.mask, (SELECT group_concat(c.name) FROM po_sync_column c \
                WHERE c.tbl = m.tbl AND c.number / 60 = iif(t.kind = 'rows', m.part, 0) \
                AND (m.mask >> (2 + c.number % 60)) & 1) FROM po_sync_mark m JOIN po_sync_table t ON t.number = m.tbl
                """)
            for row in rows {
                let kind: String = try row.value("kind")
                let mask: Int64 = try row.value("mask")
                let isElement = kind == "set" || kind == "dictionary"
                let mark = Mark(
                    table: try row.value("name"), row: try row.value("row"), part: isElement ? row.values[3] : nil)
                masks[mark, default: 0] |= mask & 3
                guard case .text(let names) = row.values[5] else { continue }
                columns[mark, default: []].formUnion(names.split(separator: ",").map(String.init))
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(20)) func `the marks are the difference of two dumps`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try withTemporarySession { session, file in
            try session.store.prepare(Item.self)
            session.recordsUndo = true
            var known: [Int64: DatabaseValue] = [:]
            for step in 0..<50 {
                let before = try Dump(session)
                try Self.doStep(step, session, file, &random)
                let after = try Dump(session)
                let context = Comment(rawValue: "seed \(seed), step \(step)")
                let marks = try Marks(session)
                try Self.checkRows(before, after, marks, session, context)
                Self.checkElements(before, after, marks, context)
                try Self.checkPlaces(&known, before, after, session, context)
                try Self.absorb(session, &known)
            }
        }
    }

    private static func checkRows(
        _ before: Dump, _ after: Dump, _ marks: Marks, _ session: Session, _ context: Comment
    ) throws {
        for id in Set(before.rows.keys).union(after.rows.keys) {
            let mark = Marks.Mark(table: "sync_item", row: id, part: nil)
            let (mask, columns) = (marks.masks[mark] ?? 0, marks.columns[mark] ?? [])
            switch (before.rows[id], after.rows[id]) {
            case (let old?, let new?):
                guard mask == 0 else {
                    expect(mask, 3, context)
                    continue
                }
                let changed = Set(new.keys.filter { old[$0, default: new[$0] ?? .null] != new[$0] })
                // A transaction can change a value more than once.
                #expect(columns.isSuperset(of: changed), context)
                let counted = try session.rows(
                    """
                    SELECT n.amount FROM po_sync_count n JOIN po_sync_column c ON c.tbl = n.tbl \
                    AND c.number = n."column" WHERE c.name = 'stars' AND n.row = ?
                    """, id
                ).first?.values[0]
                guard case .integer(let from)? = old["stars"], case .integer(let to)? = new["stars"] else { continue }
                expect(counted ?? .integer(0), .integer(to - from), context)
            case (nil, _): #expect(mask & 1 == 1, context)
            case (_, nil): #expect(mask & 2 == 2, context)
            }
        }
        for (mark, mask) in marks.masks where mark.table == "sync_item" {
            let wasThere = before.rows[mark.row] != nil || after.rows[mark.row] != nil
            #expect(wasThere || mask == 3, "\(context): a mark of row \(mark.row), which never existed")
            if mask == 0 { #expect(marks.columns[mark]?.isEmpty == false, context) }
        }
    }

    private static func checkElements(_ before: Dump, _ after: Dump, _ marks: Marks, _ context: Comment) {
        for (table, owners) in after.elements {
            let isArray = table.hasSuffix("tags") || table.hasSuffix("kin")
            for owner in Set(owners.keys).union(before.elements[table, default: [:]].keys) {
                // The marks of elements end with their owner.
                guard after.rows[owner] != nil else { continue }
                let (old, new) = (before.elements[table]?[owner] ?? [:], owners[owner] ?? [:])
                for place in Set(old.keys).union(new.keys) {
                    let mark = Marks.Mark(table: table, row: owner, part: isArray ? nil : place)
                    let mask = marks.masks[mark]
                    if old[place] != new[place] { #expect(mask != nil, "\(context): \(table) \(owner) \(place)") }
                    if isArray { continue }
                    if old[place] == nil, new[place] != nil { #expect((mask ?? 0) & 1 == 1, context) }
                    if old[place] != nil, new[place] == nil { #expect((mask ?? 0) & 2 == 2, context) }
                    if let mask, old[place] == new[place], mask != 3 {
                        // A value that was changed twice in one transaction.
                        #expect(marks.columns[mark]?.isEmpty == false, "\(context): \(table) \(owner) \(place)")
                    }
                }
            }
        }
    }

    /// Every known element is at a place with its value, or marked as changed, or recorded as deleted.
    private static func checkPlaces(
        _ known: inout [Int64: DatabaseValue], _ before: Dump, _ after: Dump, _ session: Session, _ context: Comment
    ) throws {
        var rest = known
        let places = try session.rows(
            "SELECT t.name, p.owner, p.position, p.id, p.changed FROM po_sync_place p JOIN po_sync_table t ON t.number = p.tbl"
        )
        for row in places {
            guard case .text(let table) = row.values[0], case .integer(let owner) = row.values[1],
                case .integer(let id) = row.values[3]
            else { continue }
            let value = rest.removeValue(forKey: id)
            guard after.rows[owner] != nil else { continue }
            let now = after.elements[table]?[owner]?[row.values[2]]
            #expect(now != nil, "\(context): element \(id) has no row")
            if row.values[4] == .integer(0) { #expect(now == value, "\(context): element \(id) was exchanged") }
        }
        for row in try session.rows("SELECT id, value FROM po_sync_gone") {
            guard case .integer(let id) = row.values[0] else { continue }
            #expect(rest.removeValue(forKey: id) != nil, "\(context): element \(id) is twice there")
        }
        expect(rest.keys.sorted(), [], context)
    }

    /// Empties the changes, as a round does, and gives ids to new elements.
    private static func absorb(_ session: Session, _ known: inout [Int64: DatabaseValue]) throws {
        for table in ["mark", "gone", "count"] { try session.execute("DELETE FROM po_sync_\(table)") }
        try session.execute("UPDATE po_sync_place SET changed = 0")
        try session.execute("DELETE FROM po_sync_place WHERE owner NOT IN (SELECT id FROM sync_item)")
        known = [:]
        for table in ["sync_item_tags", "sync_item_kin"] {
            let value = table.hasSuffix("kin") ? "value_id" : "value"
            try session.execute(
                """
                INSERT INTO po_sync_place (tbl, owner, position, id) SELECT t.number, e.owner_id, e.position, \
                (SELECT coalesce(max(id), 0) FROM po_sync_place) + row_number() OVER (ORDER BY e.owner_id, e.position) \
                FROM "\(table)" e JOIN po_sync_table t ON t.name = '\(table)' WHERE NOT EXISTS \
                (SELECT 1 FROM po_sync_place p WHERE p.tbl = t.number AND p.owner = e.owner_id \
                AND p.position = e.position)
                """)
            let rows = try session.rows(
                """
                SELECT p.id, e.\(value) FROM po_sync_place p JOIN po_sync_table t ON t.number = p.tbl \
                AND t.name = '\(table)' JOIN "\(table)" e ON e.owner_id = p.owner AND e.position = p.position
                """)
            for row in rows { if case .integer(let id) = row.values[0] { known[id] = row.values[1] } }
        }
    }

    private static func doStep(
        _ step: Int, _ session: Session, _ file: TemporaryStore, _ random: inout SeededGenerator
    ) throws {
        let items = try Item.all()
        let item = items.randomElement(using: &random)
        func change(_ item: Item, _ random: inout SeededGenerator) {
            item.name = "n\(step % 4)"
            item.count = Bool.random(using: &random) ? nil : step
            item.stars += Int.random(in: -2...5, using: &random)
            item.parent = items.randomElement(using: &random)
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                item.tags.insert("t\(step)", at: Int.random(in: 0...item.tags.count, using: &random))
            }
            if Bool.random(using: &random) { item.tags.shuffle(using: &random) }
            if item.tags.count > 6 { item.tags.removeFirst(3) }
            item.codes.formSymmetricDifference([step % 5, step % 7])
            item.scores["k\(step % 3)"] = Bool.random(using: &random) ? nil : step % 2
            if Bool.random(using: &random) {
                item.kin = items.isEmpty ? nil : items.shuffled(using: &random).dropLast()
            }
            guard let tool = item as? Tool else { return }
            tool.weight = Double(step)
            tool.parts["p\(step % 3)"] = items.randomElement(using: &random)
        }
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1, 2:
            // The subclass is used late, so that its columns are added late.
            let new = step > 12 && Bool.random(using: &random) ? Tool() : Item()
            change(new, &random)
            try new.save()
        case 3, 4:
            guard let item else { return }
            change(item, &random)
            try item.save()
        case 5: try Item.where { $0.id > Int64(step / 2) }.update { $0.count = step }
        case 6:
            try session.execute(
                "UPDATE sync_item SET name = name || ?, count = NULL, stars = stars + 1 WHERE id % 3 = ?", "x", step % 3
            )
        case 7: try item?.delete()
        case 8, 9: try move { _ = try session.undo() }
        case 10: try move { _ = try session.redo() }
        case 11:
            #expect(throws: Stop.self) {
                try session.transaction {
                    try Item().save()
                    throw Stop()
                }
            }
        case 12: try Item.where { $0.id > Int64(step / 2) }.update { $0.tags = ["q\(step)", "q"] }
        case 13:
            try session.undoGroup("All") {
                for item in items {
                    change(item, &random)
                    try item.save()
                }
            }
        case 14:
            guard !items.isEmpty else { return }
            _ = try file.sqlite(
                """
                PRAGMA foreign_keys = ON;
                INSERT OR IGNORE INTO sync_item_codes SELECT id, \(step) FROM sync_item;
                UPDATE sync_item_tags SET value = value || 's' WHERE owner_id % 2 = 0;
                UPDATE sync_item_tags SET position = position + 100000 WHERE owner_id % 2 = 1;
                DELETE FROM sync_item WHERE id = (SELECT max(id) FROM sync_item)
                """)
        default:
            _ = try file.sqlite("UPDATE sync_item SET name = 'sqlite3' WHERE id = (SELECT max(id) FROM sync_item)")
        }
        func move(_ body: () throws -> Void) throws {
            do { try body() } catch let error as StoreError where error.code == .staleObject { session.clearUndo() }
        }
    }
}
