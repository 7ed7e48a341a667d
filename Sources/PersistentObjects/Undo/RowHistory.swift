internal import Foundation
internal import StoreEngine

/// What a row held at a time: found by going back from what it holds now, through the entries of its history.
///
/// Going back needs no entries for columns that have come since, and none of
/// before the time that is asked for.
struct RowHistory {
    private struct Entry {
        let id: Int64
        let change: HistoryEntry.Change
        let date: Double
    }

    /// What the columns hold now, by their folded names; nil where there is no row.
    let now: [String: DatabaseValue]?
    private let entries: [Entry]
    private let map: ClassMap
    private let id: Int64
    private let connection: any Connection

    init(_ map: ClassMap, _ id: Int64, _ connection: any Connection) throws {
        (self.map, self.id, self.connection) = (map, id, connection)
        let entries: SQL = """
            SELECT "id", "change", "date" FROM \(name: HistoryNames.entries) \
            WHERE "table" = ? AND "object" = ? ORDER BY "id"
            """
        self.entries = try connection.prepare(entries).rows([.text(map.table), .integer(id)]).map { row in
            guard case .integer(let number) = row[0], case .text(let word) = row[1], case .real(let date) = row[2],
                let change = HistoryEntry.Change(rawValue: word)
            else {
                throw StoreError(
                    .typeMismatch, "entry \(row[0].shown) of the history was not written by this library",
                    className: map.name, rowID: id)
            }
            return Entry(id: number, change: change, date: date)
        }
        let columns = try connection.schema.table(map.table)?.columns.filter { !$0.isGenerated }.map(\.name) ?? []
        let row: SQL = "SELECT \(names: columns) FROM \(name: map.table) WHERE \"id\" = ?"
        now = try connection.prepare(row).rows([.integer(id)]).first.map { values in
            Dictionary(zip(columns.map(Naming.folded), values)) { first, _ in first }
        }
    }

    /// What the columns held then, by their folded names; those that are not in it held NULL, or were not there.
    func values(at date: Date) throws -> [String: DatabaseValue] {
        let time = date.timeIntervalSinceReferenceDate
        guard let first = entries.first, let latest = entries.last else {
            throw error(
                now == nil
                    ? "there is no such row, and the history has nothing of one" : "the history has nothing of it")
        }
        guard let last = entries.lastIndex(where: { $0.date <= time }) else {
            let since = Date(timeIntervalSinceReferenceDate: first.date)
            throw switch first.change {
            case .created: error("there was no such row yet on \(date); it was inserted on \(since)")
            case .found: error("its history begins on \(since)")
            case .changed, .deleted: error("the entries of before \(since) were deleted from its history")
            }
        }
        guard entries[last].change != .deleted else { throw error("there was no such row on \(date); it was deleted") }
        try checkWhole(from: last)
        guard (latest.change == .deleted) == (now == nil) else {
            throw error("the row was changed while no history was kept, so what it was is not known")
        }
        var values = now ?? [:]
        let former = try formerValues(since: entries[last].id)
        for entry in entries[(last + 1)...].reversed() {
            // What it held before it was inserted again its deletion tells.
            if entry.change != .changed { values = [:] }
            if entry.change != .created { values.merge(former[entry.id] ?? [:]) { _, old in old } }
        }
        return values
    }

    /// Throws where an entry behind one does not follow from the one before it.
    private func checkWhole(from start: Int) throws {
        for (before, entry) in zip(entries[start...], entries[(start + 1)...]) {
            let isThere = before.change != .deleted
            let follows =
                switch entry.change {
                case .created: !isThere
                case .changed, .deleted: isThere
                case .found: false
                }
            guard !follows else { continue }
            let since = Date(timeIntervalSinceReferenceDate: entry.date)
            throw error("for a time before \(since) no history was kept, so what the row was is not known")
        }
    }

    /// What each entry behind one says that columns held before, by their folded names.
    private func formerValues(since last: Int64) throws -> [Int64: [String: DatabaseValue]] {
        let sql: SQL = """
            SELECT e."id", v."column", v."old" FROM \(name: HistoryNames.entries) e \
            JOIN \(name: HistoryNames.values) v ON v."entry_id" = e."id" \
            WHERE e."table" = ? AND e."object" = ? AND e."id" > ?
            """
        var values: [Int64: [String: DatabaseValue]] = [:]
        try connection.prepare(sql).forEach([.text(map.table), .integer(id), .integer(last)]) { row in
            guard case .integer(let entry) = row[0], case .text(let column) = row[1] else { return }
            values[entry, default: [:]][Naming.folded(column)] = row[2]
        }
        return values
    }

    private func error(_ message: String) -> StoreError {
        StoreError(.notFound, message, className: map.name, rowID: id)
    }
}
