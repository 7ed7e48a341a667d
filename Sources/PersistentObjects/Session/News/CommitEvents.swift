internal import StoreEngine

/// What subscribers receive of a transaction: the log of its rows, and what only the session knows of these.
///
/// Invariants:
/// - The connection keeps a log of rows as long as the store has subscribers, and the log begins with a transaction.
/// - The notes are those of the transaction under way: they are dropped when one begins and when it is committed.
/// - `isWanted` is what it was when the transaction began: a subscriber that joins later receives an unknown event.
final class CommitEvents {
    private let store: Store
    private let connection: any Connection
    private let classes: UsedClasses
    private var notes = EventNotes()
    /// Whether subscribers want to know what the transaction under way does to which objects.
    private var isWanted = false

    init(_ gate: Gate, _ classes: UsedClasses) {
        store = gate.store
        connection = gate.connection
        self.classes = classes
    }

    /// A transaction is about to begin.
    func prepareLog() {
        if store.hub.isWatched != (connection.rowLog != nil) { connection.watchRows(store.hub.isWatched) }
    }

    /// A transaction has begun.
    func begin() {
        guard connection.rowLog != nil else { return }
        notes = EventNotes()
        isWanted = store.hub.hasReaders
    }

    /// The log of the transaction if subscribers want to know what is done to which objects.
    @inline(__always)
    var log: RowLog? { isWanted ? connection.rowLog : nil }

    /// Whether the commit has to be reported to other sessions.
    var isWatched: Bool { connection.rowLog != nil || store.hub.isWatched }

    /// What the transaction has done.
    func summary() -> CommitSummary {
        // Subscribers that joined after the transaction had begun cannot be told what it has done before.
        let isKnown = isWanted || !store.hub.hasReaders
        return isKnown ? connection.rowLog.map { summarized($0) } ?? .unknown : .unknown
    }

    /// The transaction is committed and reported.
    func clear() {
        connection.clearRowLog()
        notes = EventNotes()
    }
}

// What is about to be written.
extension CommitEvents {
    /// Calls `body`, which changes some properties of many rows of a class and its subclasses.
    func announcing<R>(_ places: [Int], _ map: ClassMap, _ body: () throws -> R) rethrows -> R {
        guard let log, !places.isEmpty else { return try body() }
        let note = notes.note(map, ColumnSet(places), isExact: false)
        log.announce(note, log.place(of: map.table), nil)
        defer { log.announced = nil }
        return try body()
    }

    /// Announces what the next update of a row changes.
    @inline(__always)
    func announce(_ changed: ColumnSet, of rowID: Int64, _ map: ClassMap) {
        guard let log else { return }
        log.announce(notes.note(map, changed, isExact: true), log.place(of: map.table), rowID)
    }

    /// Records changes that no row of the objects' table shows: those of collections and inverses. Listeners that only
    /// need to know which rows are stale receive these too.
    ///
    /// - Parameter isExact: Whether the class is the rows' own, not one above it.
    func recordChanges(_ changed: ColumnSet, of ids: some Sequence<Int64>, _ map: ClassMap, isExact: Bool) {
        guard let log = connection.rowLog else { return }
        let note = notes.note(map, changed, isExact: isExact)
        let table = log.place(of: map.table)
        for id in ids { log.add(note, table, id) }
    }

    /// Records that references in some rows become nil.
    func expectChanges(_ references: [EventNotes.Row: [String]]) {
        guard let log else { return }
        for (row, names) in references { log.expect(notes.note(naming: names), row.table, row.id) }
    }

    /// The number of a note of changes of some properties, of whichever class of the table.
    func note(naming properties: [String]) -> Int { notes.note(naming: properties) }

    /// Records the classes of rows, of all if no ids are given, before they are deleted.
    func recordClasses(of ids: [Int64]?, _ map: ClassMap) throws {
        guard let log else { return }
        let classes = store.classes.relatives(of: map)
        guard classes.count > 1 else { return }
        let table = log.place(of: map.table)
        for (id, map) in try self.classes(of: ids, classes) {
            notes.classes[EventNotes.Row(table: table, id: id)] = map
        }
    }
}

