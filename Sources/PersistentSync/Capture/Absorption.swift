internal import PersistentObjects
internal import StoreEngine

/// Converts the captured changes of a file to edits of a replica.
struct Absorption<Rules: SyncRules> {
    let objects: FileObjects
    let changes: CapturedChanges
    /// The group of new objects.
    let ownGroup: GroupID
    /// What the rows showed before the changes.
    let shown: Visibility
    var replica: Replica<Rules>
    /// The objects that were changed.
    var absorbed: KeySet = []
    /// The objects with collections of which everything was taken.
    private(set) var whole: Set<ObjectKey> = []
    var random = SystemRandomNumberGenerator()

    init(
        _ replica: Replica<Rules>, _ objects: FileObjects, _ changes: CapturedChanges, _ shown: Visibility,
        ownGroup: GroupID
    ) {
        (self.replica, self.objects, self.changes) = (replica, objects, changes)
        (self.shown, self.ownGroup) = (shown, ownGroup)
    }

    /// Takes all changes: deletions first, because the rows that referred to a deleted object were changed by that.
    ///
    /// - Parameter isFirst: Whether there can be rows of which nothing is known: those of a class that was not synced.
    mutating func run(isFirst: Bool) throws {
        let chosen = try ChosenGroups.all(objects)
        try takeDeletions()
        var kept: [String: Set<Int64>] = [:]
        replica.objects.reserve(more: changes.inserted.values.reduce(0) { $0 + $1.count })
        for table in Set(changes.inserted.keys).union(changes.rows.keys).sorted() {
            func take(_ id: Int64, _ row: CapturedChanges.Row?) throws {
                guard let key = try objects.key(of: id, in: table), let type = objects.types[key.type] else {
                    if try isThere(id, in: table) { kept[table, default: []].insert(id) }
                    return
                }
                let group = chosen[type.shape.name]?[id] ?? group(of: key)
                if let row, !row.isInserted, !row.isDeleted, replica.objects[key]?.isAlive == true {
                    try self.take(row, key, id, type)
                } else {
                    try takeWhole(key, id, type, group)
                }
            }
            for id in (changes.inserted[table] ?? []).sorted() { try take(id, nil) }
            for (id, row) in (changes.rows[table] ?? [:]).sorted(by: { $0.key < $1.key }) { try take(id, row) }
        }
        if isFirst { try takeUnknownRows(chosen) }
        try takeElements()
        guard !absorbed.isEmpty || !chosen.isEmpty else {
            if !changes.isEmpty { try changes.clear(except: kept) }
            return
        }
        replica.followOwners(absorbed)
        var moves: [(key: ObjectKey, group: GroupID)] = []
        for (name, rows) in chosen.sorted(by: { $0.key < $1.key }) {
            for (id, group) in rows.all {
                guard let key = try objects.key(of: id, name), replica.groups[group] != nil else { continue }
                if replica.objects[key]?.group.value != group { moves.append((key, group)) }
                absorbed.insert(key)
            }
        }
        replica.move(moves)
        absorbed.formUnion(replica.returnObjects(absorbed))
        replica.rememberClock()
        try changes.clear(except: kept)
        if !chosen.isEmpty { try ChosenGroups.clear(objects.connection) }
    }

    /// The group of an object for which none was chosen: a deleted object returns to its group.
    private func group(of key: ObjectKey) -> GroupID {
        let former = replica.objects[key]?.group.value ?? replica.forgotten[key]?.group
        return former.flatMap { replica.groups[$0] == nil ? nil : $0 } ?? ownGroup
    }

    private func isThere(_ id: Int64, in table: String) throws -> Bool {
        try !objects.connection.rows("SELECT 1 FROM \(name: table) WHERE \"id\" = ?", [.integer(id)]).isEmpty
    }

    // MARK: Deletions

    private mutating func takeDeletions() throws {
        var deleted: Set<ObjectKey> = []
        for (table, rows) in changes.rows {
            for (id, row) in rows where row.isDeleted {
                guard let stored = row.key, let value = KeyValue(stored), let key = known(value, in: table),
                    try objects.key(of: id, in: table) != key, try objects.id(of: key) == nil
                else { continue }
                deleted.insert(key)
            }
        }
        // Owners come first.
        var (ordered, placed): ([(key: ObjectKey, owner: ObjectKey?)], Set<ObjectKey>) = ([], [])
        func place(_ key: ObjectKey, _ below: Set<ObjectKey>) {
            guard !placed.contains(key), !below.contains(key) else { return }
            let owner = replica.owner(of: key).flatMap { deleted.contains($0) ? $0 : nil }
            if let owner { place(owner, below.union([key])) }
            placed.insert(key)
            ordered.append((key, owner))
        }
        for key in deleted.sorted() { place(key, []) }
        replica.delete(ordered)
        absorbed.formUnion(deleted)
    }

