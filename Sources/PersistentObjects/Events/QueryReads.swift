internal import StoreEngine

/// The data on which the results of statements depend: tables, and their columns if they are known.
///
/// A commit that does not write this data does not affect the results. A statement depends on a table's rows, and on
/// the columns that it reads.
struct QueryReads: Sendable {
    /// The columns by table, both in lowercase; nil if all columns count.
    private(set) var tables: [String: Set<String>?] = [:]
    /// Whether a table belongs to no class, so that SQLite does not report its rows.
    private(set) var readsUnreported = false
    /// Whether the results may depend on any commit.
    private(set) var isAll = false

    /// Results that depend on any commit.
    static let all: QueryReads = {
        var reads = QueryReads()
        reads.isAll = true
        return reads
    }()

    /// Whether no data is read.
    var isEmpty: Bool { tables.isEmpty && !isAll }

    /// Adds columns of a table; nil for all columns.
    mutating func add(_ table: String, _ columns: Set<String>?) {
        guard let columns, let known = tables[table] ?? [] else {
            tables[table] = .some(nil)
            return
        }
        tables[table] = known.union(columns)
    }

    mutating func recordUnreportedRead() { readsUnreported = true }

    /// Makes all columns of all tables count, because changes through other tables are unknown.
    mutating func becomeCoarse() { for table in tables.keys { tables[table] = .some(nil) } }

    mutating func formUnion(_ other: QueryReads) {
        isAll = isAll || other.isAll
        readsUnreported = readsUnreported || other.readsUnreported
        for (table, columns) in other.tables { add(table, columns) }
    }
}

/// The rows of one table that can affect a query's results.
struct QueryRows: Sendable {
    /// The table, in lowercase.
    let table: String
    /// The ids of the rows; nil if all rows count.
    var ids: Set<Int64>?
    /// Whether a deleted row matters only if the query found it.
    var losesOnlyFound = false

    func mayMatter(_ id: Int64) -> Bool { ids?.contains(id) ?? true }
}

extension QueryReads {
    /// Whether a commit may change the results.
    func isTouched(by summary: CommitSummary, _ rows: QueryRows? = nil) -> Bool {
        if summary.isUnknown { return true }
        if isAll { return !summary.isEmpty }
        if readsUnreported, summary.hasUnreportedRows { return true }
        let touched = summary.tables.filter { tables.keys.contains($0) }
        guard !touched.isEmpty else { return false }
        // Triggers of other programs and raw SQL may change more than their events report.
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

// The data that statements read.
extension Session {
    /// The data on which the result of a statement depends.
    func reads(of statement: SQL) throws -> QueryReads {
        guard connection.capabilities.contains(.tablesRead) else { return .all }
        var reads = QueryReads()
        var isCoarse = false
        for (table, columns) in try connection.columnsRead(by: statement) {
            let name = Naming.folded(table)
            // Skips table-valued functions, and the internal tables of the engine and the library.
            guard BuiltInTables.refusal(ofName: name) == nil || HistoryNames.contains(name) else { continue }
            let classes = store.classes.classes(sharing: name)
            if classes.isEmpty {
                reads.recordUnreportedRead()
                reads.add(name, nil)
                if let map = store.classes.searched(in: name) { reads.add(Naming.folded(map.table), nil) }
                // Changes to the tables that a full-text index or a view reads are not reported.
                if store.classes.owner(of: name) == nil { isCoarse = true }
            } else {
                // An engine need not report the rows of an existing table: WITHOUT ROWID, or virtual.
                if classes.contains(where: { $0.foreign != nil }) { reads.recordUnreportedRead() }
                let isOwn = classes.allSatisfy { $0.foreign == nil && !$0.properties.contains(where: \.isReadOnly) }
                reads.add(name, isOwn ? Set(columns.map { Naming.folded($0) }) : nil)
            }
        }
        if isCoarse { reads.becomeCoarse() }
        return reads
    }

    /// The data on which the result of code depends if the code fetches objects with a statement.
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
