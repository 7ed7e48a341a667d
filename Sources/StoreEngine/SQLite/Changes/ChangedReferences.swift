internal import CSQLite

/// The foreign keys of a table with changed rows, and those of other tables that refer to it. They are checked after
/// all writes, because foreign keys are off while rows are written.
final class ChangedReferences {
    /// A foreign key.
    struct ForeignKey {
        let table: String
        let target: String
        var columns: [String] = []
        var targetColumns: [String] = []

        /// The condition that a row of the table refers to the row of the target. The target is on the
        /// left, because its collation counts.
        func leads(from row: String) -> SQL {
            let equal = zip(targetColumns, columns).map { target, own in
                "\(column: target, of: ChangedReferences.target) = \(column: own, of: row)" as SQL
            }
            return "\(list: equal, separator: " AND ")"
        }
    }

    private struct Referrer {
        let table: String
        /// The positions of the columns that it refers to.
        let places: [Int]
        let statement: Statement
    }

    fileprivate static let target = " target"
    private var targets: Statement?
    private var referrers: [Referrer] = []

    var isEmpty: Bool { targets == nil && referrers.isEmpty }

    /// Prepares the checks for the table called `name`.
    init(_ name: String, _ shape: TableShape, _ all: [ForeignKey], _ connection: SQLiteConnection) throws(StoreError) {
        let broken = all.filter { $0.table == name }.map { key in
            let isSet = key.columns.map { "\(column: $0, of: name) IS NOT NULL" as SQL }
            return """
                \(list: isSet, separator: " AND ") AND NOT EXISTS (SELECT 1 FROM \(name: key.target) \
                AS \(name: ChangedReferences.target) WHERE \(key.leads(from: name)))
                """ as SQL
        }
        if !broken.isEmpty {
            let row = ChangeTable.row(name, shape)
            targets = try connection.prepare("SELECT 1 FROM \(row) AND (\(list: broken, separator: " OR "))")
        }
        let columns = shape.columns.map { $0.lowercased() }
        for key in all where key.target == name {
            let places = key.targetColumns.compactMap { columns.firstIndex(of: $0.lowercased()) }
            guard places.count == key.columns.count else { continue }
            var refers: [SQL] = []
            for (index, column) in key.columns.enumerated() {
                let collation = try connection.collation(of: key.targetColumns[index], in: name)
                refers.append("\(column: column, of: key.table) = ?\(number: index + 1) COLLATE \(name: collation)")
            }
            let statement = try connection.prepare(
                """
                SELECT 1 FROM \(name: key.table) WHERE \(list: refers, separator: " AND ") AND NOT EXISTS \
                (SELECT 1 FROM \(name: name) AS \(name: ChangedReferences.target) \
                WHERE \(key.leads(from: key.table))) LIMIT 1
                """)
            referrers.append(Referrer(table: key.table, places: places, statement: statement))
        }
    }

    /// Whether the row of a change refers to a row that does not exist.
    func isBroken(_ change: ChangeSet.Change, _ table: ChangeTable) throws -> Bool {
        guard let targets else { return false }
        try table.bindKey(change, to: targets)
        defer { sqlite3_reset(targets.handle) }
        return try targets.step()
    }

    /// The table of a row that refers to the old values of a change's row, which do not exist any more.
    func tableReferring(to change: ChangeSet.Change, _ table: ChangeTable) throws -> String? {
        guard change.operation != .insert else { return nil }
        for referrer in referrers {
            guard change.operation == .delete || referrer.places.contains(where: { change.new($0) != nil }) else {
                continue
            }
            let isReferred = try {
                guard try bindOldValues(of: change, referrer, table) else { return false }
                defer { sqlite3_reset(referrer.statement.handle) }
                return try referrer.statement.step()
            }()
            if isReferred { return referrer.table }
        }
        return nil
    }

    /// False if the row of an update does not exist.
    private func bindOldValues(
        of change: ChangeSet.Change, _ referrer: Referrer, _ table: ChangeTable
    ) throws -> Bool {
        guard change.operation == .update else {
            for (index, place) in referrer.places.enumerated() {
                try table.bind(change.old(place), at: index + 1, to: referrer.statement)
            }
            return true
        }
        // An update contains only the old values of the columns that it changes.
        let isBound: Void? = try table.withRow(change) { column in
            for (index, place) in referrer.places.enumerated() {
                try table.bind(change.old(place) ?? column(place), at: index + 1, to: referrer.statement)
            }
        }
        return isBound != nil
    }
}

extension SQLiteConnection {
    /// The name of a column's collation.
    fileprivate func collation(of column: String, in table: String) throws(StoreError) -> String {
        var collation: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(handle, "main", table, column, nil, &collation, nil, nil, nil)
        guard code == SQLITE_OK, let collation else {
            throw .engine(code, message: "The collation of \(table).\(column) cannot be read")
        }
        return String(cString: collation)
    }
}
