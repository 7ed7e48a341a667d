/// The rows that a transaction writes, in the order in which they are written: by whatever statement, trigger or foreign
/// key.
///
/// An engine need not tell of all of them. SQLite tells of rows of tables with ids only, and neither of rows that a
/// REPLACE puts out of the way.
package final class RowLog {
    /// What happened to a row.
    package enum Kind: Sendable {
        case inserted, updated, deleted
        /// Said by the session: what belongs to the row has changed in other tables.
        case noted
    }

    /// A row that was written.
    package struct Change: Sendable {
        /// What happened to it.
        package let kind: Kind
        /// The place of the table's name in `tables`.
        package let table: Int
        /// The row's id.
        package let id: Int64
        /// What the session knows of the change; nil where it is not the one it announced.
        package let note: Int?
        /// Whether nobody is to hear of it.
        package let isSilent: Bool
    }

    /// A change that the session is about to make.
    package struct Announcement {
        let table: Int
        /// Nil for whichever rows of the table.
        let id: Int64?
        let note: Int
    }

    private struct Row: Hashable {
        let table: Int
        let id: Int64
    }

    /// What foreign keys and triggers are going to change in rows, as far as the session knows.
    private var expected: [Row: Int] = [:]
    /// The rows so far.
    package private(set) var changes: [Change] = []
    /// Their names, in small letters.
    package private(set) var tables: [String] = []
    /// What the rows that are written next are known by.
    package var announced: Announcement?
    /// Whether nobody is to hear of the rows that are written next.
    package var isSilent = false
    /// Whether the rows that are written next are not what will be there in the end.
    package var isPaused = false
    /// Whether a statement of the user's has written rows that the engine does not tell of.
    package var hasUnknownRows = false
    /// Whether a statement of the user's has written, which may have put rows out of the way with REPLACE.
    package var hasUsersStatements = false
    /// Whether tables were made, changed or dropped.
    package var changesSchema = false
    /// How many rows the engine has told of.
    private(set) var told: Int64 = 0
    /// How many rows the engine had counted when the log began.
    private let countBefore: Int64
    /// How many rows it did not tell of in transactions before this one.
    private var untoldBefore: Int64 = 0
    private var places: [String: Int] = [:]
    /// The engine gives the name with each row.
    private var last: (name: ContiguousArray<CChar>, place: Int)?
    private var marks: [Int] = []

    init(countBefore: Int64) { self.countBefore = countBefore }

    /// The place of a table's name.
    package func place(of table: String) -> Int {
        let table = RowLog.folded(table)
        if let place = places[table] { return place }
        let place = tables.count
        tables.append(table)
        places[table] = place
        return place
    }

    /// Announces a change of a row, or of all rows of a table that are written until `announced` is set to nil.
    package func announce(_ note: Int, _ table: Int, _ id: Int64?) {
        announced = Announcement(table: table, id: id, note: note)
    }

    /// Announces what the next statements change in a row by foreign keys and triggers, until `expectNothing()`.
    package func expect(_ note: Int, _ table: Int, _ id: Int64) { expected[Row(table: table, id: id)] = note }

    /// Ends what `expect` has announced.
    package func expectNothing() { expected = [:] }

    /// Adds what the engine does not tell.
    package func add(_ note: Int, _ table: Int, _ id: Int64) {
        changes.append(Change(kind: .noted, table: table, id: id, note: note, isSilent: isSilent))
    }

    /// Puts what the session knows in place of what the engine has told of some tables since there were `start` changes.
    package func retell(
        since start: Int, of tables: Set<Int>, _ known: [(kind: Kind, table: Int, id: Int64, note: Int?)]
    ) {
        changes[start...].removeAll { tables.contains($0.table) }
        changes += known.map {
            Change(kind: $0.kind, table: $0.table, id: $0.id, note: $0.note, isSilent: isSilent)
        }
    }

    func add(_ kind: Kind, _ name: UnsafePointer<CChar>, _ id: Int64) {
        told += 1
        guard !isPaused else { return }
        let table = place(of: name)
        var note: Int?
        if let announced, announced.table == table, announced.id == nil || announced.id == id {
            note = announced.note
            // A second change of the row is a trigger's.
            if announced.id != nil { self.announced = nil }
        } else if kind == .updated, !expected.isEmpty {
            note = expected[Row(table: table, id: id)]
        }
        changes.append(Change(kind: kind, table: table, id: id, note: note, isSilent: isSilent))
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

    /// SQLite takes small and capital letters of ASCII for the same.
    private static func folded(_ name: String) -> String {
        guard name.utf8.contains(where: { (65...90).contains($0) }) else { return name }
        return String(decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }

    /// The ids of the rows that were written, by table; some more than once.
    package var rowsByTable: [String: [Int64]] {
        var ids = Array(repeating: [Int64](), count: tables.count)
        for change in changes { ids[change.table].append(change.id) }
        var rows: [String: [Int64]] = [:]
        for (table, ids) in zip(tables, ids) where !ids.isEmpty { rows[table] = ids }
        return rows
    }

    func mark() { marks.append(changes.count) }

    func forgetMark() { if !marks.isEmpty { marks.removeLast() } }

    /// Back to the last mark, which stays.
    func undo() {
        changes.removeSubrange((marks.last ?? 0)...)
        announced = nil
    }

    /// How many rows the transaction has written that the engine does not tell of, where it has counted so many in all.
    func untold(of count: Int64) -> Int64 { count - countBefore - told - untoldBefore }

    /// The transaction has ended.
    func clear(count: Int64) {
        untoldBefore += untold(of: count)
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