    /// The living object with a key in a table.
    private func known(_ value: KeyValue, in table: String) -> ObjectKey? {
        (objects.classes[table] ?? []).lazy.map { ObjectKey(Text($0.name), value) }.first {
            replica.objects[$0]?.isAlive == true
        }
    }

    // MARK: Rows

    /// Takes the rows of which the replica knows nothing.
    private mutating func takeUnknownRows(_ chosen: [String: ChosenRows]) throws {
        for table in objects.classes.keys.sorted() {
            var ids: [Int64] = []
            try objects.connection.forEachRow(of: "SELECT \"id\" FROM \(name: table) ORDER BY \"id\"") { row in
                if let id = row[0].integer { ids.append(id) }
            }
            for id in ids {
                guard let key = try objects.key(of: id, in: table),
                    let type = objects.types[key.type], replica.objects[key] == nil
                else { continue }
                try takeWhole(key, id, type, chosen[type.shape.name]?[id] ?? ownGroup)
            }
        }
    }

    /// The values of a row, in the order of the fields; nil if there is no row.
    private func values(of id: Int64, _ type: RowShape) throws -> [SyncValue]? {
        guard let sql = type.select, let row = try objects.connection.rows(sql, [.integer(id)]).first
        else { return nil }
        var values: [SyncValue] = []
        values.reserveCapacity(row.count)
        for (index, stored) in row.enumerated() {
            values.append(try objects.value(stored, of: type.shape.fields[index]))
        }
        return values
    }

    /// Takes a new row, or one that was written as a whole.
    private mutating func takeWhole(_ key: ObjectKey, _ id: Int64, _ type: RowShape, _ group: GroupID) throws {
        let values = try values(of: id, type)
        if let object = replica.objects[key], object.isAlive {
            // A value that is not shown is not overwritten by what is shown instead.
            var written: [Text: SyncValue] = [:]
            if let values {
                let row =
                    shown.shown.contains(key)
                    ? replica.classes[key.type].map { shown.row(of: key, object, $0).values } : nil
                for (name, place) in zip(type.plainNames, type.plain)
                where values[place] != .null || row?[name] != .value(.null) {
                    written[name] = values[place]
                }
            }
            replica.write(written, of: key)
        } else {
            let plain = values.map { values in
                NamedValues(sorted: type.plainNames, type.plain.map { values[$0] })
            }
            replica.insert(key, named: plain ?? NamedValues(), in: group)
        }
        for place in type.merged {
            let name = type.names[place]
            guard let value = values?[place] else { continue }
            switch type.shape.fields[place].kind {
            case .value: break
            case .counter:
                let total = replica.objects[key]?.scalar(name, .counter)
                let difference = value.adding((total ?? .integer(0)).negated)
                if !difference.isZero { replica.add(difference, to: name, of: key) }
            case .maximum, .minimum: replica.widen(name, of: key, to: value)
            }
        }
        for collection in type.shape.collections { try takeAll(collection, key, id) }
        absorbed.insert(key)
        if !type.shape.collections.isEmpty { whole.insert(key) }
    }

    /// Takes the changed columns of a row.
    private mutating func take(
        _ row: CapturedChanges.Row, _ key: ObjectKey, _ id: Int64, _ type: RowShape
    ) throws {
        let values = try values(of: id, type)
        var written: [Text: SyncValue] = [:]
        for (place, column) in type.columns.enumerated() where row.columns.contains(column) {
            let (name, field) = (type.names[place], type.shape.fields[place])
            guard let value = values?[place] else { continue }
            switch field.kind {
            case .value:
                // The reference was cleared because its target was deleted: the state keeps it.
                if value == .null, let target = replica.objects[key]?.target(of: name),
                    replica.objects[target]?.isAlive != true
                {
                    continue
                }
                written[name] = value
            case .counter:
                let amount = changes.counts[type.shape.table.lowercased()]?[id]?[column]
                if let amount { replica.add(try objects.value(amount, of: field), to: name, of: key) }
            case .maximum, .minimum: replica.widen(name, of: key, to: value)
            }
        }
        replica.write(written, of: key)
        absorbed.insert(key)
    }
}
