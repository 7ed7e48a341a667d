internal import StoreEngine

/// The steps that move rows. When they run, tables have their new names, and columns have their old names.
struct MoveSteps {
    private let move: TableMove
    private let context: PlanContext
    private let source: String
    private let target: String
    private var dialect: Dialect { context.dialect }

    init(_ move: TableMove, _ context: PlanContext) {
        self.move = move
        self.context = context
        source = context.finalName(move.source.name)
        target = context.finalName(move.target)
    }

    func change() throws -> SchemaPlan.Change {
        var steps = SchemaSteps()
        checkKept(&steps)
        for table in move.emptied { steps.dropTable(context.finalName(table)) }
        makeTarget(&steps)
        let key = map.keyOrdinal.map { map.properties[$0].name }
        fillKeys(of: move.columns.filter { $0.property == key }.compactMap(\.source), in: source, &steps)
        let rows = RowMove(move, from: source, to: target, moved)
        steps.add(rows.statement.text + " -- each row of \"\(source)\", with an id after those of \"\(target)\"") {
            try rows.run($0)
        }
        fillKeys(of: move.columns.filter(\.isNewKey).map(\.target), in: target, &steps)
        for reference in move.references where !reference.isCollection { follow(reference, &steps) }
        for reference in move.references where reference.isCollection { rebuild(reference, &steps) }
        for column in move.columns where column.isToMoved { connect(column, &steps) }
        for collection in move.collections { copy(collection, &steps) }
        if try context.inspector.table(HistoryNames.elements) != nil {
            steps.add(MovedHistory(move, from: source, to: target, moved, dialect, context.finalName).steps)
        }
        if try context.inspector.definition(of: CaptureNames.tables) != nil {
            steps.add(MovedCapture.steps(move, from: source, to: target, moved, context.finalName))
        }
        if move.isWhole { dropSource(&steps) } else { deleteRows(&steps) }
        record(&steps)
        return SchemaPlan.Change(
            "moves the rows of \(map.name) from table \"\(source)\" to \"\(target)\"", .moves, className: map.name,
            rowsOf: move.source.name, steps)
    }

    private var map: ClassMap { move.map }

    /// The condition of the moved rows; empty for all.
    private var moved: SQL {
        guard !move.isWhole else { return "" }
        let names = move.classNames.compactMap { SQLLiteral(.text($0)) }.map { "\(literal: $0)" as SQL }
        return "\(name: HierarchyPlan.column) IN (\(list: names))"
    }

    /// Adds a statement in which `?1` is the offset added to ids.
    private func add(_ sql: SQL, _ steps: inout SchemaSteps) {
        let key = Naming.folded(source)
        steps.add(sql.text) { run in try run.execute(sql, [.integer(run.offsets[key] ?? 0)]) }
    }

    private func reference(to table: String?, _ deletion: SQL.Deletion = .setsNull) -> SQL {
        table.map { .foreignKey(to: context.finalName($0), onDelete: deletion) } ?? ""
    }
}

// Rows.
extension MoveSteps {
    /// Checks that kept references do not refer to moved rows, because they would dangle.
    private func checkKept(_ steps: inout SchemaSteps) {
        for kept in move.kept {
            let table = context.finalName(kept.table)
            let sql: SQL = """
                SELECT \(name: kept.id) FROM \(name: table) WHERE \(name: kept.column) IN \
                (SELECT "id" FROM \(name: source) WHERE \(moved)) ORDER BY 1 LIMIT 10
                """
            steps.add(sql.text) { [name = map.name, source] run in
                let ids = try run.ids(sql)
                guard ids.isEmpty else {
                    throw SchemaError.notMovable(
                        className: name, table: source,
                        reason: "\(kept.className).\(kept.property) refers to them in \(SchemaError.rows(ids)), and "
                            + "cannot refer to rows of another table. Declare it with the type \(name), or set it to "
                            + "nil there with the former version")
                }
            }
        }
    }

