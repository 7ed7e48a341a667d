/// The rows that a transaction writes, in write order, by any statement, trigger or foreign key.
///
/// An engine need not report all of them. SQLite reports only rows of tables with ids, and no rows that a REPLACE
/// removes.
package final class RowLog {
    /// The kind of change of a row.
    package enum Kind: Sendable {
        case inserted, updated, deleted
        /// Reported by the session: data of the row in other tables has changed.
        case reported
    }

    /// A row that was written.
    package struct Change: Sendable {
        /// The kind of change.
        package let kind: Kind
        /// The index of the table's name in `tables`.
        package let table: Int
        /// The row's id.
        package let id: Int64
        /// The session's information about the change; nil if it is not the announced change.
        package let detail: Int?
        /// Whether the change is not reported to subscribers.
        package let isSilent: Bool
    }

    /// A change that the session is about to make.
    package struct Announcement {
        let table: Int
        /// Nil for any row of the table.
        let id: Int64?
        let detail: Int
    }

    private struct Row: Hashable {
        let table: Int
        let id: Int64
    }

    /// The expected changes of rows by foreign keys and triggers, as far as the session knows them.
    private var expected: [Row: Int] = [:]
    /// The rows so far.
    package private(set) var changes: [Change] = []
    /// The names of the tables, in lowercase.
    package private(set) var tables: [String] = []
    /// The announcement for the rows that are written next.
    package var announced: Announcement?
    /// Whether the rows that are written next are not reported to subscribers.
    package var isSilent = false
    /// Whether the rows that are written next are not in their final state.
    package var isPaused = false
    /// Whether a user statement has written rows that the engine does not report.
    package var hasUnknownRows = false
    /// Whether a user statement has written, which may have removed rows with REPLACE.
    package var hasUsersStatements = false
    /// Whether tables were created, changed or dropped.
    package var changesSchema = false
    /// The number of rows that the engine has reported.
    private(set) var reportedCount: Int64 = 0
    /// The engine's row count when the log began.
    private let countBefore: Int64
    /// The number of unreported rows in transactions before this one.
    private var unreportedBefore: Int64 = 0
    private var places: [String: Int] = [:]
    /// The last table, cached because the engine provides the name with each row.
    private var last: (name: ContiguousArray<CChar>, place: Int)?
    private var marks: [Int] = []

    init(countBefore: Int64) { self.countBefore = countBefore }

    /// The index of a table's name.
    package func place(of table: String) -> Int {
        let table = RowLog.folded(table)
        if let place = places[table] { return place }
        let place = tables.count
        tables.append(table)
        places[table] = place
        return place
    }

    /// Announces a change of a row, or of all rows of a table, until `announced` is set to nil.
    package func announce(_ detail: Int, _ table: Int, _ id: Int64?) {
        announced = Announcement(table: table, id: id, detail: detail)
    }

    /// Announces the changes of a row by foreign keys and triggers of the next statements, until `expectNothing()`.
    package func expect(_ detail: Int, _ table: Int, _ id: Int64) { expected[Row(table: table, id: id)] = detail }

    /// Ends the announcements of `expect`.
    package func expectNothing() { expected = [:] }

    /// Adds a change that the engine does not report.
    package func add(_ detail: Int, _ table: Int, _ id: Int64) {
        changes.append(Change(kind: .reported, table: table, id: id, detail: detail, isSilent: isSilent))
    }

    /// Replaces the engine's reports about some tables, from change `start` on, with the session's information.
    package func replace(
        since start: Int, of tables: Set<Int>, _ known: [(kind: Kind, table: Int, id: Int64, detail: Int?)]
    ) {
        changes[start...].removeAll { tables.contains($0.table) }
        changes += known.map {
            Change(kind: $0.kind, table: $0.table, id: $0.id, detail: $0.detail, isSilent: isSilent)
        }
    }

    func add(_ kind: Kind, _ name: UnsafePointer<CChar>, _ id: Int64) {
        reportedCount += 1
        guard !isPaused else { return }
        let table = place(of: name)
        var detail: Int?
        if let announced, announced.table == table, announced.id == nil || announced.id == id {
            detail = announced.detail
            // A second change of the row is the effect of a trigger.
            if announced.id != nil { self.announced = nil }
        } else if kind == .updated, !expected.isEmpty {
            detail = expected[Row(table: table, id: id)]
        }
        changes.append(Change(kind: kind, table: table, id: id, detail: detail, isSilent: isSilent))
    }

    private func place(of name: UnsafePointer<CChar>) -> Int {
        var length = 0
        while name[length] != 0 { length += 1 }
        let bytes = UnsafeBufferPointer(start: name, count: length)
        if let last, last.name.elementsEqual(bytes) { return last.place }
        let place = place(of: String(cString: name))
        last = (ContiguousArray(bytes), place)
        return place
    }

    /// The name with ASCII letters in lowercase, because SQLite ignores their case.
    private static func folded(_ name: String) -> String {
        guard name.utf8.contains(where: { (65...90).contains($0) }) else { return name }
        return String(decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }

    /// The ids of the written rows, by table; an id can appear repeatedly.
    package var rowsByTable: [String: [Int64]] {
        var ids = Array(repeating: [Int64](), count: tables.count)
        for change in changes { ids[change.table].append(change.id) }
        var rows: [String: [Int64]] = [:]
        for (table, ids) in zip(tables, ids) where !ids.isEmpty { rows[table] = ids }
        return rows
    }

    func mark() { marks.append(changes.count) }

    func forgetMark() { if !marks.isEmpty { marks.removeLast() } }

    /// Returns to the last mark, which is kept.
    func undo() {
        changes.removeSubrange((marks.last ?? 0)...)
        announced = nil
    }

    /// The number of rows of the transaction that the engine does not report, given its total count.
    func unreportedCount(of count: Int64) -> Int64 { count - countBefore - reportedCount - unreportedBefore }

    /// Clears the log at the end of the transaction.
    func clear(count: Int64) {
        unreportedBefore += unreportedCount(of: count)
        changes = []
        marks = []
        announced = nil
        expected = [:]
        isSilent = false
        isPaused = false
        hasUnknownRows = false
        hasUsersStatements = false
        changesSchema = false
    }
}
