// Apply: makes the rows of a file what the states show. It knows states and rows, and must not know batches.

internal import PersistentObjects
internal import StoreEngine

/// Writes what is shown of objects into the rows of a file.
struct Application<Rules: SyncRules> {
    let changes: RemoteChanges
    let objects: FileObjects
    let captured: CapturedChanges
    let replica: Replica<Rules>
    /// The objects that are not shown, because a row of another object has a unique value in a form that states do not
    /// compare.
    private(set) var withheld: Set<ObjectKey>
    private(set) var presentation = Presentation()
    private(set) var changed = ChangedObjects()

    init(
        _ replica: Replica<Rules>, _ changes: RemoteChanges, _ objects: FileObjects, _ captured: CapturedChanges,
        withheld: Set<ObjectKey>
    ) {
        (self.replica, self.changes, self.objects) = (replica, changes, objects)
        (self.captured, self.withheld) = (captured, withheld)
    }

    /// Writes the rows of all objects that show something else than before.
    ///
    /// - Parameters:
    ///   - before: What the rows showed, of which states; nil to compare all rows.
    ///   - absorbed: The objects that the user changed.
    mutating func run(before: (shown: Presentation, replica: Replica<Rules>)?, absorbed: Set<ObjectKey>) throws {
        var keys = absorbed.union(withheld)
        if let before, withheld.isEmpty, let states = replica.changes(since: before.replica) {
            presentation = before.shown
            if presentation.update(states, classes: replica.classes) {
                keys.formUnion(states.keys)
                let rejected = try write(keys.sorted())
                if rejected.isEmpty { return }
                withheld = rejected
            }
        } else {
            withheld = []
        }
        while true {
            presentation = replica.presentation(without: withheld)
            if let before {
                keys.formUnion(presentation.differences(from: before.shown))
            } else {
                keys.formUnion(replica.objects.keys)
            }
            keys.formUnion(withheld)
            let rejected = try write(keys.sorted())
            if rejected.isEmpty { return }
            withheld.formUnion(rejected)
        }
    }

    private struct Written {
        var rows: [RemoteChanges.Row] = []
        /// The object of each row.
        var keys: [ObjectKey] = []
        var elements: [RemoteChanges.Elements] = []
        var updated: Set<ObjectKey> = []
    }

    private mutating func write(_ keys: [ObjectKey]) throws -> Set<ObjectKey> {
        var written = Written()
        var inserted: [(key: ObjectKey, shape: SyncedShape)] = []
        var kept: [(key: ObjectKey, shape: SyncedShape, id: Int64)] = []
        for key in keys {
            guard let shape = objects.shape[key.type.string] else { continue }
            let id = try objects.id(of: key)
            switch (id, presentation.rows[key]) {
            case (nil, nil): break
            case (let id?, nil):
                written.rows.append(RemoteChanges.Row(.delete, shape.table, id))
                written.keys.append(key)
                objects.assign(nil, to: key)
                for collection in shape.collections where collection.style == .array {
                    try captured.setEntries([], of: id, in: collection.table)
                }
            case (nil, _?): inserted.append((key, shape))
            case (let id?, _?): kept.append((key, shape, id))
            }
        }
        // All objects have ids before any reference is written.
        for (table, parts) in Dictionary(grouping: inserted, by: \.shape.table).sorted(by: { $0.key < $1.key }) {
            var id = try changes.connection.reserveIDs(parts.count, in: table)
            for part in parts {
                objects.assign(id, to: part.key)
                id += 1
            }
        }
        var unstorable: Set<ObjectKey> = []
        for (key, shape) in inserted {
            guard let id = try objects.id(of: key) else { continue }
            guard let values = try insertedValues(key, shape) else {
                unstorable.insert(key)
                continue
            }
            written.rows.append(RemoteChanges.Row(.insert, shape.table, id, values))
            written.keys.append(key)
        }
        for (key, shape, id) in kept {
            let values = try updatedValues(key, shape, id)
            guard !values.isEmpty else { continue }
            written.rows.append(RemoteChanges.Row(.update, shape.table, id, values))
            written.keys.append(key)
        }
        guard unstorable.isEmpty else {
            for (key, _) in inserted { objects.assign(nil, to: key) }
            for (place, row) in written.rows.enumerated() where row.operation == .delete {
                objects.assign(row.id, to: written.keys[place])
            }
            return unstorable
        }
        var arrays: [ShownArray] = []
        for part in inserted {
            if let id = try objects.id(of: part.key) { kept.append((part.key, part.shape, id)) }
        }
        for (key, shape, id) in kept {
            for collection in shape.collections {
                let part = try ShownCollection(collection, id, objects, replica.objects[key], presentation.rows[key])
                guard let part else { continue }
                if let elements = part.changes {
                    written.elements.append(elements)
                    written.updated.insert(key)
                }
                if let array = part.array { arrays.append(array) }
            }
        }
        let places = try changes.write(written.rows, written.elements)
        for array in arrays { try array.saveEntries(captured) }
        let rejected = Set(places.map { written.keys[$0] })
        for key in rejected { objects.assign(nil, to: key) }
        report(written, rejected)
        return rejected
    }

