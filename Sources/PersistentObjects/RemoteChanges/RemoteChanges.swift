package import StoreEngine

/// The rows that other devices changed, in a transaction without rules.
package final class RemoteChanges {
    /// A row that is inserted, updated or deleted.
    package struct Row {
        package let table: String
        package let id: Int64
        package let operation: ChangedRow.Operation
        package var values: [(column: String, value: DatabaseValue)]

        package init(
            _ operation: ChangedRow.Operation, _ table: String, _ id: Int64,
            _ values: [(column: String, value: DatabaseValue)] = []
        ) {
            (self.operation, self.table, self.id, self.values) = (operation, table, id, values)
        }
    }

    /// The elements of one owner that are removed from a collection's table or added to it.
    package struct Elements {
        package let table: String
        package let owner: Int64
        /// The columns except the owner's. The first one distinguishes the elements.
        package let columns: [String]
        package var removed: [DatabaseValue]
        package let added: [[DatabaseValue]]

        package init(
            _ table: String, _ owner: Int64, columns: [String], removed: [DatabaseValue], added: [[DatabaseValue]]
        ) {
            (self.table, self.owner, self.columns) = (table, owner, columns)
            (self.removed, self.added) = (removed, added)
        }
    }

    package let session: Session
    package let connection: any Connection
    /// The columns of unique indexes that can be NULL or not, by folded table.
    private var uniqueColumns: [String: [String: Bool]] = [:]

    init(_ session: Session) { (self.session, connection) = (session, session.connection) }

    /// Creates the tables of captured changes in a file without any synced class.
    package func createCaptureTables() throws { try CaptureRecord(connection).create() }

    /// Writes rows and elements: everything that is removed before everything that is added.
    ///
    /// References to deleted rows become NULL, also those of classes that are not synced or not known, and elements
    /// that refer to deleted rows are removed.
    ///
    /// - Returns: The places in `rows` of the rows that have a unique value of another row. They do not exist now, and
    ///   nothing refers to them.
    package func write(_ rows: [Row], _ elements: [Elements]) throws -> [Int] {
        var plan = RemotePlan(rows, elements)
        try plan.clearReferences(connection)
        guard !plan.isEmpty else { return [] }
        let ids = plan.ids
        let inspector = SchemaInspector(connection)
        let triggers = try Dictionary(uniqueKeysWithValues: ids.keys.map { ($0, try inspector.triggers(on: $0)) })
        let search = try SearchRows(ids, connection)
        let history = try HistoryRows(ids, triggers, connection)
        try search.remove()
        var rejected: [Int] = []
        try UndoAnnouncement(session).report(plan.changedRows) { rejected = try write(plan) }
        if !rejected.isEmpty {
            var lost = RemotePlan(rejected.map { Row(.delete, plan.rows[$0].table, plan.rows[$0].id) }, [])
            try lost.clearReferences(connection)
            _ = try write(lost)
        }
        try search.add()
        try history.add()
        return rejected.filter { $0 < rows.count }
    }

    private func write(_ plan: RemotePlan) throws -> [Int] {
        for part in plan.elements where !part.removed.isEmpty {
            let sql: SQL = """
                DELETE FROM \(name: part.table) WHERE \(name: ChildTable.ownerColumn) = ? \
                AND \(name: part.columns[0]) IS ?
                """
            for value in part.removed { try run(sql, [.integer(part.owner), value]) }
        }
        var inserted: [(place: Int, row: Row)] = []
        for (place, row) in plan.rows.enumerated() {
            switch row.operation {
            case .delete: try delete(row)
            case .insert: inserted.append((place, row))
            case .update:
                let unique = try self.uniqueColumns(of: row.table)
                guard row.values.contains(where: { unique[Naming.folded($0.column)] != nil }),
                    let whole = try wholeRow(row)
                else {
                    try update(row)
                    continue
                }
                // A row with a unique value that another row may have until it is written.
                try delete(row)
                inserted.append((place, whole))
            }
        }
        var rejected: [Int] = []
        for (place, row) in inserted where try !insert(row) { rejected.append(place) }
        for part in plan.elements where !part.added.isEmpty {
            let sql: SQL = """
                INSERT OR REPLACE INTO \(name: part.table) (\(names: [ChildTable.ownerColumn] + part.columns)) \
                VALUES (?\(list: part.columns.map { _ in ", ?" as SQL }, separator: ""))
                """
            for values in part.added { try run(sql, [.integer(part.owner)] + values) }
        }
        return rejected
    }

    private func delete(_ row: Row) throws {
        try run("DELETE FROM \(name: row.table) WHERE \"id\" = ?", [.integer(row.id)])
    }

    private func update(_ row: Row) throws {
        guard !row.values.isEmpty else { return }
        let changes = row.values.map { "\(name: $0.column) = ?" as SQL }
        try run(
            "UPDATE \(name: row.table) SET \(list: changes, separator: ", ") WHERE \"id\" = ?",
            row.values.map(\.value) + [.integer(row.id)])
    }

    /// All columns of an existing row with the new values.
    private func wholeRow(_ row: Row) throws -> Row? {
        let columns = try writtenColumns(of: row.table)
        guard
            let known = try connection.prepare(
                "SELECT \(names: columns) FROM \(name: row.table) WHERE \"id\" = ?"
            ).rows([.integer(row.id)]).first
        else { return nil }
        var values = zip(columns, known).map { (column: $0, value: $1) }
        for (column, value) in row.values {
            guard let place = columns.firstIndex(where: { Naming.folded($0) == Naming.folded(column) }) else {
                continue
            }
            values[place].value = value
        }
        return Row(.insert, row.table, row.id, values)
    }

    private func writtenColumns(of table: String) throws -> [String] {
        try connection.schema.table(table)?.columns.filter { !$0.isGenerated && Naming.folded($0.name) != "id" }
            .map(\.name) ?? []
    }

    /// Inserts a row. If another row has a unique value of it, the row is inserted without the values that may be
    /// missing; false if that is not possible.
    private func insert(_ row: Row) throws -> Bool {
        do { try insertAsIs(row) } catch let error as StoreError where error.code == .notUnique {
            let unique = try uniqueColumns(of: row.table)
            var other = row
            for (place, part) in row.values.enumerated() where unique[Naming.folded(part.column)] == true {
                other.values[place].value = .null
            }
            do { try insertAsIs(other) } catch let error as StoreError where error.code == .notUnique { return false }
        }
        return true
    }

    private func insertAsIs(_ row: Row) throws {
        try run(
            """
            INSERT INTO \(name: row.table) (\(names: ["id"] + row.values.map(\.column))) \
            VALUES (?\(list: row.values.map { _ in ", ?" as SQL }, separator: ""))
            """, [.integer(row.id)] + row.values.map(\.value))
    }

    /// The columns of a table's unique indexes, with whether each can be NULL instead of a value that another row has. An
    /// index over an expression can concern any column, so a row that it rejects is not written.
    private func uniqueColumns(of table: String) throws -> [String: Bool] {
        if let known = uniqueColumns[Naming.folded(table)] { return known }
        let columns = try connection.schema.table(table)?.columns ?? []
        let accepts = Dictionary(
            columns.map { (Naming.folded($0.name), !$0.isNotNull) }, uniquingKeysWith: { first, _ in first })
        var unique: [String: Bool] = [:]
        for index in try connection.schema.indexes(of: table) where index.isUnique {
            if index.columns.contains(nil) { unique.merge(accepts.mapValues { _ in false }) { known, _ in known } }
            for column in index.columns.compactMap(\.self) {
                unique[Naming.folded(column)] = accepts[Naming.folded(column)] ?? false
            }
        }
        uniqueColumns[Naming.folded(table)] = unique
        return unique
    }

    private func run(_ sql: SQL, _ values: [DatabaseValue]) throws {
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        try statement.execute(values)
    }
}
