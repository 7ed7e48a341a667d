internal import StoreEngine

/// The report of a transaction for subscribers: the log of its rows, and data about these rows that only the session
/// has.
///
/// Invariants:
/// - The connection keeps a log of rows as long as the store has subscribers, and the log begins with a transaction.
/// - The notes belong to the current transaction. They are dropped when a transaction begins and when it is committed.
/// - `isWanted` does not change during a transaction. A subscriber that joins later receives an unknown event.
final class CommitEvents {
    private let store: Store
    private let connection: any Connection
    private let classes: UsedClasses
    private var details = EventDetails()
    /// Whether subscribers need the changes of the current transaction to objects.
    private var isWanted = false
    /// The results of `hasOtherIDs(_:)`, by class.
    private var otherIDs: [ObjectIdentifier: Bool] = [:]
    /// The statements that read the values of written rows, by table, and their numbers of columns.
    private var valueStatements: [String: (columnCount: Int, sql: SQL)] = [:]

    init(_ gate: Gate, _ classes: UsedClasses) {
        store = gate.store
        connection = gate.connection
        self.classes = classes
    }

    /// Called before a transaction begins; starts or stops the log.
    func prepareLog() {
        if store.hub.isWatched != (connection.rowLog != nil) { connection.watchRows(store.hub.isWatched) }
    }

    /// Called after a transaction began.
    func begin() {
        guard connection.rowLog != nil else { return }
        details = EventDetails()
        isWanted = store.hub.hasReaders
    }

    /// The log of the transaction, if subscribers need its changes to objects.
    @inline(__always)
    var log: RowLog? { isWanted ? connection.rowLog : nil }

    /// Whether the commit must be reported to other sessions.
    var isWatched: Bool { connection.rowLog != nil || store.hub.isWatched }

    /// The changes of the transaction.
    func summary() -> CommitSummary {
        // If subscribers joined after the transaction began, its earlier changes were not recorded.
        let isKnown = isWanted || !store.hub.hasReaders
        guard isKnown, let log = connection.rowLog else { return .unknown }
        var summary = summarized(log)
        readValues(&summary)
        return summary
    }

    /// Called after the transaction was committed and reported.
    func clear() {
        connection.clearRowLog()
        details = EventDetails()
    }
}

// Announcements before rows are written.
extension CommitEvents {
    /// Calls `body`, which changes some properties of many rows of a class and its subclasses.
    func announcing<R>(_ ordinals: [Int], _ map: ClassMap, _ body: () throws -> R) rethrows -> R {
        guard let log, !ordinals.isEmpty else { return try body() }
        let detail = details.record(map, ColumnSet(ordinals), isExact: false)
        log.announce(detail, log.place(of: map.table), nil)
        defer { log.announced = nil }
        return try body()
    }

    /// Announces the properties that the next update of a row changes.
    @inline(__always)
    func announce(_ changed: ColumnSet, of rowID: Int64, _ map: ClassMap) {
        guard let log else { return }
        log.announce(details.record(map, changed, isExact: true), log.place(of: map.table), rowID)
    }

    /// Records changes of collections and inverses, which write no row of the objects' table. Listeners that only need
    /// stale rows also receive these changes.
    ///
    /// - Parameter isExact: Whether the class is the exact class of the rows, not a superclass.
    func recordChanges(_ changed: ColumnSet, of ids: some Sequence<Int64>, _ map: ClassMap, isExact: Bool) {
        guard let log = connection.rowLog else { return }
        let detail = details.record(map, changed, isExact: isExact)
        let table = log.place(of: map.table)
        for id in ids { log.add(detail, table, id) }
    }

    /// Records that references in some rows become nil.
    func expectChanges(_ references: [EventDetails.Row: [String]]) {
        guard let log else { return }
        for (row, names) in references { log.expect(details.record(naming: names), row.table, row.id) }
    }

    /// The number of a note of changes of some properties, in any class of the table.
    func record(naming properties: [String]) -> Int { details.record(naming: properties) }

    /// Records the classes of rows before they are deleted; of all rows if no ids are given.
    func recordClasses(of ids: [Int64]?, _ map: ClassMap) throws {
        guard let log else { return }
        let classes = store.classes.relatives(of: map)
        guard classes.count > 1 else { return }
        let table = log.place(of: map.table)
        for (id, map) in try self.classes(of: ids, classes) {
            details.classes[EventDetails.Row(table: table, id: id)] = map
        }
    }
}

// The changes of a transaction.
extension CommitEvents {
    private func summarized(_ log: RowLog) -> CommitSummary {
        var summary = CommitSummary()
        summary.hasUnreportedRows = connection.unreportedRowCount != 0
        summary.hasUnknownRows = log.hasUnknownRows
        summary.hasHiddenRows = log.hasUsersStatements || classes.lookForTriggers()
        summary.changesSchema = log.changesSchema
        summary.rows = log.rowsByTable
        summary.tables = Set(summary.rows.keys)
        if isWanted { summary.events = events(log) }
        return summary
    }

