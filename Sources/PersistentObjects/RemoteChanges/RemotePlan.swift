internal import StoreEngine

/// Rows and elements to write, with all that follows from the deletions.
struct RemotePlan {
    private(set) var rows: [RemoteChanges.Row]
    private(set) var elements: [RemoteChanges.Elements]

    init(_ rows: [RemoteChanges.Row], _ elements: [RemoteChanges.Elements]) {
        (self.rows, self.elements) = (rows, elements)
    }

    var isEmpty: Bool { rows.isEmpty && elements.isEmpty }

    /// The ids of the rows by table; for a collection's table, the ids of the owners.
    var ids: [String: Set<Int64>] {
        var ids: [String: Set<Int64>] = [:]
        for row in rows { ids[row.table, default: []].insert(row.id) }
        for part in elements { ids[part.table, default: []].insert(part.owner) }
        return ids
    }

    /// The changes as they are announced.
    var changedRows: [ChangedRow] {
        rows.map { row in
            ChangedRow(
                table: row.table, operation: row.operation, key: row.id,
                columns: row.operation == .update ? row.values.map(\.column) : [])
        } + elements.map { ChangedRow(table: $0.table, operation: .update, key: $0.owner) }
    }

    private struct Place: Hashable {
        let table: String
        let id: Int64
    }

    /// Adds the changes of all rows that refer to deleted rows: foreign keys do not act.
    mutating func clearReferences(_ connection: any Connection) throws {
        var places: [Place: Int] = [:]
        for (index, row) in rows.enumerated() { places[Place(table: Naming.folded(row.table), id: row.id)] = index }
        var waiting = Dictionary(grouping: rows.filter { $0.operation == .delete }, by: \.table).mapValues {
            Set($0.map(\.id))
        }
        while let (table, ids) = waiting.popFirst() {
            for reference in try connection.schema.references(to: table) where reference.isToID {
                guard let found = try connection.schema.table(reference.table) else { continue }
                if let triggers = ElementTriggers(found, owner: table) {
                    try removeElements(triggers, reference.column, ids, connection)
                    continue
                }
                let isNotNull = found.columns.first { $0.name == reference.column }?.isNotNull ?? false
                let sql: SQL = """
                    SELECT "id" FROM \(name: reference.table) WHERE \(name: reference.column) \
                    IN (SELECT value FROM json_each(?))
                    """
                for id in try connection.integers(sql, ids) {
                    if let index = places[Place(table: Naming.folded(reference.table), id: id)] {
                        let isCleared =
                            rows[index].operation == .delete
                            || rows[index].values.contains {
                                Naming.folded($0.column) == Naming.folded(reference.column)
                            }
                        if !isCleared { rows[index].values.append((reference.column, .null)) }
                        continue
                    }
                    places[Place(table: Naming.folded(reference.table), id: id)] = rows.count
                    if isNotNull {
                        rows.append(RemoteChanges.Row(.delete, reference.table, id))
                        waiting[reference.table, default: []].insert(id)
                    } else {
                        rows.append(RemoteChanges.Row(.update, reference.table, id, [(reference.column, .null)]))
                    }
                }
            }
        }
    }

    private mutating func removeElements(
        _ triggers: ElementTriggers, _ column: String, _ ids: Set<Int64>, _ connection: any Connection
    ) throws {
        let place = triggers.key?.name ?? triggers.value.name
        let sql: SQL = """
            SELECT \(name: ChildTable.ownerColumn), \(name: place) FROM \(name: triggers.table) \
            WHERE \(name: column) IN (SELECT value FROM json_each(?))
            """
        var removed: [Int64: [DatabaseValue]] = [:]
        try connection.forEachRow(sql, ids) { owner, values in removed[owner, default: []] += values }
        for owner in removed.keys.sorted() {
            let values = removed[owner, default: []]
            elements.append(
                RemoteChanges.Elements(triggers.table, owner, columns: [place], removed: values, added: []))
        }
    }
}
