internal import StoreEngine

/// The data on which the result of statements depends: tables, and if known, their columns.
///
/// A commit that writes none of it does not affect the result: a statement depends on a table by its rows, and by the
/// columns that it reads.
struct QueryReads: Sendable {
    /// By table in lowercase: the columns, in lowercase; nil if each column counts.
    private(set) var tables: [String: Set<String>?] = [:]
    /// Whether one of them is no class's, so that SQLite does not tell of its rows.
    private(set) var readsUntold = false
    /// Whether it may depend on any commit.
    private(set) var isAll = false

    /// The result depends on any commit.
    static let all: QueryReads = {
        var reads = QueryReads()
        reads.isAll = true
        return reads
    }()

    /// Whether nothing is read.
    var isEmpty: Bool { tables.isEmpty && !isAll }

    /// Adds columns of a table; nil for all that it has.
    mutating func add(_ table: String, _ columns: Set<String>?) {
        guard let columns, let known = tables[table] ?? [] else {
            tables[table] = .some(nil)
            return
        }
        tables[table] = known.union(columns)
    }

    mutating func noteUntold() { readsUntold = true }

    /// Each column of each table counts: what happens to them by other ways is not known.
    mutating func becomeCoarse() { for table in tables.keys { tables[table] = .some(nil) } }

    mutating func formUnion(_ other: QueryReads) {
        isAll = isAll || other.isAll
        readsUntold = readsUntold || other.readsUntold
        for (table, columns) in other.tables { add(table, columns) }
    }
}

/// Rows of one table that alone count in an answer.
struct QueryRows: Sendable {
    /// The table, in lowercase.
    let table: String
    /// The rows; nil where each counts.
    var ids: Set<Int64>?
    /// Whether a row that goes matters only where it was found.
    var losesOnlyFound = false

    func mayMatter(_ id: Int64) -> Bool { ids?.contains(id) ?? true }
}

extension QueryReads {
    /// Whether the answer may be another one after a commit.
    func isTouched(by summary: CommitSummary, _ rows: QueryRows? = nil) -> Bool {
        if summary.isUnknown { return true }
        if isAll { return !summary.isEmpty }
        if readsUntold, summary.hasUntoldRows { return true }
        let touched = summary.tables.filter { tables.keys.contains($0) }
        guard !touched.isEmpty else { return false }
        // Triggers of other programs and raw SQL do more than is reported of them.
        if summary.isVague || touched.contains(where: { (tables[$0] ?? nil) == nil }) { return true }
        var last: (map: ClassMap, table: String)?
        return summary.events.contains { event in
            guard let map = event.map else { return true }
            if last?.map !== map { last = (map, Naming.folded(map.table)) }
            guard let table = last?.table, let columns = tables[table] ?? nil else { return false }
            if let rows, rows.table == table {
                guard rows.mayMatter(event.id) else { return false }
                if event.kind == .deleted, rows.losesOnlyFound { return false }
            }
            return event.changes(anyOf: columns)
        }
    }
}

extension CommitSummary {
    /// Whether more may have been done than its events say.
    var isVague: Bool { isUnknown || hasHiddenRows || changesSchema }
}

extension RowEvent {
    /// Whether a row came or went, or one of these columns may have another value.
    fileprivate func changes(anyOf columns: Set<String>) -> Bool {
        guard kind == .updated, let map, let properties else { return true }
        return properties.contains { name in
            // What a subclass has that the event does not name counts as anything.
            guard let place = map.place(of: name) else { return true }
            let property = map.properties[place]
            return property.hasColumn && property.columns.contains { columns.contains(Naming.folded($0)) }
        }
    }
}

// The data that statements read.
extension Session {
    /// The data on which the result of a statement depends.
    func reads(of statement: SQL) throws -> QueryReads {
        guard connection.capabilities.contains(.tablesRead) else { return .all }
        var reads = QueryReads()
        var isCoarse = false
        for (table, columns) in try connection.columnsRead(by: statement) {
            let name = Naming.folded(table)
            // Functions that answer with rows, and what the engine and the library keep for themselves.
            guard BuiltInTables.refusal(ofName: name) == nil || HistoryNames.contains(name) else { continue }
            let classes = store.classes.classes(sharing: name)
            if classes.isEmpty {
                reads.noteUntold()
                reads.add(name, nil)
                if let map = store.classes.searched(in: name) { reads.add(Naming.folded(map.table), nil) }
                // A full-text index or a view: changes in the tables that they show are not reported.
                if store.classes.owner(of: name) == nil { isCoarse = true }
            } else {
                let isOwn = classes.allSatisfy { $0.foreign == nil && !$0.properties.contains(where: \.isReadOnly) }
                reads.add(name, isOwn ? Set(columns.map { Naming.folded($0) }) : nil)
            }
        }
        if isCoarse { reads.becomeCoarse() }
        return reads
    }

    /// The data on which the result of code depends that ran these statements.
    ///
    /// Objects refer to other objects, which may be in memory already and cost no statement: if objects with links are
    /// fetched, any commit may matter.
    func reads(ofFetched statement: SQL) throws -> QueryReads {
        let reads = try reads(of: statement)
        let mayLead = reads.tables.contains { table, columns in
            store.classes.classes(sharing: table).contains { map in
                guard !map.links.isEmpty || map.foreign != nil else { return false }
                guard let columns else { return true }
                return map.properties[..<map.selectedCount].allSatisfy { property in
                    property.columns.allSatisfy { columns.contains(Naming.folded($0)) }
                }
            }
        }
        return mayLead ? .all : reads
    }
}