    /// The changes to objects.
    private func events(_ log: RowLog) -> [RowEvent] {
        let classes = log.tables.map { store.classes.classes(sharing: $0) }
        // If the classes cannot be read, the topmost class is used, because events must not make the commit fail.
        let named = connection.uninterrupted { (try? namedClasses(log, classes)) ?? [:] }
        var list = RowEventList<EventDetails.Row>()
        let areNumberedOtherwise = classes.map { $0.contains { hasOtherIDs($0) } }
        var isUnknown = false
        for change in log.changes {
            guard !areNumberedOtherwise[change.table] else {
                isUnknown = true
                continue
            }
            guard let top = CommitEvents.topmost(classes[change.table]) else { continue }
            let row = EventDetails.Row(table: change.table, id: change.id)
            let detail = change.detail.map { details.details[$0] }
            // The id of a deleted row may have been reused for a row of another class.
            let known =
                change.kind == .deleted
                ? details.classes[row] ?? named[row] : named[row] ?? details.classes[row]
            let map = detail?.map ?? known ?? top
            let kind: RowEvent.Kind =
                switch change.kind {
                case .inserted: .inserted
                case .deleted: .deleted
                case .updated, .reported: .updated
                }
            list.add(
                RowEvent(map, change.id, kind, detail?.properties, isSilent: change.isSilent || !map.sendsEvents), row)
        }
        return isUnknown ? list.events + [.unknown] : list.events
    }

    /// Whether the engine reports the rows of a class by other numbers than their ids. A class over an existing table
    /// can name any unique column as its id.
    private func hasOtherIDs(_ map: ClassMap) -> Bool {
        guard let foreign = map.foreign, foreign.isKeyed || foreign.idColumn != nil,
            connection.capabilities.contains(.rowNumbers)
        else { return false }
        if let known = otherIDs[ObjectIdentifier(map.type)] { return known }
        let isOther = connection.uninterrupted { !SchemaInspector(connection).isNumbered(map) }
        otherIDs[ObjectIdentifier(map.type)] = isOther
        return isOther
    }

    /// Reads the values that listeners evaluate in the written rows. They are final, because the commit follows.
    private func readValues(_ summary: inout CommitSummary) {
        guard isWanted, !summary.isVague, !store.hub.columns.isEmpty else { return }
        for (table, ids) in summary.rows where ids.count <= CommitSummary.valueLimit {
            let columns = store.hub.columns.columns(of: table)
            guard !columns.isEmpty else { continue }
            let names = Set(columns)
            guard summary.events.contains(where: { $0.changes(anyOf: names) }) else { continue }
            // Without the values, listeners run their queries, because events must not make the commit fail.
            summary.values[table] = connection.uninterrupted { try? values(of: ids, table, columns) }
        }
    }

    private func values(of ids: [Int64], _ table: String, _ columns: [String]) throws -> [Int64: [DatabaseValue]] {
        let sql: SQL
        if let known = valueStatements[table], known.columnCount == columns.count {
            sql = known.sql
        } else {
            sql = """
                SELECT \(columns: ["id"] + columns, of: table) FROM \(name: table) \
                WHERE "id" \(connection.dialect.isInList("?", .plain))
                """
            valueStatements[table] = (columns.count, sql)
        }
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        try statement.bind(list: ids, at: 1)
        var rows: [Int64: [DatabaseValue]] = [:]
        while try statement.step() {
            rows[statement.integer(0)] = try columns.indices.map { try statement.column(Int32($0) + 1).value() }
        }
        return rows
    }

    /// The classes of written rows in tables with several classes.
    private func namedClasses(_ log: RowLog, _ classes: [[ClassMap]]) throws -> [EventDetails.Row: ClassMap] {
        guard classes.contains(where: { $0.count > 1 }) else { return [:] }
        var ids: [Int: Set<Int64>] = [:]
        for change in log.changes where classes[change.table].count > 1 {
            if change.detail.flatMap({ details.details[$0].map }) != nil { continue }
            ids[change.table, default: []].insert(change.id)
        }
        var named: [EventDetails.Row: ClassMap] = [:]
        for (table, ids) in ids {
            for (id, map) in try self.classes(of: ids.sorted(), classes[table]) {
                named[EventDetails.Row(table: table, id: id)] = map
            }
            // The class of a row that raw SQL deleted is known only if its object is in memory.
            guard let top = CommitEvents.topmost(classes[table]),
                let hierarchy = self.classes.usedHierarchy(of: top.root)
            else {
                continue
            }
            for id in ids where named[EventDetails.Row(table: table, id: id)] == nil {
                let map = hierarchy.rows.object(for: id)?.identityMap?.classMap
                named[EventDetails.Row(table: table, id: id)] = map
            }
        }
        return named
    }

    /// The class for rows whose class is unknown.
    private static func topmost(_ classes: [ClassMap]) -> ClassMap? {
        classes.first { map in classes.allSatisfy { $0.derives(from: map) } } ?? classes.first
    }

    /// The classes of rows with their ids; of all rows if no ids are given.
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
            // A class that this process does not know is reported as the topmost class.
            let name = try? String.read(statement.column(1))
            found.append((statement.integer(0), name.flatMap { byName[$0] } ?? top))
        }
        return found
    }
}
