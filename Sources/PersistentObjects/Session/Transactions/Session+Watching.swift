internal import StoreEngine

// A session writes a log of the rows that it writes, as long as the store has subscribers.
extension Session {
    /// Begins a transaction that may write.
    func beginWriting(_ pace: Pace, alone: Bool) throws {
        if store.hub.isWatched != (connection.rowLog != nil) { connection.watchRows(store.hub.isWatched) }
        defer { connection.limits.waitEnd = nil }
        try connection.begin(pace, alone: alone)
        guard connection.rowLog != nil else { return }
        eventNotes = EventNotes()
        tellsEvents = store.hub.hasReaders
    }

    /// The log of the transaction where subscribers want to know what is done to which objects.
    var eventLog: RowLog? { tellsEvents ? connection.rowLog : nil }

    /// Commits where somebody listens.
    func commitWatched() throws {
        // Who began to listen after the transaction had begun cannot be told what it has done before.
        let isTold = tellsEvents || !store.hub.hasReaders
        var summary = isTold ? connection.rowLog.map { summarized($0) } ?? .unknown : .unknown
        summary.author = ObjectIdentifier(self)
        store.hub.willCommit()
        let span: CommitSpan
        do {
            span = try connection.commitMarking()
        } catch {
            store.hub.didNotCommit()
            throw error
        }
        didCommit()
        store.hub.didCommit(summary, span)
        connection.clearRowLog()
        eventNotes = EventNotes()
    }

    /// Calls `body`, which changes some properties of many rows of a class and its subclasses.
    func announcing<R>(_ places: [Int], _ map: ClassMap, _ body: () throws -> R) rethrows -> R {
        guard let log = eventLog, !places.isEmpty else { return try body() }
        let note = eventNotes.note(map, ColumnSet(places), isExact: false)
        log.announce(note, log.place(of: map.table), nil)
        defer { log.announced = nil }
        return try body()
    }

    /// Notes the classes of rows, of all where no ids are given, before they are deleted.
    func noteClasses(of ids: [Int64]?, _ map: ClassMap) throws {
        guard let log = eventLog else { return }
        let classes = store.classes.relatives(of: map)
        guard classes.count > 1 else { return }
        let table = log.place(of: map.table)
        for (id, map) in try self.classes(of: ids, classes) {
            eventNotes.classes[EventNotes.Row(table: table, id: id)] = map
        }
    }
}

// What a transaction has done.
extension Session {
    private func summarized(_ log: RowLog) -> CommitSummary {
        var summary = CommitSummary()
        summary.hasUntoldRows = connection.untoldRowCount != 0
        summary.hasUnknownRows = log.hasUnknownRows
        summary.hasHiddenRows = log.hasUsersStatements || hasTriggersOfOthers
        summary.changesSchema = log.changesSchema
        summary.rows = log.rowsByTable
        summary.tables = Set(summary.rows.keys)
        if tellsEvents { summary.events = events(log) }
        return summary
    }

    /// What has been done to which objects.
    private func events(_ log: RowLog) -> [RowEvent] {
        let classes = log.tables.map { store.classes.classes(sharing: $0) }
        // Where they cannot be read, which is no reason for the commit to fail, the topmost class stands for them.
        let named = connection.uninterrupted { (try? namedClasses(log, classes)) ?? [:] }
        var list = RowEventList<EventNotes.Row>()
        for change in log.changes {
            guard let top = Session.topmost(classes[change.table]) else { continue }
            let row = EventNotes.Row(table: change.table, id: change.id)
            let note = change.note.map { eventNotes.notes[$0] }
            // The row may have another class by now than the one that was deleted.
            let known =
                change.kind == .deleted
                ? eventNotes.classes[row] ?? named[row] : named[row] ?? eventNotes.classes[row]
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
            if change.note.flatMap({ eventNotes.notes[$0].map }) != nil { continue }
            ids[change.table, default: []].insert(change.id)
        }
        var named: [EventNotes.Row: ClassMap] = [:]
        for (table, ids) in ids {
            for (id, map) in try self.classes(of: ids.sorted(), classes[table]) {
                named[EventNotes.Row(table: table, id: id)] = map
            }
            // What SQL of others' has deleted is known only where it is in memory.
            guard let top = Session.topmost(classes[table]), let hierarchy = usedHierarchy(of: top.root) else {
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
        guard let top = Session.topmost(classes), store.classes.hasClassColumn(top) else { return [] }
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