    private func makeTarget(_ steps: inout SchemaSteps) {
        var definitions: [SQL] = []
        if let literal = move.classDefault, !move.targetStoresClass {
            definitions.append(
                "\(name: HierarchyPlan.column) \(dialect.declaredType(.text)) NOT NULL DEFAULT \(literal: literal)")
        }
        for column in move.columns {
            guard let new = column.new else { continue }
            definitions.append(
                "\(name: column.target) \(dialect.declaredType(new.type))\(reference(to: new.reference))")
        }
        if move.found == nil {
            let id: SQL = "\"id\" \(dialect.idColumn)"
            steps.add("CREATE TABLE \(name: target) (\(list: [id] + definitions))\(dialect.tableOptions)")
        } else {
            for definition in definitions { steps.add("ALTER TABLE \(name: target) ADD COLUMN \(definition)") }
        }
    }

    /// Generates keys for rows without a key.
    private func fillKeys(of columns: [String], in table: String, _ steps: inout SchemaSteps) {
        guard let ordinal = map.keyOrdinal else { return }
        let present = map.properties[ordinal].codec.logicalType
        for column in columns {
            let found = move.source.column(column)?.type
            let type = LogicalType.allCases.first { dialect.declaredType($0).text == found } ?? present
            steps.add(
                """
                UPDATE \(name: table) SET \(name: column) = \(dialect.randomKey(type)) WHERE \(name: column) IS NULL
                """)
        }
    }

    /// Writes references among moved rows, after all rows have been moved.
    private func connect(_ column: TableMove.Column, _ steps: inout SchemaSteps) {
        guard let from = column.source else { return }
        let offset: SQL = "\(placeholder: 1)"
        let ids: SQL = "SELECT \"id\" + \(offset) FROM \(name: source) WHERE \(name: from) IS NOT NULL"
        let condition: SQL = moved.isEmpty ? "" : " AND \(moved)"
        add(
            """
            UPDATE \(name: target) SET \(name: column.target) = (SELECT \(column: from, of: source) + \(offset) \
            FROM \(name: source) WHERE \(column: "id", of: source) = \(column: "id", of: target) - \(offset)) \
            WHERE "id" IN (\(ids)\(condition))
            """, &steps)
    }

    /// Drops the source; no table refers to it any more.
    private func dropSource(_ steps: inout SchemaSteps) {
        let source = source
        let index = SearchIndex.name(for: source)
        let search = dialect.search
        steps.add("-- drops the search index of \"\(source)\"") { run in
            guard let text = try run.connection.schema.definition(of: index), search.isDefinition(text, index) else {
                return
            }
            try run.connection.execute("DROP TABLE \(name: index)")
        }
        steps.dropTable(source)
    }

    private func deleteRows(_ steps: inout SchemaSteps) {
        for collection in move.collections {
            steps.add(
                """
                DELETE FROM \(name: context.finalName(collection.source.name)) WHERE \(name: ChildTable.ownerColumn) IN \
                (SELECT "id" FROM \(name: target))
                """)
        }
        steps.add("DELETE FROM \(name: source) WHERE \(moved)")
    }

    /// Records the table of the moved classes, so that it is also known for classes that this process has not seen.
    private func record(_ steps: inout SchemaSteps) {
        let (names, target) = (move.classNames, target)
        steps.add("-- records the table of \(Set(names).sortedUnspecialized().joined(separator: ", "))") { run in
            try FileRecordWriter.move(names, to: target, run.connection)
        }
    }
}

// References to the rows.
extension MoveSteps {
    /// Replaces the column of a reference with a new column, because a foreign key cannot be changed.
    private func follow(_ reference: TableMove.Reference, _ steps: inout SchemaSteps) {
        let table = context.finalName(reference.table.name)
        let (column, new) = (reference.column, "po_new_" + reference.column)
        let indexes = IndexKeeper(table, column: column)
        steps.add(
            """
            ALTER TABLE \(name: table) ADD COLUMN \(name: new) \(dialect.declaredType(.integer))\
            \(self.reference(to: move.target, reference.deletion))
            """)
        add(
            """
            UPDATE \(name: table) SET \(name: new) = \(name: column) + \(placeholder: 1) \
            WHERE \(name: column) IS NOT NULL
            """, &steps)
        steps.add("-- drops the indexes on \"\(table)\".\"\(column)\"") { try indexes.drop($0) }
        steps.add("ALTER TABLE \(name: table) DROP COLUMN \(name: column)")
        steps.add("ALTER TABLE \(name: table) RENAME COLUMN \(name: new) TO \(name: column)")
        steps.add("-- recreates the indexes on \"\(table)\".\"\(column)\"") { try indexes.restore($0) }
    }

