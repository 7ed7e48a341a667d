public import StoreEngine

/// How large a store is: its files, its tables, its classes. See ``Store/statistics(measuringTables:)``.
public struct StoreStatistics: Sendable, CustomStringConvertible {
    /// A table of the file.
    public struct Table: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// The class whose objects, or whose collection, it has; nil if it is of no class that the store has prepared.
        public let className: String?
        /// The collection whose elements it has; nil for a class's own table.
        public let property: String?
        /// How many rows it has.
        public let rowCount: Int
        /// How many bytes its rows take; nil if this was not asked for, or SQLite was built without `dbstat`.
        public let byteCount: Int?
        /// How many bytes its indexes take.
        public let indexByteCount: Int?
    }

    /// The bytes of the file; 0 in memory.
    public let fileSize: Int
    /// The bytes of the log beside it.
    public let logSize: Int
    /// The bytes of a page.
    public let pageSize: Int
    /// How many pages the file has.
    public let pageCount: Int
    /// How many of them are free: `vacuum()` takes them away.
    public let freePageCount: Int
    /// How commits are kept; nil for a store in memory.
    public let journal: JournalMode?
    /// What becomes of pages that become free.
    public let autoVacuum: AutoVacuum
    /// The tables that have rows of their own, by name; not those in which the library notes what the file holds.
    public let tables: [Table]
    /// How many rows each prepared class has, its subclasses not counted, by its name.
    public let rowCounts: [String: Int]

    /// A line for the file, and one for each table.
    public var description: String {
        let size =
            "\(fileSize) bytes and \(logSize) in its log, \(pageCount) pages of \(pageSize), \(freePageCount) free"
        let lines = tables.map { table in
            let owner = [table.className, table.property].compactMap { $0 }.joined(separator: ".")
            let bytes = table.byteCount.map { ", \($0) bytes" } ?? ""
            let indexes = table.indexByteCount.map { $0 > 0 ? " and \($0) of indexes" : "" } ?? ""
            return "\(table.name)\(owner.isEmpty ? "" : " (\(owner))"): \(table.rowCount) rows\(bytes)\(indexes)"
        }
        return ([size] + lines).joined(separator: "\n")
    }
}

extension Store {
    /// How large the files are, and how many rows each table has.
    ///
    /// ```swift
    /// let statistics = try store.statistics()
    /// print(statistics.fileSize, statistics.rowCounts["Person"] ?? 0)
    /// print(statistics)      // a line for each table
    /// ```
    ///
    /// All of it is one state of the file; what others do meanwhile is not seen.
    ///
    /// - Parameter measuringTables: Whether the bytes of each table are counted, for which all of the file is read.
    /// - Complexity: counts the rows of each table, which reads an index of it; `measuringTables` reads each page.
    public func statistics(measuringTables: Bool = true) throws -> StoreStatistics {
        try caring { session, upkeep in
            try session.readTransaction.inOneState {
                let facts = try upkeep.facts()
                let sizes = measuringTables ? try upkeep.tableSizes() : nil
                let ordinary = try upkeep.tables().filter { $0.kind == .ordinary && !hasNotes(in: $0.name) }
                let tables = try ordinary.map { table in
                    let owner = classes.owner(of: table.name)
                    let size = sizes.map { $0[table.name] ?? TableSize() }
                    return StoreStatistics.Table(
                        name: table.name, className: owner?.map.name, property: owner?.property?.name,
                        rowCount: try session.rowCount("SELECT count(*) FROM \(name: table.name)"),
                        byteCount: size?.rows, indexByteCount: size?.indexes)
                }
                return StoreStatistics(
                    fileSize: facts.fileSize, logSize: facts.logSize, pageSize: facts.pageSize,
                    pageCount: facts.pageCount, freePageCount: facts.freePageCount, journal: facts.journal,
                    autoVacuum: facts.autoVacuum, tables: tables,
                    rowCounts: try rowCounts(session, tables))
            }
        }
    }

    private func rowCounts(_ session: Session, _ tables: [StoreStatistics.Table]) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for map in classes.preparedMaps {
            guard let table = tables.first(where: { Naming.folded($0.name) == Naming.folded(map.table) }) else {
                continue
            }
            guard classes.hasClassColumn(map), let name = SQLLiteral(.text(map.name)) else {
                counts[map.name] = table.rowCount
                continue
            }
            counts[map.name] = try session.rowCount(
                "SELECT count(*) FROM \(name: map.table) WHERE \"class\" = \(literal: name)")
        }
        return counts
    }
}

extension Session {
    /// The number that a statement gives.
    func rowCount(_ sql: SQL) throws -> Int {
        guard case .integer(let count)? = try connection.value(sql) else { return 0 }
        return Int(count)
    }
}
