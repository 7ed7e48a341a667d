internal import StoreEngine

/// Writes rows into another table, one at a time, with new ids if that table has, or had, rows.
struct RowMove: Sendable {
    let statement: SQL
    private let move: TableMove
    private let source: String
    private let target: String
    private let condition: SQL
    /// The columns that are written immediately; references to other moved rows are written after all rows.
    private let columns: [TableMove.Column]
    private let storesClass: Bool

    /// - Parameter condition: The condition of the moved rows; empty for all.
    init(_ move: TableMove, from source: String, to target: String, _ condition: SQL) {
        self.move = move
        self.source = source
        self.target = target
        self.condition = condition
        columns = move.columns.filter { !$0.isToMoved && !$0.isNewKey }
        storesClass = move.targetStoresClass || move.classDefault != nil
        let names = ["id"] + (storesClass ? [HierarchyPlan.column] : []) + columns.map(\.target)
        statement = "INSERT INTO \(name: target) (\(names: names)) VALUES (\(placeholders: names.count))"
    }

    func run(_ run: SchemaRun) throws {
        let last = try run.connection.greatestID(in: source)
        let offset = try offset(run, last: last)
        run.offsets[Naming.folded(source)] = offset
        let insert = try run.connection.prepare(statement)
        let read = (move.sourceStoresClass ? [HierarchyPlan.column] : ["id"]) + columns.compactMap(\.source)
        var isFirst = true
        try run.forEachRow("\(names: read)", condition, in: source) { id, values in
            var row: [DatabaseValue] = []
            if storesClass { row.append(move.sourceStoresClass ? values[0] : .text(move.map.name)) }
            var place = 1
            for column in columns {
                var value = DatabaseValue.null
                if column.source != nil {
                    value = values[place]
                    place += 1
                }
                row.append(try final(value, column, of: id, run))
            }
            do {
                if isFirst, id != last { try keepID(last + offset, row, insert, run) }
                isFirst = false
                try insert.execute([.integer(id + offset)] + row)
            } catch let error as StoreError where error.code == .notUnique {
                throw SchemaError.notMovable(
                    className: move.map.name, table: source,
                    reason: "row \(id) has a unique value that a row of \"\(target)\" already has "
                        + "(\(error.message)). Fix one of them first")
            }
        }
    }

    /// The offset added to the ids: 0 if the other table never had rows.
    private func offset(_ run: SchemaRun, last: Int64) throws -> Int64 {
        let greatest = try run.connection.greatestID(in: target)
        guard greatest > 0 else { return 0 }
        var least: Int64 = 1
        if case .integer(let id)? = try run.connection.value("SELECT min(\"id\") FROM \(name: source)") {
            least = min(1, id)
        }
        // Ids below 1, which only other programs assign, must not collide with existing ids.
        let (offset, overflows) = greatest.addingReportingOverflow(1 &- least)
        guard !overflows, least > -.max, !offset.addingReportingOverflow(last).overflow else {
            throw SchemaError.notMovable(
                className: move.map.name, table: source, reason: "there are not enough ids left in \"\(target)\"")
        }
        return offset
    }

    /// Inserts and deletes a row with the last id, so that ids of deleted rows are never reused.
    private func keepID(_ id: Int64, _ row: [DatabaseValue], _ insert: Statement, _ run: SchemaRun) throws {
        try insert.execute([.integer(id)] + row)
        try run.execute("DELETE FROM \(name: target) WHERE \"id\" = ?", [.integer(id)])
    }

    private func final(
        _ value: DatabaseValue, _ column: TableMove.Column, of id: Int64, _ run: SchemaRun
    ) throws -> DatabaseValue {
        var value = try column.conversion?.convert(value, of: id, run) ?? value
        if value == .null, let initial = column.initial { value = try initial.next() }
        if value == .null, column.refusesNull {
            if let reason = column.refusal {
                throw SchemaError.notMovable(
                    className: move.map.name, table: source, reason: "row \(id): \(reason)")
            }
            throw SchemaError.nilInRequired(
                className: move.map.name, property: column.property ?? column.target, rowIDs: [id])
        }
        return value
    }
}