    /// Recreates a collection's table, because a column of its primary key cannot be replaced.
    private func rebuild(_ reference: TableMove.Reference, _ steps: inout SchemaSteps) {
        let table = context.finalName(reference.table.name)
        let new = "po_new_" + table
        let indexes = IndexKeeper(table, column: nil)
        var keys = reference.foreignKeys
        keys[Naming.folded(reference.column)] = move.target
        steps.add(definition(new, of: reference.table, keys))
        let columns = reference.table.columns.map(\.name)
        let values = columns.map { column -> SQL in
            column == reference.column ? "\(name: column) + \(placeholder: 1)" : "\(name: column)"
        }
        add("INSERT INTO \(name: new) (\(names: columns)) SELECT \(list: values) FROM \(name: table)", &steps)
        steps.add("-- drops the indexes of \"\(table)\"") { try indexes.drop($0) }
        steps.dropTable(table)
        steps.renameTable(new, to: table)
        steps.add("-- recreates the indexes of \"\(table)\"") { try indexes.restore($0) }
    }

    /// Copies the elements of moved owners.
    private func copy(_ collection: TableMove.Collection, _ steps: inout SchemaSteps) {
        let from = context.finalName(collection.source.name)
        let to = collection.isNew ? collection.target : context.finalName(collection.target)
        if collection.isNew {
            var keys = [ChildTable.ownerColumn: move.target]
            if let table = collection.valueTable, let shape = FoundCollection(collection.source) {
                keys[Naming.folded(shape.value.name)] = table
            }
            steps.add(definition(to, of: collection.source, keys))
        }
        let columns = collection.source.columns.map(\.name)
        let values = columns.map { column -> SQL in
            let grows = column == collection.movedValue || Naming.folded(column) == ChildTable.ownerColumn
            return grows ? "\(name: column) + \(placeholder: 1)" : "\(name: column)"
        }
        let condition: SQL =
            move.isWhole
            ? "" : " WHERE \(name: ChildTable.ownerColumn) IN (SELECT \"id\" FROM \(name: target))"
        add("INSERT INTO \(name: to) (\(names: columns)) SELECT \(list: values) FROM \(name: from)\(condition)", &steps)
        if move.isWhole { steps.dropTable(from) }
    }

    /// The definition of a collection's table with the columns of another table and other foreign keys.
    private func definition(_ name: String, of table: TableDescription, _ keys: [String: String]) -> SQL {
        let columns = table.columns.map { column -> SQL in
            let type = LogicalType.allCases.first { dialect.declaredType($0).text == column.type } ?? .any
            let null: SQL = column.isNotNull ? " NOT NULL" : ""
            let key = reference(to: keys[Naming.folded(column.name)], .cascades)
            return "\(name: column.name) \(dialect.declaredType(type))\(null)\(key)"
        }
        let primaryKey = table.columns.filter { $0.keyOrdinal > 0 }.sortedUnspecialized {
            $0.keyOrdinal < $1.keyOrdinal
        }.map(
            \.name)
        return """
            CREATE TABLE \(name: name) (\(list: columns), PRIMARY KEY (\(names: primaryKey)))\(dialect.keyedTableOptions)
            """
    }
}

/// Temporarily drops the indexes on one column, or all indexes of a table.
///
/// Used by a single run, one step after the other.
private struct IndexKeeper: Sendable {
    private let table: String
    private let column: String?

    init(_ table: String, column: String?) {
        self.table = table
        self.column = column
    }

    func drop(_ run: SchemaRun) throws {
        let indexes = try run.connection.schema.indexes(of: table).filter { index in
            guard let column else { return true }
            return index.columns.contains { Naming.folded($0 ?? "") == Naming.folded(column) }
        }
        run.keptIndexes = indexes.compactMap(\.sql)
        for index in indexes where index.sql != nil { try run.connection.execute("DROP INDEX \(name: index.name)") }
    }

    func restore(_ run: SchemaRun) throws {
        for text in run.keptIndexes { try run.connection.execute(SQL(RawSQL(text))) }
        run.keptIndexes = []
    }
}
