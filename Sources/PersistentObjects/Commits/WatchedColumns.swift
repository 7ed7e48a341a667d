@_spi(Locks) internal import StoreEngine

/// The columns that listeners evaluate in the rows that commits write, by table.
///
/// A place in a table's list always means the same column, because a commit may read values for listeners that end
/// before it reports them. The lists therefore only grow.
final class WatchedColumns: Sendable {
    private struct Table {
        var columns: [String] = []
        var watchCount = 0
    }

    private let tables = Locked<[String: Table]>([:])

    /// The columns of a table in the order of the values in `CommitSummary.values`; empty if no listener uses them.
    func columns(of table: String) -> [String] {
        tables.withLock { tables in
            guard let known = tables[table], known.watchCount > 0 else { return [] }
            return known.columns
        }
    }

    /// Whether no listener uses any column.
    var isEmpty: Bool { tables.withLock { tables in tables.values.allSatisfy { $0.watchCount == 0 } } }

    /// Adds columns of a table, in lowercase, and returns their places.
    fileprivate func add(_ columns: [String], of table: String) -> [Int] {
        tables.withLock { tables in
            var known = tables[table] ?? Table()
            known.watchCount += 1
            let places = columns.map { column in
                if let place = known.columns.firstIndex(of: column) { return place }
                known.columns.append(column)
                return known.columns.count - 1
            }
            tables[table] = known
            return places
        }
    }

    fileprivate func removeWatch(of table: String) {
        tables.withLock { $0[table]?.watchCount -= 1 }
    }
}

/// A listener's use of some columns of a table, until it is released.
final class ColumnWatch: Sendable {
    private let all: WatchedColumns
    private let table: String
    /// The places of the columns in the values of a row.
    let places: [Int]

    init(_ columns: [String], of table: String, in all: WatchedColumns) {
        self.all = all
        self.table = table
        places = all.add(columns, of: table)
    }

    deinit { all.removeWatch(of: table) }
}

extension CommitSummary {
    /// The largest number of written rows of a table whose values are read for listeners.
    static let valueLimit = 100
}
