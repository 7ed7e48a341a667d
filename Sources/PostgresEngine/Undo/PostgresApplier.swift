internal import StoreEngine

/// Writes recorded changes into the tables, with one statement for each recorded statement.
///
/// The states between the statements of the transaction come back in reverse. Unique values that were exchanged with
/// temporary values, and shifted elements of arrays, therefore do not collide. The effects of a foreign key that clears or
/// deletes rows can come earlier than the statement that records them. Therefore rows are not compared while they are
/// written, but before and afterwards.
struct PostgresApplier {
    private let connection: PostgresConnection
    private var tables: [String: RecordedTable] = [:]

    /// Call it in a writing transaction, in which the references and delete rules are then off until its end.
    init(_ connection: PostgresConnection) throws(StoreError) {
        self.connection = connection
        try connection.session.runTexts([PostgresRecorder.undoing, "SET CONSTRAINTS ALL DEFERRED"])
    }

    /// Writes changes one after the other, and checks that no reference dangles.
    ///
    /// - Throws: `ChangeConflict`; the transaction must then be rolled back.
    mutating func apply(_ sets: [RecordedStatements]) throws {
        let names = Set(sets.flatMap { $0.statements.map(\.table) })
        guard !names.isEmpty else { return }
        tables = try RecordedTable.read(names, connection, withReferrers: true)
        let nets = sets.map { NetChanges($0.statements) }
        for (set, net) in zip(sets, nets) {
            try checkColumns(set)
            try connection.setSavepoint()
            do {
                try write(set, net)
                try connection.releaseSavepoint()
            } catch {
                connection.rollBackToSavepoint()
                guard (error as? ChangeConflict)?.kind == .taken else { throw error }
                // The unique value may belong to a row that was left out because it is equal at the end. For example,
                // the values of three rows were exchanged in a circle.
                try write(set, NetChanges(set.statements, isComplete: true))
            }
        }
        do throws(StoreError) { try connection.session.checkReferences() } catch {
            guard error.constraint?.kind == .foreignKey else { throw error }
            for net in nets { try RowCheck(connection, tables, net).checkTargets() }
            throw error
        }
    }

    private func write(_ set: RecordedStatements, _ net: NetChanges) throws {
        let check = RowCheck(connection, tables, net)
        try check.checkBefore()
        try check.checkReferrers()
        for statement in set.statements { try write(statement, net) }
        try check.checkAfterwards()
    }

    private func checkColumns(_ set: RecordedStatements) throws {
        for statement in set.statements {
            guard let table = tables[statement.table], table.keyTokens == statement.keys,
                (statement.old.first ?? statement.new.first)?.columns.allSatisfy({ table.column($0.name) != nil })
                    ?? true
            else { throw ChangeConflict(kind: .altered, table: statement.table, key: nil) }
        }
    }

    // MARK: Statements

    private func write(_ statement: RecordedStatement, _ net: NetChanges) throws {
        guard let table = tables[statement.table] else { return }
        let statement = effective(statement, net)
        guard !statement.isEmpty else { return }
        do {
            switch statement.operation {
            case .insert: try insert(statement, table)
            case .delete: try delete(statement, table)
            case .update: try update(statement, table)
            }
        } catch let error as StoreError where error.code == .notUnique {
            let first = (statement.new.first ?? statement.old.first)?.columns ?? []
            let key = first.first { $0.name.elementsEqual(statement.keys.first ?? []) }
            let isAlone = max(statement.old.count, statement.new.count) == 1
            throw ChangeConflict(
                kind: .taken, table: statement.table,
                key: isAlone ? key.flatMap { Int64(String(decoding: $0.value, as: UTF8.self)) } : nil)
        }
    }

