internal import StoreEngine

/// Captures the changes of rows that change while the triggers are off, for sync.
struct CapturedRows {
    private struct Rows {
        let table: String
        let captured: CapturedTable
        /// The columns with numbers.
        let columns: [String]
        let ids: Set<Int64>
        let before: [Int64: [DatabaseValue]]
    }

    private struct Elements {
        let triggers: ElementTriggers
        let captured: CapturedTable
        let owners: Set<Int64>
        let before: [Int64: PastElements]
    }

    private var rows: [Rows] = []
    private var collections: [Elements] = []
    private let connection: any Connection
    private let record: CaptureRecord

    /// - Parameters:
    ///   - rows: The ids of the rows that will change, by table; for a collection's table, the ids of the owners.
    ///   - triggers: The triggers of these tables.
    init(
        _ rows: [String: Set<Int64>], _ triggers: [String: [TriggerDescription]], _ connection: any Connection
    ) throws {
        self.connection = connection
        record = CaptureRecord(connection)
        let inspector = SchemaInspector(connection)
        for (table, ids) in rows.sortedUnspecialized(by: { $0.key < $1.key }) {
            // Without the triggers the class is not synced any more.
            guard triggers[table, default: []].contains(where: { CaptureTriggers.table(ofTrigger: $0.name) != nil }),
                let found = try inspector.table(table), let captured = try record.table(found.name)
            else { continue }
            if captured.kind == .rows {
                let columns = HistoryTriggers.columns(found.columns).map(\.name).filter { captured[$0] != nil }
                self.rows.append(
                    Rows(
                        table: found.name, captured: captured, columns: columns, ids: ids,
                        before: try HistoryRows.read(ids, columns, found.name, connection)))
            } else if let owner = try inspector.foreignKeys(of: found.name)[ChildTable.ownerColumn],
                let name = try inspector.table(owner)?.name, let triggers = ElementTriggers(found, owner: name)
            {
                collections.append(
                    Elements(
                        triggers: triggers, captured: captured, owners: ids,
                        before: try PastElements.read(triggers, ids, connection)))
            }
        }
    }

    /// Marks the rows and elements that changed.
    func add() throws {
        for part in rows { try add(part) }
        for part in collections { try add(part) }
    }

    private func add(_ part: Rows) throws {
        let after = try HistoryRows.read(part.ids, part.columns, part.table, connection)
        let key = part.columns.firstIndex { Naming.folded($0) == Property.keyName }
        for id in part.ids.sorted() {
            switch (part.before[id], after[id]) {
            case (nil, nil): break
            case (nil, _?): try mark(part.captured, id, .integer(0), CapturedTable.inserted)
            case (let old?, nil):
                try mark(part.captured, id, .integer(0), CapturedTable.deleted, key: key.map { old[$0] } ?? .null)
            case (let old?, let new?): try add(part, id, old, new)
            }
        }
    }

    private func add(_ part: Rows, _ id: Int64, _ old: [DatabaseValue], _ new: [DatabaseValue]) throws {
        var masks: [Int: Int64] = [:]
        for (place, name) in part.columns.enumerated() where old[place] != new[place] {
            guard let column = part.captured[name] else { continue }
            masks[CapturedTable.part(column.number), default: 0] |= CapturedTable.bit(column.number)
            guard column.mergeRule == .counter else { continue }
            try record.run(
                """
                INSERT INTO \(name: CaptureNames.counts) ("tbl", "row", "column", "amount") \
                VALUES (?, ?, ?, coalesce(?, 0) - coalesce(?, 0)) \(CaptureTriggers.addingAmount)
                """,
                [
                    .integer(Int64(part.captured.number)), .integer(id), .integer(Int64(column.number)), new[place],
                    old[place],
                ])
        }
        for (number, mask) in masks { try mark(part.captured, id, .integer(Int64(number)), mask) }
    }

    private func mark(
        _ table: CapturedTable, _ row: Int64, _ part: DatabaseValue, _ mask: Int64, key: DatabaseValue = .null
    ) throws {
        try record.run(
            """
            INSERT INTO \(name: CaptureNames.marks) ("tbl", "row", "part", "mask", "key") VALUES (?, ?, ?, ?, ?) \
            \(CaptureTriggers.addingMaskAndKey)
            """, [.integer(Int64(table.number)), .integer(row), part, .integer(mask), key])
    }

    // MARK: Elements

    private func add(_ part: Elements) throws {
        let after = try PastElements.read(part.triggers, part.owners, connection)
        // Deleted elements of a deleted owner are not marked.
        let living = try HistoryRows.read(part.owners, ["id"], part.triggers.ownerTable, connection)
        for owner in part.owners.sorted() where living[owner] != nil {
            let (old, new) = (part.before[owner] ?? PastElements(), after[owner] ?? PastElements())
            for change in new.changes(since: old) {
                let mask =
                    switch change.change {
                    case .added: CapturedTable.inserted
                    case .removed: CapturedTable.deleted
                    default: CapturedTable.bit(part.captured[part.triggers.value.name]?.number ?? 0)
                    }
                try mark(part.captured, owner, part.captured.kind == .array ? .integer(0) : change.place, mask)
            }
            guard part.captured.kind == .array, old != new else { continue }
            try CapturedPlaces(part.captured.number, owner, record).follow(from: old, to: new)
        }
    }
}
