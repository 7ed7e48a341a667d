internal import PersistentObjects
internal import StoreEngine

// The elements of collections.
extension Absorption {
    mutating func takeElements() throws {
        for shape in objects.shapes {
            for collection in shape.collections {
                let table = collection.table.lowercased()
                for (owner, parts) in (changes.elements[table] ?? [:]).sorted(by: { $0.key < $1.key }) {
                    guard let key = try objects.key(of: owner, in: shape.table), key.type == Text(shape.name),
                        !whole.contains(key), replica.objects[key]?.isAlive == true
                    else { continue }
                    absorbed.insert(key)
                    switch collection.style {
                    case .array: try takeArray(collection, key, owner, isWhole: false)
                    case .set: for part in parts { try takeElement(part, collection, key, owner) }
                    case .dictionary: for part in parts { try takeEntry(part, collection, key, owner) }
                    }
                }
            }
        }
    }

    /// Whether a value is an object that has no row, so that its elements are not shown.
    private func isHidden(_ value: SyncValue) throws -> Bool {
        guard case .object(let key) = value else { return false }
        return try objects.id(of: key) == nil
    }

    private mutating func takeElement(
        _ part: DatabaseValue, _ collection: SyncedShape.Collection, _ key: ObjectKey, _ owner: Int64
    ) throws {
        let value = try objects.value(part, in: collection)
        // The element's object was deleted: the state keeps the element.
        if collection.target != nil, value == .null { return }
        let isPresent = try !objects.connection.rows(
            """
            SELECT 1 FROM \(name: collection.table) WHERE "owner_id" = ? AND \(name: collection.valueColumn) IS ?
            """, [.integer(owner), part]
        ).isEmpty
        replica.setElement(value, in: Text(collection.name), of: key, isPresent: isPresent)
    }

    private mutating func takeEntry(
        _ part: DatabaseValue, _ collection: SyncedShape.Collection, _ key: ObjectKey, _ owner: Int64
    ) throws {
        let (name, entry) = (Text(collection.name), objects.value(part))
        let rows = try objects.connection.rows(
            "SELECT \(name: collection.valueColumn) FROM \(name: collection.table) WHERE \"owner_id\" = ? AND \"key\" IS ?",
            [.integer(owner), part])
        if let stored = rows.first?[0] {
            let value = try objects.value(stored, in: collection)
            replica.setValue(value, for: entry, in: name, of: key)
        } else if let known = replica.objects[key]?.dictionaries[name]?[entry]?.value.value, try !isHidden(known) {
            replica.setValue(nil, for: entry, in: name, of: key)
        }
    }

    /// Makes a collection's elements those of its table.
    mutating func takeAll(_ collection: SyncedShape.Collection, _ key: ObjectKey, _ owner: Int64) throws {
        let name = Text(collection.name)
        switch collection.style {
        case .array: try takeArray(collection, key, owner, isWhole: true)
        case .set:
            var present: Set<SyncValue> = []
            for row in try objects.connection.rows(
                "SELECT \(name: collection.valueColumn) FROM \(name: collection.table) WHERE \"owner_id\" = ?",
                [.integer(owner)])
            {
                present.insert(try objects.value(row[0], in: collection))
            }
            for value in present.sorted() { replica.setElement(value, in: name, of: key, isPresent: true) }
            for value in (replica.objects[key]?.sets[name] ?? [:]).keys.sorted() where !present.contains(value) {
                if try !isHidden(value) { replica.setElement(value, in: name, of: key, isPresent: false) }
            }
        case .dictionary:
            var present: [SyncValue: SyncValue] = [:]
            for row in try objects.connection.rows(
                "SELECT \"key\", \(name: collection.valueColumn) FROM \(name: collection.table) WHERE \"owner_id\" = ?",
                [.integer(owner)])
            {
                present[objects.value(row[0])] = try objects.value(row[1], in: collection)
            }
            for (entry, value) in present.sorted(by: { $0.key < $1.key }) {
                replica.setValue(value, for: entry, in: name, of: key)
            }
            let known = replica.objects[key]?.dictionaries[name] ?? [:]
            for (entry, value) in known.sorted(by: { $0.key < $1.key }) where present[entry] == nil {
                if try !isHidden(value.value.value) { replica.setValue(nil, for: entry, in: name, of: key) }
            }
        }
    }

    private mutating func takeArray(
        _ collection: SyncedShape.Collection, _ key: ObjectKey, _ owner: Int64, isWhole: Bool
    ) throws {
        let sql: SQL = """
            SELECT "position", \(name: collection.valueColumn) FROM \(name: collection.table) WHERE "owner_id" = ? \
            ORDER BY "position"
            """
        let entries = try changes.entries(of: owner, in: collection.table)
        let gone = changes.gone[collection.table.lowercased()]?[owner] ?? []
        let known = replica.objects[key]?.arrays[Text(collection.name)] ?? [:]
        var rows: [ArrayRow] = []
        for row in try objects.connection.rows(sql, [.integer(owner)]) {
            let entry = row[0].integer.flatMap { entries[$0] }
            rows.append(
                ArrayRow(
                    id: entry.flatMap { known[$0.id] == nil ? nil : $0.id },
                    value: try objects.value(row[1], in: collection),
                    isChanged: isWhole || entry?.isChanged == true))
        }
        // An element that is there again, because its object is, keeps its identity.
        let taken = Set(rows.compactMap(\.id))
        var returning = known.filter { !taken.contains($0.key) && $0.value.isPresent }
        for index in rows.indices where rows[index].id == nil {
            let value = rows[index].value
            guard collection.target != nil || isWhole,
                let id = returning.filter({ $0.value.value.value == value }).keys.min()
            else { continue }
            rows[index].id = id
            returning[id] = nil
        }
        var removed: [ElementID] = []
        for (id, element) in returning where isWhole || gone.contains(id) {
            if try !isHidden(element.value.value) { removed.append(id) }
        }
        replica.takeArray(rows, removed: removed.sorted(), in: Text(collection.name), of: key, using: &random)
    }
}