    /// The rows and columns of a statement that differ at the end, and the rows in between that are moved. Other sessions
    /// may have changed the other columns.
    private func effective(_ statement: RecordedStatement, _ net: NetChanges) -> RecordedStatement {
        if net.isComplete { return statement }
        switch statement.operation {
        case .insert:
            return statement.with(
                old: [], new: statement.new.filter { net.concerns(statement.table, $0.key(statement.keys)) })
        case .delete:
            return statement.with(
                old: statement.old.filter { net.concerns(statement.table, $0.key(statement.keys)) }, new: [])
        case .update:
            var (old, new): ([RecordedRow], [RecordedRow]) = ([], [])
            for (before, after) in zip(statement.old, statement.new) {
                let key = before.key(statement.keys)
                // A row with another key was moved, and rows move together.
                guard key == after.key(statement.keys) else {
                    old.append(before)
                    new.append(after)
                    continue
                }
                guard net.concerns(statement.table, key) else { continue }
                let row = net.row(statement.table, key)
                let names = Set(row?.updated ?? [])
                let columns = after.columns.filter { column in
                    row?.isWhole ?? true || names.contains(column.name)
                        || statement.keys.contains { column.name.elementsEqual($0) }
                }
                guard columns.count > statement.keys.count else { continue }
                old.append(before)
                new.append(RecordedRow(columns))
            }
            return statement.with(old: old, new: new)
        }
    }

    private func insert(_ statement: RecordedStatement, _ table: RecordedTable) throws {
        let columns = written(statement.new, table)
        try run(
            """
            INSERT INTO \(name: table.name) (\(names: columns)) OVERRIDING SYSTEM VALUE \
            SELECT \(columns: columns, of: "po v") \
            FROM json_populate_recordset(NULL::\(table.rowType), ?::text::json) AS "po v"
            """, RecordedRow.list(statement.new.map(\.json)))
    }

    private func delete(_ statement: RecordedStatement, _ table: RecordedTable) throws {
        try run(
            """
            DELETE FROM \(name: table.name) AS "po t" \
            USING json_populate_recordset(NULL::\(table.rowType), ?::text::json) AS "po k" \
            WHERE \(RowCheck.isSame(table.keys.map(\.name), "po t", "po k"))
            """, RecordedRow.list(statement.old.map { $0.part(statement.keys) }))
    }

    private func update(_ statement: RecordedStatement, _ table: RecordedTable) throws {
        do { try update(Array(zip(statement.old, statement.new)), statement, table) } catch let error as StoreError
            where error.code == .notUnique && statement.old.count > 1
        {
            // A unique index is checked for each row, and the rows were changed in this order.
            for pair in zip(statement.old, statement.new) { try update([pair], statement, table) }
        }
    }

    private func update(
        _ pairs: [(RecordedRow, RecordedRow)], _ statement: RecordedStatement, _ table: RecordedTable
    ) throws {
        var changed: [RecordedRow] = []
        let elements: [[UInt8]] = pairs.map { old, new in
            let (before, after) = (old.columns, new.columns)
            let hasKey = RecordedRow.key(before, statement.keys) == RecordedRow.key(after, statement.keys)
            let values = RecordedRow(
                after.filter { column in !hasKey || !statement.keys.contains { column.name.elementsEqual($0) } })
            changed.append(values)
            var json = Array("{\"k\":".utf8)
            json += old.part(statement.keys)
            json += Array(",\"v\":".utf8)
            json += values.json
            json.append(UInt8(ascii: "}"))
            return json
        }
        let columns = written(changed, table)
        guard !columns.isEmpty else { return }
        // A column that is missing in "v" keeps its value.
        try run(
            """
            UPDATE \(name: table.name) AS "po t" SET (\(names: columns)) = (SELECT \(columns: columns, of: "po v") \
            FROM json_populate_record("po t", "po e"."v") AS "po v") \
            FROM json_to_recordset(?::text::json) AS "po e"("k" json, "v" json), \
            json_populate_record(NULL::\(table.rowType), "po e"."k") AS "po k" \
            WHERE \(RowCheck.isSame(table.keys.map(\.name), "po t", "po k"))
            """, RecordedRow.list(elements))
    }

    /// The columns of some rows, in the order of the table.
    private func written(_ rows: [RecordedRow], _ table: RecordedTable) -> [String] {
        var names: Set<ArraySlice<UInt8>> = []
        // The rows of an insertion have the same columns.
        for row in rows { names.formUnion(row.columns.lazy.map(\.name)) }
        return table.columns.filter { !$0.isGenerated && names.contains($0.token[...]) }.map(\.name)
    }

    private func run(_ sql: SQL, _ rows: String) throws {
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(rows, at: 1) } catch { throw StoreError.value(error) }
        try statement.run()
    }
}
