// Apply: makes the rows of a file what the states show. It knows states and rows, and must not know batches.

internal import PersistentObjects
internal import StoreEngine

/// Writes what is shown of objects into the rows of a file.
struct Application<Rules: SyncRules> {
    let changes: RemoteChanges
    let objects: FileObjects
    let captured: CapturedChanges
    private let received: ReceivedValues
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
    ) throws {
        received = try ReceivedValues(changes.session)
        visibility = shown ?? Visibility()
        (self.replica, self.changes, self.objects) = (replica, changes, objects)
        (self.captured, self.withheld) = (captured, withheld)
    }

    /// Writes the rows of all objects that show something else than before.
    ///
    /// - Parameters:
    ///   - old: The replica, without its objects, of which the rows show the states; nil to compare all rows.
    ///   - absorbed: The objects that the user changed.
    mutating func run(since old: Replica<Rules>?, absorbed: KeySet) throws {
        var keys = absorbed
        keys.formUnion(withheld)
        if let old, withheld.isEmpty, let states = replica.changes(since: old) {
            if visibility.update(states, classes: replica.classes) {
                keys.formUnion(states.keys)
                let rejected = try write(&keys)
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
            let rejected = try write(&keys)
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

        mutating func add(_ others: Written) {
            rows += others.rows
            keys += others.keys
        }
    }

    /// Writes the rows of objects; returns the objects whose values the tables reject.
    ///
    /// - Parameter keys: The objects. Their set is emptied before rows are inserted, which need memory, too. If values are
    ///   rejected, it then has the objects whose rows the next attempt must compare again.
    private mutating func write(_ keys: inout KeySet) throws -> Set<ObjectKey> {
        var written = Written()
        var updates = Written()
        var inserted: [(type: RowShape, keys: [KeyValue])] = []
        var kept: [(key: ObjectKey, type: RowShape, id: Int64)] = []
        /// Whether an object needs a new row.
        func isNew(_ key: ObjectKey, _ type: RowShape) throws -> Bool {
            let isShown = visibility.shown.contains(key)
            if isShown, type.isPlain {
                // Most of many objects. What such a row shows does not depend on other rows.
                guard let row = try objects.row(of: key, type) else { return true }
                let values = try updatedValues(key, type, row.values)
                if !values.isEmpty { updates.add(.update, key, type, row.id, values) }
                return false
            }
            guard let id = try objects.id(of: key) else { return isShown }
            if isShown {
                kept.append((key, type, id))
            } else {
                written.add(.delete, key, type, id, [])
                objects.unassign(key)
                for collection in type.shape.collections where collection.style == .array {
                    try captured.setEntries([], of: id, in: collection.table)
                }
            }
            return false
        }
        for type in keys.classes.compactMap({ objects.types[$0] }) {
            var new = keys.keys(of: type.type)
            try new.removeAll { try !isNew(ObjectKey(type.type, $0), type) }
            if !new.isEmpty { inserted.append((type, new)) }
        }
        keys = []
        // All objects have ids before any reference is written.
        defer { objects.forgetRows() }
        let new = try newRows(inserted)
        for rows in new { objects.assign(rows) }
        var unstorable: Set<ObjectKey> = []
        for (key, _, type) in new.lazy.joined() where try !canInsert(key, type) { unstorable.insert(key) }
        func keepTried() {
            for tried in [written.keys, updates.keys, kept.map(\.key)] { keys.formUnion(tried) }
            for (key, _, _) in new.lazy.joined() { keys.insert(key) }
        }
        guard unstorable.isEmpty else {
            keepTried()
            return unstorable
        }
        for (key, type, id) in kept {
            let values = try updatedValues(key, type, id)
            if !values.isEmpty { written.add(.update, key, type, id, values) }
        }
        written.add(updates)
        // Rows without elements are inserted last, in parts, whose values need little memory.
        var arrays: [ShownArray] = []
        for (key, id, type) in new.lazy.joined() where !type.shape.collections.isEmpty {
            kept.append((key, type, id))
            try written.add(.insert, key, type, id, insertedValues(key, type))
        }
        for (key, type, id) in kept where !type.shape.collections.isEmpty {
            let row = row(of: key)
            for collection in type.shape.collections {
                let part = try ShownCollection(collection, id, objects, captured, replica.objects[key], row)
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
        var part = Written()
        func writePart() throws {
            let places = try changes.write(part.rows, [])
            let lost = Set(places.map { part.keys[$0] })
            report(part, lost)
            rejected.formUnion(lost)
            part = Written()
        }
        for (key, id, type) in new.lazy.joined() where type.shape.collections.isEmpty {
            try part.add(.insert, key, type, id, insertedValues(key, type))
            if part.rows.count >= Self.largestPart { try writePart() }
        }
        try writePart()
        if !rejected.isEmpty { keepTried() }
        return rejected
    }

    /// Reserves ids for new objects.
    private func newRows(_ inserted: [(type: RowShape, keys: [KeyValue])]) throws -> [NewRows] {
        var counts: [String: Int] = [:]
        for (type, keys) in inserted { counts[type.shape.table, default: 0] += keys.count }
        var next: [String: Int64] = [:]
        for (table, count) in counts.sorted(by: { $0.key < $1.key }) {
            next[table] = try changes.connection.reserveIDs(count, in: table)
        }
        return inserted.map { part in
            let first = next[part.type.shape.table] ?? 0
            next[part.type.shape.table] = first + Int64(part.keys.count)
            return NewRows(type: part.type, first: first, keys: part.keys)
        }
    }

    /// The greatest number of rows that are inserted at once.
    private static var largestPart: Int { 1000 }

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
        if type.shape.hasClassColumn { values.append(("class", .text(type.shape.className))) }
        guard let row = row(of: key) else { return values }
        for (place, name) in type.names.enumerated() {
            guard case .value(let value)? = row[name] else { continue }
            let field = type.shape.fields[place]
            // A value that the column cannot store is kept in the state.
            let stored = try objects.stored(value, of: field) ?? field.initial
            let own = try received.stored(stored, over: nil, field.column, of: type.shape.table, key: key.key.stored)
            values.append((field.column, own))
        }
        return values
    }

    /// The columns of a row that show something else than they should.
    private func updatedValues(
        _ key: ObjectKey, _ type: RowShape, _ id: Int64
    ) throws -> [(column: String, value: DatabaseValue)] {
        guard let sql = type.select, let row = try objects.connection.rows(sql, [.integer(id)]).first else {
            return []
        }
        return try updatedValues(key, type, row[...])
    }

    /// The same for the values of the columns.
    private func updatedValues(
        _ key: ObjectKey, _ type: RowShape, _ row: ArraySlice<DatabaseValue>
    ) throws -> [(column: String, value: DatabaseValue)] {
        guard let state = replica.objects[key], let shown = self.row(of: key) else { return [] }
        var values: [(column: String, value: DatabaseValue)] = []
        for (place, old) in zip(type.names.indices, row) {
            let (name, field) = (type.names[place], type.shape.fields[place])
            // The initial value of a property that no author had is the program's, not the states'.
            guard let kind = replica.classes[key.type]?.properties[name]?.kind, state.has(name, kind),
                case .value(let value)? = shown[name]
            else { continue }
            // A value that the column cannot store is kept in the state, and the old one is shown.
            guard let stored = try objects.stored(value, of: field), stored != old else { continue }
            let own = try received.stored(stored, over: old, field.column, of: type.shape.table, key: key.key.stored)
            if own != old { values.append((field.column, own)) }
        }
        return values
    }
}

extension Replica {
    /// What the tables contain if some objects cannot be shown.
    func visibility(without withheld: Set<ObjectKey>) -> Visibility {
        guard !withheld.isEmpty else { return visibility }
        return Visibility(of: objects, classes: classes) { !withheld.contains($0) && isHere($0, $1) }
    }
}
