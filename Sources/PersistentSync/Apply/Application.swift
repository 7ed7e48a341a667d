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
    /// What the rows show.
    private(set) var visibility: Visibility
    private(set) var changed = ChangedObjects()

    init(
        _ replica: Replica<Rules>, _ changes: RemoteChanges, _ objects: FileObjects, _ captured: CapturedChanges,
        shown: Visibility?, withheld: Set<ObjectKey>
    ) {
        visibility = shown ?? Visibility()
        (self.replica, self.changes, self.objects) = (replica, changes, objects)
        (self.captured, self.withheld) = (captured, withheld)
    }

    /// Writes the rows of all objects that show something else than before.
    ///
    /// - Parameters:
    ///   - old: The replica, without its objects, of which the rows show the states; nil to compare all rows.
    ///   - absorbed: The objects that the user changed.
    mutating func run(since old: Replica<Rules>?, absorbed: Set<ObjectKey>) throws {
        var keys = absorbed.union(withheld)
        if let old, withheld.isEmpty, let states = replica.changes(since: old) {
            if visibility.update(states, classes: replica.classes) {
                keys.formUnion(states.keys)
                let rejected = try write(keys.sorted())
                if rejected.isEmpty { return }
                withheld = rejected
            }
        } else {
            withheld = []
        }
        let before = visibility
        while true {
            visibility = replica.visibility(without: withheld)
            visibility.addDifferences(from: before, to: &keys)
            if let old, old.device == replica.device {
                replica.objects.forEach(touchedAfter: old.number) { keys.insert($0) }
            } else {
                // The numbers of a device that was reset begin again.
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

        mutating func add(
            _ operation: ChangedRow.Operation, _ key: ObjectKey, _ type: RowShape, _ id: Int64,
            _ values: [(column: String, value: DatabaseValue)]
        ) {
            rows.append(RemoteChanges.Row(operation, type.shape.table, id, values))
            keys.append(key)
        }
    }

    private mutating func write(_ keys: [ObjectKey]) throws -> Set<ObjectKey> {
        var written = Written()
        var inserted: [(key: ObjectKey, type: RowShape)] = []
        var kept: [(key: ObjectKey, type: RowShape, id: Int64)] = []
        for key in keys {
            guard let type = objects.types[key.type] else { continue }
            let id = try objects.id(of: key)
            switch (id, visibility.shown.contains(key)) {
            case (nil, false): break
            case (let id?, false):
                written.add(.delete, key, type, id, [])
                objects.assign(nil, to: key)
                for collection in type.shape.collections where collection.style == .array {
                    try captured.setEntries([], of: id, in: collection.table)
                }
            case (nil, true): inserted.append((key, type))
            case (let id?, true): kept.append((key, type, id))
            }
        }
        // All objects have ids before any reference is written.
        var counts: [String: Int] = [:]
        for (_, type) in inserted { counts[type.shape.table, default: 0] += 1 }
        var next: [String: Int64] = [:]
        for (table, count) in counts.sorted(by: { $0.key < $1.key }) {
            next[table] = try changes.connection.reserveIDs(count, in: table)
        }
        for (key, type) in inserted {
            guard let id = next[type.shape.table] else { continue }
            objects.assign(id, to: key)
            next[type.shape.table] = id + 1
        }
        var unstorable: Set<ObjectKey> = []
        for (key, type) in inserted where try !canInsert(key, type) { unstorable.insert(key) }
        for (key, type, id) in kept {
            let values = try updatedValues(key, type, id)
            if !values.isEmpty { written.add(.update, key, type, id, values) }
        }
        guard unstorable.isEmpty else {
            for (key, _) in inserted { objects.assign(nil, to: key) }
            for (place, row) in written.rows.enumerated() where row.operation == .delete {
                objects.assign(row.id, to: written.keys[place])
            }
            return unstorable
        }
        // Rows without elements are inserted last, in parts, whose values need little memory.
        var arrays: [ShownArray] = []
        for part in inserted where !part.type.shape.collections.isEmpty {
            guard let id = try objects.id(of: part.key) else { continue }
            kept.append((part.key, part.type, id))
            try written.add(.insert, part.key, part.type, id, insertedValues(part.key, part.type))
        }
        for (key, type, id) in kept where !type.shape.collections.isEmpty {
            let row = row(of: key)
            for collection in type.shape.collections {
                let part = try ShownCollection(collection, id, objects, replica.objects[key], row)
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
        var rejected = Set(places.map { written.keys[$0] })
        report(written, rejected)
        var rest = inserted[...]
        while !rest.isEmpty {
            var part = Written()
            for (key, type) in rest.prefix(Self.largestPart) where type.shape.collections.isEmpty {
                guard let id = try objects.id(of: key) else { continue }
                try part.add(.insert, key, type, id, insertedValues(key, type))
            }
            rest = rest.dropFirst(Self.largestPart)
            let places = try changes.write(part.rows, [])
            let lost = Set(places.map { part.keys[$0] })
            report(part, lost)
            rejected.formUnion(lost)
        }
        for key in rejected { objects.assign(nil, to: key) }
        return rejected
    }

    /// The greatest number of rows that are inserted at once.
    private static var largestPart: Int { 4000 }

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

    /// What is shown of an object; nil if it is not shown.
    private func row(of key: ObjectKey) -> NamedValues<ShownValue>? {
        guard visibility.shown.contains(key), let object = replica.objects[key], let shape = replica.classes[key.type]
        else { return nil }
        return visibility.row(of: key, object, shape).values
    }

    /// Whether the columns of a new row can store the values that they need.
    private func canInsert(_ key: ObjectKey, _ type: RowShape) throws -> Bool {
        guard !type.necessary.isEmpty else { return true }
        let row = row(of: key)
        return try type.necessary.allSatisfy { place in
            guard case .value(let value)? = row?[type.names[place]] else { return true }
            return try objects.stored(value, of: type.shape.fields[place]) != nil
        }
    }

    /// All columns of a new row.
    private func insertedValues(
        _ key: ObjectKey, _ type: RowShape
    ) throws -> [(column: String, value: DatabaseValue)] {
        var values: [(column: String, value: DatabaseValue)] = [("key", key.key.stored)]
        values.reserveCapacity(type.names.count + 2)
        if type.shape.hasClassColumn { values.append(("class", .text(type.shape.name))) }
        guard let row = row(of: key) else { return values }
        for (place, name) in type.names.enumerated() {
            guard case .value(let value)? = row[name] else { continue }
            let field = type.shape.fields[place]
            // A value that the column cannot store is kept in the state.
            values.append((field.column, try objects.stored(value, of: field) ?? field.initial))
        }
        return values
    }

    /// The columns of a row that show something else than they should.
    private func updatedValues(
        _ key: ObjectKey, _ type: RowShape, _ id: Int64
    ) throws -> [(column: String, value: DatabaseValue)] {
        guard let sql = type.select, let state = replica.objects[key], let shown = row(of: key),
            let row = try objects.connection.rows(sql, [.integer(id)]).first
        else { return [] }
        var values: [(column: String, value: DatabaseValue)] = []
        for (place, old) in row.enumerated() {
            let (name, field) = (type.names[place], type.shape.fields[place])
            // The initial value of a property that no author had is the program's, not the states'.
            guard state.has(name), case .value(let value)? = shown[name] else { continue }
            // A value that the column cannot store is kept in the state, and the old one is shown.
            if let stored = try objects.stored(value, of: field), stored != old {
                values.append((field.column, stored))
            }
        }
        return values
    }
}

extension ObjectState {
    /// Whether any device wrote the property.
    func has(_ property: Text) -> Bool {
        properties.contains(property)
            || hasRareParts
                && (counters[property] != nil || maxima[property] != nil || minima[property] != nil)
    }
}

extension Replica {
    /// What the tables contain if some objects cannot be shown.
    func visibility(without withheld: Set<ObjectKey>) -> Visibility {
        guard !withheld.isEmpty else { return visibility }
        return Visibility(of: objects, classes: classes) { !withheld.contains($0) && isHere($0, $1) }
    }
}
