internal import Foundation
internal import StoreEngine

/// The values of a row at a time: reconstructed by going back from its current values through the entries of its
/// history.
///
/// Going back needs no entries for columns that were added since, and none from before the requested time.
struct RowHistory {
    private struct Entry {
        let id: Int64
        let change: HistoryEntry.Change
        let date: Double
        /// Whether the entry contains only elements, and no values of the row.
        let isOfElements: Bool
    }

    /// The row's current values; nil if the row does not exist.
    let now: PastRow?
    private let entries: [Entry]
    private let collections: [ElementTriggers]
    /// The current elements, which may exist without a row if a program deleted it without foreign keys.
    private let elementsNow: [String: PastElements]
    private let map: ClassMap
    private let id: Int64
    private let connection: any Connection

    /// - Parameter table: The table of the only collection whose elements are needed; nil for all collections. The
    ///   elements of another one may be unknown.
    init(_ map: ClassMap, _ id: Int64, _ connection: any Connection, elementsOf table: String? = nil) throws {
        (self.map, self.id, self.connection) = (map, id, connection)
        let entries: SQL = """
            SELECT "id", "change", "date", "change" = 'changed' AND NOT EXISTS \
            (SELECT 1 FROM \(name: HistoryNames.values) v WHERE v."entry_id" = e."id") \
            FROM \(name: HistoryNames.entries) e WHERE "table" = ? AND "object" = ? ORDER BY "id"
            """
        self.entries = try connection.prepare(entries).rows([.text(map.table), .integer(id)]).map { row in
            guard case .integer(let number) = row[0], case .text(let word) = row[1], case .real(let date) = row[2],
                let change = HistoryEntry.Change(rawValue: word)
            else {
                throw StoreError(
                    .typeMismatch, "History entry \(row[0].shown) was not written by this library",
                    className: map.name, rowID: id)
            }
            return Entry(id: number, change: change, date: date, isOfElements: row[3] == .integer(1))
        }
        collections = try ElementTriggers.all(of: map.table, connection.schema).filter {
            table == nil || table.map(Naming.folded) == Naming.folded($0.table)
        }
        var elements: [String: PastElements] = [:]
        for collection in collections {
            elements[Naming.folded(collection.table)] = try PastElements.read(collection, [id], connection)[id]
        }
        elementsNow = elements
        let columns = try connection.schema.table(map.table)?.columns.filter { !$0.isGenerated }.map(\.name) ?? []
        let row: SQL = "SELECT \(names: columns) FROM \(name: map.table) WHERE \"id\" = ?"
        now = try connection.prepare(row).rows([.integer(id)]).first.map { values in
            PastRow(
                values: Dictionary(zip(columns.map(Naming.folded), values)) { first, _ in first }, elements: elements)
        }
    }

    /// The row's values at a date.
    func row(at date: Date) throws -> PastRow {
        let time = date.timeIntervalSinceReferenceDate
        guard let first = entries.first else {
            throw error(
                now == nil
                    ? "The row does not exist, and the history has no entries for it"
                    : "The history has no entries for the row")
        }
        guard let last = entries.lastIndex(where: { $0.date <= time }) else {
            let since = shown(Date(timeIntervalSinceReferenceDate: first.date))
            throw switch first.change {
            case .created: error("The row did not exist on \(shown(date)), because it was inserted on \(since)")
            case .found: error("The row's history begins on \(since)")
            case .changed, .deleted: error("The row's history entries before \(since) were deleted")
            }
        }
        guard let row = try row(from: last + 1) else {
            throw error("The row did not exist on \(shown(date)), because it was already deleted")
        }
        return row
    }

    /// The row's values before an entry; nil if it did not exist.
    func row(before entry: Int64) throws -> PastRow? {
        let place = try place(of: entry)
        switch entries[place].change {
        case .created, .found: return nil
        case .changed, .deleted: return try row(from: place)
        }
    }

    /// The row's values after an entry; nil if it was deleted.
    func row(after entry: Int64) throws -> PastRow? { try row(from: place(of: entry) + 1) }

    private func place(of entry: Int64) throws -> Int {
        if let place = entries.firstIndex(where: { $0.id == entry }) { return place }
        throw error("Entry \(entry) of the row's history no longer exists")
    }

    /// The row's values before the entries from an index on; nil if it did not exist.
    private func row(from start: Int) throws -> PastRow? {
        let before = entries[..<start].last { !$0.isOfElements }
        guard before?.change != .deleted else { return nil }
        let following = entries[start...].filter { !$0.isOfElements }
        try checkWhole(following)
        guard ((following.last ?? before)?.change == .deleted) == (now == nil) else {
            throw error("The row was changed while no history was kept, so its earlier values are unknown")
        }
        return try takingBack(entries[start...], from: now ?? PastRow(elements: elementsNow))
    }