// What a transaction has done.
extension CommitEvents {
    private func summarized(_ log: RowLog) -> CommitSummary {
        var summary = CommitSummary()
        summary.hasUntoldRows = connection.untoldRowCount != 0
        summary.hasUnknownRows = log.hasUnknownRows
        summary.hasHiddenRows = log.hasUsersStatements || classes.lookForTriggers()
        summary.changesSchema = log.changesSchema
        summary.rows = log.rowsByTable
        summary.tables = Set(summary.rows.keys)
        if isWanted { summary.events = events(log) }
        return summary
    }

    /// What has been done to which objects.
    private func events(_ log: RowLog) -> [RowEvent] {
        let classes = log.tables.map { store.classes.classes(sharing: $0) }
        // Where they cannot be read, which is no reason for the commit to fail, the topmost class stands for them.
        let named = connection.uninterrupted { (try? namedClasses(log, classes)) ?? [:] }
        var list = RowEventList<EventNotes.Row>()
        for change in log.changes {
            guard let top = CommitEvents.topmost(classes[change.table]) else { continue }
            let row = EventNotes.Row(table: change.table, id: change.id)
            let note = change.note.map { notes.notes[$0] }
            // The row may have another class by now than the one that was deleted.
            let known =
                change.kind == .deleted
                ? notes.classes[row] ?? named[row] : named[row] ?? notes.classes[row]
            let map = note?.map ?? known ?? top
            let kind: RowEvent.Kind =
                switch change.kind {
                case .inserted: .inserted
                case .deleted: .deleted
                case .updated, .noted: .updated
                }
            list.add(
                RowEvent(map, change.id, kind, note?.properties, isSilent: change.isSilent || !map.sendsEvents), row)
        }
        return list.events
    }

    /// The classes of written rows in tables with several, as far as they are still there.
    private func namedClasses(_ log: RowLog, _ classes: [[ClassMap]]) throws -> [EventNotes.Row: ClassMap] {
        guard classes.contains(where: { $0.count > 1 }) else { return [:] }
        var ids: [Int: Set<Int64>] = [:]
        for change in log.changes where classes[change.table].count > 1 {
            if change.note.flatMap({ notes.notes[$0].map }) != nil { continue }
            ids[change.table, default: []].insert(change.id)
        }
        var named: [EventNotes.Row: ClassMap] = [:]
        for (table, ids) in ids {
            for (id, map) in try self.classes(of: ids.sorted(), classes[table]) {
                named[EventNotes.Row(table: table, id: id)] = map
            }
            // Deletions by other programs' SQL are known only for objects in memory.
            guard let top = CommitEvents.topmost(classes[table]),
                let hierarchy = self.classes.usedHierarchy(of: top.root)
            else {
                continue
            }
            for id in ids where named[EventNotes.Row(table: table, id: id)] == nil {
                let map = hierarchy.rows.object(for: id)?.identityMap?.classMap
                named[EventNotes.Row(table: table, id: id)] = map
            }
        }
        return named
    }

    /// The class that stands for a row whose own is not known.
    private static func topmost(_ classes: [ClassMap]) -> ClassMap? {
        classes.first { map in classes.allSatisfy { $0.derives(from: map) } } ?? classes.first
    }

    /// The classes of rows, by their ids; of all where none are given.
    private func classes(of ids: [Int64]?, _ classes: [ClassMap]) throws -> [(Int64, ClassMap)] {
        guard let top = CommitEvents.topmost(classes), store.classes.hasClassColumn(top) else { return [] }
        let rows: SQL = "SELECT \"id\", \"class\" FROM \(name: top.table)"
        let statement = try connection.statement(
            ids == nil ? rows : "\(rows) WHERE \"id\" \(connection.dialect.isInList("?", .plain))")
        defer { statement.finish() }
        statement.beginBinding()
        var found: [(Int64, ClassMap)] = []
        do throws(ValueFault) {
            if let ids { try statement.bind(list: ids, at: 1) }
        } catch { throw StoreError.value(error) }
        let byName = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        while try statement.step() {
            // A class that this process does not know counts as the topmost.
            let name = try? String.read(statement.column(1))
            found.append((statement.integer(0), name.flatMap { byName[$0] } ?? top))
        }
        return found
    }
}
