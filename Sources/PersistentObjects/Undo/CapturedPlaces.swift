internal import StoreEngine

/// The entries of one array's elements that sync knows, which follow the elements while the triggers are off.
struct CapturedPlaces {
    private struct Entry {
        let id: DatabaseValue
        let place: DatabaseValue
        var changed: DatabaseValue = .integer(0)
    }

    private let table: DatabaseValue
    private let owner: DatabaseValue
    private let record: CaptureRecord

    init(_ table: Int, _ owner: Int64, _ record: CaptureRecord) {
        self.table = .integer(Int64(table))
        self.owner = .integer(owner)
        self.record = record
    }

    /// Moves the entries: an element that is at another place keeps its entry, and a restored element gets the entry
    /// back that it had when it was deleted.
    func follow(from old: PastElements, to new: PastElements) throws {
        let entries = try entries()
        // The places whose element is gone or replaced, and the places with another element than before.
        let left = old.rows.filter { new.values[$0.place] != $0.value }
        let taken = new.rows.filter { old.values[$0.place] != $0.value }
        var pool: [DatabaseValue: [DatabaseValue]] = [:]
        for row in left.reversed() where entries[row.place] != nil { pool[row.value, default: []].append(row.place) }
        var moved: [(place: DatabaseValue, entry: Entry)] = []
        var used: Set<DatabaseValue> = []
        var rest: [(place: DatabaseValue, value: DatabaseValue)] = []
        for row in taken {
            if let from = pool[row.value]?.popLast(), let entry = entries[from] {
                used.insert(from)
                moved.append((row.place, entry))
            } else {
                rest.append(row)
            }
        }
        for row in rest {
            if old.values[row.place] != nil, var entry = entries[row.place], used.insert(row.place).inserted {
                entry.changed = .integer(1)
                moved.append((row.place, entry))
            } else if old.values[row.place] == nil, entries[row.place] != nil {
                // The owner was deleted with its elements, and their entries stayed.
                continue
            } else if let entry = try takeGone(row.place, row.value) {
                moved.append((row.place, entry))
            }
        }
        for row in left {
            guard let entry = entries[row.place] else { continue }
            if !used.contains(row.place) { try addGone(row.place, row.value, entry) }
            try record.run(
                """
                DELETE FROM \(name: CaptureNames.places) WHERE "tbl" = ? AND "owner" = ? AND "position" = ?
                """, [table, owner, row.place])
        }
        for (place, entry) in moved {
            try record.run(
                """
                INSERT OR REPLACE INTO \(name: CaptureNames.places) \
                ("tbl", "owner", "position", "id", "place", "changed") VALUES (?, ?, ?, ?, ?, ?)
                """, [table, owner, place, entry.id, entry.place, entry.changed])
        }
    }

    private func entries() throws -> [DatabaseValue: Entry] {
        let sql: SQL = """
            SELECT "position", "id", "place", "changed" FROM \(name: CaptureNames.places) \
            WHERE "tbl" = ? AND "owner" = ?
            """
        var entries: [DatabaseValue: Entry] = [:]
        for row in try record.rows(sql, [table, owner]) {
            entries[row[0]] = Entry(id: row[1], place: row[2], changed: row[3])
        }
        return entries
    }

    private func addGone(_ position: DatabaseValue, _ value: DatabaseValue, _ entry: Entry) throws {
        try record.run(
            """
            INSERT OR REPLACE INTO \(name: CaptureNames.gone) ("tbl", "owner", "id", "place", "position", "value") \
            VALUES (?, ?, ?, ?, ?, ?)
            """, [table, owner, entry.id, entry.place, position, value])
    }

    /// Takes the entry of a deleted element with a value, preferably of the one that was at the same place.
    private func takeGone(_ position: DatabaseValue, _ value: DatabaseValue) throws -> Entry? {
        let sql: SQL = """
            SELECT "id", "place" FROM \(name: CaptureNames.gone) WHERE "tbl" = ? AND "owner" = ? \
            AND "value" IS ? ORDER BY "position" = ? DESC, "id" LIMIT 1
            """
        guard let row = try record.rows(sql, [table, owner, value, position]).first else { return nil }
        try record.run(
            "DELETE FROM \(name: CaptureNames.gone) WHERE \"tbl\" = ? AND \"owner\" = ? AND \"id\" = ?",
            [table, owner, row[0]])
        return Entry(id: row[0], place: row[1])
    }
}