    private func takingBack(_ entries: ArraySlice<Entry>, from row: PastRow) throws -> PastRow {
        var row = row
        guard let first = entries.first, let last = entries.last else { return row }
        let former = try formerValues(first.id...last.id)
        for entry in entries.reversed() where !entry.isOfElements {
            // If the row was inserted again, the values before that are in the entry of its deletion.
            if entry.change != .changed { row.values = [:] }
            if entry.change != .created { row.values.merge(former[entry.id] ?? [:]) { _, old in old } }
        }
        try forEachChange(first.id...last.id) { table, change in
            row.elements[table, default: PastElements()].revert(change)
        }
        return row
    }

    /// Throws if an entry does not follow from the previous entry. The row exists before the first entry.
    private func checkWhole(_ following: [Entry]) throws {
        var isThere = true
        for entry in following {
            let follows =
                switch entry.change {
                case .created: !isThere
                case .changed, .deleted: isThere
                case .found: false
                }
            guard follows else {
                let since = shown(Date(timeIntervalSinceReferenceDate: entry.date))
                throw error(
                    "For a time before \(since) no history was kept, so the row's values at that time are unknown")
            }
            isThere = entry.change != .deleted
        }
    }

    /// The old values of each of the given entries, by the columns' folded names.
    private func formerValues(_ entries: ClosedRange<Int64>) throws -> [Int64: [String: DatabaseValue]] {
        let sql: SQL = """
            SELECT "entry_id", "column", "old" FROM \(name: HistoryNames.values) WHERE "entry_id" IN \
            (SELECT "id" FROM \(name: HistoryNames.entries) WHERE "table" = ? AND "object" = ? AND "id" BETWEEN ? AND ?)
            """
        var values: [Int64: [String: DatabaseValue]] = [:]
        try connection.prepare(sql).forEach(arguments(entries)) { row in
            guard case .integer(let entry) = row[0], case .text(let column) = row[1] else { return }
            values[entry, default: [:]][Naming.folded(column)] = row[2]
        }
        return values
    }

    /// Calls `body` with the folded table and each element change of the given entries, the last change first.
    ///
    /// Throws if `body` returns false, because the elements then do not match the changes: the collection was of
    /// another kind, entries were deleted, or a program replaced rows.
    private func forEachChange(
        _ entries: ClosedRange<Int64>, _ body: (_ table: String, PastElements.Change) -> Bool
    ) throws {
        let hasKeys = Dictionary(collections.map { (Naming.folded($0.table), $0.hasKeys) }) { first, _ in first }
        let sql: SQL = """
            SELECT v."table", v."change", v."key", v."old", v."new" FROM \(name: HistoryNames.entries) e \
            JOIN \(name: HistoryNames.elements) v ON v."entry_id" = e."id" \
            WHERE e."table" = ? AND e."object" = ? AND e."id" BETWEEN ? AND ? ORDER BY v."id" DESC
            """
        for row in try connection.prepare(sql).rows(arguments(entries)) {
            guard case .text(let name) = row[0], case .text(let word) = row[1],
                let change = HistoryElement.Change(rawValue: word)
            else { continue }
            let table = Naming.folded(name)
            // The table no longer exists, or its elements are not needed.
            guard let hasKeys = hasKeys[table] else { continue }
            let (old, new) = (row[3], row[4])
            let changes: [PastElements.Change] =
                if hasKeys {
                    [PastElements.Change(change: change, place: row[2], old: old, new: new)]
                } else {
                    // An element of a former array was replaced: one was removed, and another one added.
                    [
                        change == .removed ? nil : PastElements.Change(change: .added, place: new, old: nil, new: new),
                        change == .added ? nil : PastElements.Change(change: .removed, place: old, old: old, new: nil),
                    ].compactMap(\.self)
                }
            // The place is missing if the collection was of another kind then; see
            // `HistoryStatements.forgettingPlaces`.
            let hasPlace = !hasKeys || row[2] != .null
            guard hasPlace, changes.allSatisfy({ body(table, $0) }) else {
                throw error(
                    "The elements in \(VisibleText.of(name)) do not match their history, so the earlier elements "
                        + "are unknown")
            }
        }
    }

    private func arguments(_ entries: ClosedRange<Int64>) -> [DatabaseValue] {
        [.text(map.table), .integer(id), .integer(entries.lowerBound), .integer(entries.upperBound)]
    }

    /// A time with its milliseconds, because entries often differ in nothing else.
    private func shown(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private func error(_ message: String) -> StoreError {
        StoreError(.notFound, message, className: map.name, rowID: id)
    }
}
