public import StoreEngine

/// The sizes of a store's files, tables and classes.
///
/// See ``Store/statistics(measuringTables:)``.
public struct StoreStatistics: Sendable, CustomStringConvertible {
    /// A table of the file.
    public struct Table: Sendable, Hashable {
        /// The name of the table.
        public let name: String
        /// The class whose objects or collection the table stores.
        ///
        /// It is nil if the table does not belong to a class that the store has prepared.
        public let className: String?
        /// The collection whose elements the table stores; nil for the table of a class.
        public let property: String?
        /// The number of rows.
        public let rowCount: Int
        /// The size of its rows in bytes.
        ///
        /// It is nil if it was not requested, or if SQLite was built without `dbstat`.
        public let byteCount: Int?
        /// The size of its indexes in bytes; nil if `byteCount` is nil.
        public let indexByteCount: Int?
    }

    /// The size of the file in bytes; 0 in memory.
    public let fileSize: Int
    /// The size of the log next to the file, in bytes.
    public let logSize: Int
    /// The size of a page in bytes.
    public let pageSize: Int
    /// The number of pages of the file.
    public let pageCount: Int
    /// The number of free pages, which `vacuum()` removes.
    public let freePageCount: Int
    /// The journal mode; nil for a store in memory.
    public let journal: JournalMode?
    /// How free pages are handled.
    public let autoVacuum: AutoVacuum
    /// The tables by name, except the tables in which the library keeps its own records about the file.
    public let tables: [Table]
    /// The number of rows of each prepared class by its name, without its subclasses.
    public let rowCounts: [String: Int]

    /// A line for the file, and one line for each table.
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
    /// Returns the sizes of the files, and the number of rows of each table.
    ///
    /// ```swift
    /// let statistics = try store.statistics()
    /// print(statistics.fileSize, statistics.rowCounts["Person"] ?? 0)
    /// print(statistics)      // a line for each table
    /// ```
    ///
    /// All numbers are from one state of the file; concurrent changes are not visible.
    ///
    /// - Parameter measuringTables: Whether the bytes of each table are counted, which reads the whole file.
    /// - Complexity: Counts the rows of each table, which reads one of its indexes; `measuringTables` reads every page.
    public func statistics(measuringTables: Bool = true) throws -> StoreStatistics {
        try caring { session, upkeep in
            try session.readTransaction.inOneState(mayBeEarlier: false) {
                let facts = try upkeep.facts()
                let sizes = measuringTables ? try upkeep.tableSizes() : nil
                let ordinary = try upkeep.tables().filter { $0.kind == .ordinary && !hasFileRecords(in: $0.name) }
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
    /// The number that a statement returns.
    func rowCount(_ sql: SQL) throws -> Int {
        guard case .integer(let count)? = try connection.value(sql) else { return 0 }
        return Int(count)
    }
}
