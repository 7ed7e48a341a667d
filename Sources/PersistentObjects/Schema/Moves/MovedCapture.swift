internal import StoreEngine

/// Moves the captured changes of rows to their new table, whose columns have other numbers.
struct MovedCapture {
    private let run: SchemaRun
    private let record: CaptureRecord
    private let move: TableMove
    private let source: String
    private let target: String
    /// The offset added to the ids of moved rows.
    private let offset: Int64
    /// The condition of the owners of moved rows in a column of numbers; empty for all.
    private let isMoved: (SQL) -> SQL

    /// The step that moves the changes. The rows still exist in both tables.
    ///
    /// - Parameters:
    ///   - moved: The condition of the moved rows; empty for all.
    ///   - finalName: The resulting name of a table of the file.
    static func steps(
        _ move: TableMove, from source: String, to target: String, _ moved: SQL, _ finalName: (String) -> String
    ) -> SchemaSteps {
        let collections = move.collections.map { collection in
            (
                from: finalName(collection.source.name),
                to: collection.isNew ? collection.target : finalName(collection.target),
                isOfMoved: collection.movedValue != nil
            )
        }
        let references = move.references.filter(\.isCollection).map { reference in
            (table: finalName(reference.table.name), column: reference.column)
        }
        var steps = SchemaSteps()
        steps.add("-- moves the captured changes of the rows of \"\(source)\"") { run in
            let moving = MovedCapture(run, move, source, target, moved)
            guard let captured = try moving.record.table(source) else { return }
            try moving.moveRows(captured)
            for collection in collections {
                try moving.moveElements(of: collection.from, to: collection.to, areMoved: collection.isOfMoved)
            }
            for reference in references { try moving.shiftElements(of: reference.table, reference.column) }
        }
        return steps
    }

    private init(_ run: SchemaRun, _ move: TableMove, _ source: String, _ target: String, _ moved: SQL) {
        self.run = run
        record = CaptureRecord(run.connection)
        self.move = move
        self.source = source
        self.target = target
        offset = run.offsets[Naming.folded(source)] ?? 0
        isMoved = { column in
            moved.isEmpty ? "" : " AND \(column) IN (SELECT \"id\" FROM \(name: source) WHERE \(moved))"
        }
    }