    private mutating func report(_ written: Written, _ rejected: Set<ObjectKey>) {
        var reported: Set<ObjectKey> = []
        for (row, key) in zip(written.rows, written.keys) where !rejected.contains(key) {
            reported.insert(key)
            switch row.operation {
            case .insert: changed.inserted[key.type.string, default: []].append(row.id)
            case .update: changed.updated[key.type.string, default: []].append(row.id)
            case .delete: changed.deleted[key.type.string, default: []].append(row.id)
            }
        }
        for key in written.updated.subtracting(reported).sorted() {
            guard let id = (try? objects.id(of: key)) ?? nil else { continue }
            changed.updated[key.type.string, default: []].append(id)
        }
    }

    // MARK: Values

    /// All columns of a new row; nil if a required value cannot be stored.
    private func insertedValues(
        _ key: ObjectKey, _ shape: SyncedShape
    ) throws -> [(column: String, value: DatabaseValue)]? {
        var values: [(column: String, value: DatabaseValue)] = [("key", key.key.stored)]
        if shape.hasClassColumn { values.append(("class", .text(shape.name))) }
        for field in shape.fields {
            guard case .value(let value)? = presentation.rows[key]?[Text(field.name)] else { continue }
            if let stored = try objects.stored(value, of: field) {
                values.append((field.column, stored))
            } else if field.initial != .null || field.acceptsNull {
                values.append((field.column, field.initial))
            } else {
                return nil
            }
        }
        return values
    }

    /// The columns of a row that show something else than they should.
    private func updatedValues(
        _ key: ObjectKey, _ shape: SyncedShape, _ id: Int64
    ) throws -> [(column: String, value: DatabaseValue)] {
        guard !shape.fields.isEmpty, let state = replica.objects[key] else { return [] }
        let sql: SQL = "SELECT \(names: shape.fields.map(\.column)) FROM \(name: shape.table) WHERE \"id\" = ?"
        guard let row = try objects.connection.rows(sql, [.integer(id)]).first else { return [] }
        var values: [(column: String, value: DatabaseValue)] = []
        for (field, old) in zip(shape.fields, row) {
            let name = Text(field.name)
            // The initial value of a property that no author had is the program's, not the states'.
            guard state.has(name), case .value(let value)? = presentation.rows[key]?[name] else { continue }
            // A value that the column cannot store is kept in the state, and the old one is shown.
            if let stored = try objects.stored(value, of: field), stored != old {
                values.append((field.column, stored))
            }
        }
        return values
    }
}

extension Presentation {
    /// The objects that show something else, or are shown only once.
    fileprivate func differences(from other: Presentation) -> Set<ObjectKey> {
        var keys = Set(other.rows.keys.filter { rows[$0] == nil })
        for (key, row) in rows where other.rows[key] != row { keys.insert(key) }
        return keys
    }
}

extension ObjectState {
    /// Whether any device wrote the property.
    func has(_ property: Text) -> Bool {
        properties[property] != nil || counters[property] != nil || maxima[property] != nil || minima[property] != nil
    }
}

extension Replica {
    /// The states of the objects that changed since an earlier state of the replica; nil if its groups changed. An
    /// object that is in no group of the device has no state.
    func changes(
        since old: Replica
    ) -> [ObjectKey: (before: ObjectState?, now: ObjectState?)]? {
        guard device == old.device, groups.keys == old.groups.keys else { return nil }
        var changes: [ObjectKey: (before: ObjectState?, now: ObjectState?)] = [:]
        for (key, number) in touched where number > old.number {
            changes[key] = (old.objects[key], isHere(key) ? objects[key] : nil)
        }
        if objects.count != old.objects.count + changes.values.count(where: { $0.before == nil }) {
            for key in old.objects.keys where objects[key] == nil { changes[key] = (old.objects[key], nil) }
        }
        return changes
    }

    /// What the tables contain if some objects cannot be shown.
    func presentation(without withheld: Set<ObjectKey>) -> Presentation {
        guard !withheld.isEmpty else { return presentation }
        return Presentation(
            of: objects.filter { isHere($0.key) && !withheld.contains($0.key) }, classes: classes)
    }
}