    private func moveRows(_ captured: CapturedTable) throws {
        let columns = try run.connection.schema.table(target)?.columns ?? []
        // Rows of the target with ids up to the offset did not have the new columns.
        let found = try record.register(
            target, .rows, HistoryTriggers.columns(columns).map(\.name), rules: rules(captured), born: offset)
        let numbers = numbers(captured, found)
        let (from, to) = (DatabaseValue.integer(Int64(captured.number)), DatabaseValue.integer(Int64(found.number)))
        let marks: SQL = """
            SELECT "row", "part", "mask", "key" FROM \(name: CaptureNames.marks) WHERE "tbl" = ?\(isMoved("\"row\""))
            """
        let insert: SQL = """
            INSERT INTO \(name: CaptureNames.marks) ("tbl", "row", "part", "mask", "key") VALUES (?, ?, ?, ?, ?) \
            \(CaptureTriggers.addingMaskAndKey)
            """
        for mark in try record.rows(marks, [from]) {
            guard case .integer(let row) = mark[0], case .integer(let part) = mark[1], case .integer(let mask) = mark[2]
            else { continue }
            for (part, mask) in MovedCapture.masks(part, mask, numbers) {
                try record.run(
                    insert,
                    [to, .integer(row + offset), .integer(part), .integer(mask), part == 0 ? mark[3] : .null])
            }
        }
        try record.run("DELETE FROM \(name: CaptureNames.marks) WHERE \"tbl\" = ?\(isMoved("\"row\""))", [from])
        for (number, other) in numbers {
            try record.run(
                """
                UPDATE \(name: CaptureNames.counts) SET "tbl" = ?, "row" = "row" + ?, "column" = ? \
                WHERE "tbl" = ? AND "column" = ?\(isMoved("\"row\""))
                """, [to, .integer(offset), .integer(Int64(other)), from, .integer(Int64(number))])
        }
    }

    /// The numbers of columns in the target, by their numbers in the source.
    private func numbers(_ captured: CapturedTable, _ found: CapturedTable) -> [Int: Int] {
        var numbers: [Int: Int] = [:]
        for (name, column) in captured.columns {
            if let target = name == HierarchyPlan.column ? name : target(of: name), let other = found[target] {
                numbers[column.number] = other.number
            }
        }
        return numbers
    }

    /// The merge rules by folded column of the target.
    private func rules(_ captured: CapturedTable) -> [String: MergeRule?] {
        var rules: [String: MergeRule?] = [:]
        for (name, column) in captured.columns where column.mergeRule != nil {
            if let target = target(of: name) { rules.updateValue(column.mergeRule, forKey: Naming.folded(target)) }
        }
        return rules
    }

    private func target(of column: String) -> String? {
        move.columns.first { $0.source.map(Naming.folded) == column }?.target
    }

    /// The parts and masks of a mark with other numbers of columns.
    private static func masks(_ part: Int64, _ mask: Int64, _ numbers: [Int: Int]) -> [Int64: Int64] {
        var masks: [Int64: Int64] = [:]
        let rows = mask & (CapturedTable.inserted | CapturedTable.deleted)
        if rows != 0 { masks[0] = rows }
        for index in 0..<CapturedTable.columnsPerPart {
            let number = Int(part) * CapturedTable.columnsPerPart + index
            guard mask & CapturedTable.bit(number) != 0, let other = numbers[number] else { continue }
            masks[Int64(CapturedTable.part(other)), default: 0] |= CapturedTable.bit(other)
        }
        return masks
    }

    // MARK: Elements

    /// - Parameter areMoved: Whether the elements are moved rows.
    private func moveElements(of table: String, to name: String, areMoved: Bool) throws {
        guard let captured = try record.table(table), let description = try run.connection.schema.table(name),
            let elements = ElementTriggers(description, owner: target)
        else { return }
        let found = try record.register(name, captured.kind, ElementCapture.columns(of: elements))
        guard found.number != captured.number else { return }
        let shift = DatabaseValue.integer(areMoved ? offset : 0)
        let (part, value): (SQL, SQL) = (
            captured.kind == .set && areMoved ? "\"part\" + ?3" : "\"part\"", areMoved ? "\"value\" + ?3" : "\"value\""
        )
        let arguments: [DatabaseValue] = [
            .integer(Int64(found.number)), .integer(offset), shift, .integer(Int64(captured.number)),
        ]
        func copy(_ table: String, _ owner: SQL, _ columns: SQL, _ values: SQL) throws {
            try record.run(
                """
                INSERT OR REPLACE INTO \(name: table) ("tbl", \(owner), \(columns)) \
                SELECT ?1, \(owner) + ?2, \(values) FROM \(name: table) \
                WHERE "tbl" = ?4\(isMoved(owner))
                """, arguments)
            try record.run(
                "DELETE FROM \(name: table) WHERE \"tbl\" = ?\(isMoved(owner))", [.integer(Int64(captured.number))])
        }
        try copy(CaptureNames.marks, "\"row\"", "\"part\", \"mask\"", "\(part), \"mask\"")
        let entry: SQL = "\"position\", \"id\", \"place\", \"changed\""
        try copy(CaptureNames.places, "\"owner\"", entry, entry)
        let ended: SQL = "\"id\", \"place\", \"position\""
        try copy(CaptureNames.gone, "\"owner\"", "\(ended), \"value\"", "\(ended), \(value)")
    }

    /// Adds the offset to the ids of moved rows that are elements of other classes' collections.
    private func shiftElements(of table: String, _ column: String) throws {
        guard offset != 0, let captured = try record.table(table), Naming.folded(column) != ChildTable.ownerColumn
        else {
            return
        }
        let arguments: [DatabaseValue] = [.integer(offset), .integer(Int64(captured.number))]
        if captured.kind == .set {
            // A negative number keeps the marks apart from those that are not shifted yet.
            try record.run(
                "UPDATE \(name: CaptureNames.marks) SET \"tbl\" = -\"tbl\", \"part\" = \"part\" + ? WHERE \"tbl\" = ?",
                arguments)
            try record.run(
                "UPDATE \(name: CaptureNames.marks) SET \"tbl\" = -\"tbl\" WHERE \"tbl\" = ?",
                [.integer(-Int64(captured.number))])
        }
        try record.run(
            "UPDATE \(name: CaptureNames.gone) SET \"value\" = \"value\" + ? WHERE \"tbl\" = ?", arguments)
    }
}
