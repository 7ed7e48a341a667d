internal import PersistentObjects
internal import StoreEngine

/// The elements of an array that are shown, with their positions.
struct ShownArray {
    let table: String
    let owner: Int64
    let entries: [(position: Int64, id: ElementID)]

    /// Writes the entries by which triggers know the elements, unless they are there.
    func saveEntries(_ captured: CapturedChanges) throws {
        let known = try captured.entries(of: owner, in: table)
        let isSame =
            known.count == entries.count
            && entries.allSatisfy { entry in
                known[entry.position].map { !$0.isChanged && $0.id == entry.id } ?? false
            }
        if !isSame { try captured.setEntries(entries, of: owner, in: table) }
    }
}

/// What is shown of one collection, compared with its rows.
struct ShownCollection {
    /// The elements to write; nil if the rows show them.
    private(set) var changes: RemoteChanges.Elements?
    /// Nil for a set or a dictionary.
    private(set) var array: ShownArray?

    private let objects: FileObjects
    private let collection: SyncedShape.Collection
    private let owner: Int64

    /// Nil if no device wrote the collection.
    init?(
        _ collection: SyncedShape.Collection, _ owner: Int64, _ objects: FileObjects, _ captured: CapturedChanges,
        _ state: ObjectState?, _ row: NamedValues<ShownValue>?
    ) throws {
        (self.objects, self.collection, self.owner) = (objects, collection, owner)
        let name = Text(collection.name)
        switch collection.style {
        case .array:
            guard let state, let elements = state.arrays[name] else { return nil }
            let wanted = state.order(of: name).map { ($0, elements[$0]?.value.value ?? .null) }
            try compare(wanted, captured.entries(of: owner, in: collection.table).mapValues(\.id))
        case .set:
            guard state?.sets[name] != nil, case .set(let values)? = row?[name] else { return nil }
            try compare(values)
        case .dictionary:
            guard state?.dictionaries[name] != nil, case .dictionary(let values)? = row?[name] else { return nil }
            try compare(values)
        }
    }

    private func rows(_ columns: [String]) throws -> [[DatabaseValue]] {
        try objects.connection.rows(
            """
            SELECT \(names: columns) FROM \(name: collection.table) WHERE "owner_id" = ? ORDER BY \(name: columns[0])
            """, [.integer(owner)])
    }

    private mutating func change(_ columns: [String], removed: [DatabaseValue], added: [[DatabaseValue]]) {
        guard !removed.isEmpty || !added.isEmpty else { return }
        changes = RemoteChanges.Elements(collection.table, owner, columns: columns, removed: removed, added: added)
    }

    private mutating func compare(_ wanted: Set<SyncValue>) throws {
        let old = try Set(rows([collection.valueColumn]).map { $0[0] })
        let new = try Set(wanted.compactMap { try objects.stored($0, as: collection.valueType) }).subtracting([.null])
        change(
            [collection.valueColumn], removed: Array(old.subtracting(new)), added: new.subtracting(old).map { [$0] })
    }

    private mutating func compare(_ wanted: [SyncValue: SyncValue]) throws {
        var old: [DatabaseValue: DatabaseValue] = [:]
        for row in try rows(["key", collection.valueColumn]) { old[row[0]] = row[1] }
        var new: [DatabaseValue: DatabaseValue] = [:]
        for (key, value) in wanted {
            guard let key = try objects.stored(key, as: collection.keyType ?? .any) else { continue }
            new[key] = try objects.stored(value, as: collection.valueType) ?? kept(value, old[key])
        }
        change(
            ["key", collection.valueColumn], removed: old.keys.filter { new[$0] != old[$0] },
            added: new.filter { old[$0.key] != $0.value }.map { [$0.key, $0.value] })
    }

    /// The distance of positions.
    private static var step: Int64 { 1024 }

    /// What the row of an element keeps if it cannot store the value, which a later version of the class has converted.
    private func kept(_ value: SyncValue, _ old: DatabaseValue?) -> DatabaseValue? {
        if case .object = value { return nil }
        return old
    }

    /// Equal first and last elements keep their positions.
    ///
    /// - Parameter known: The elements of the rows, by position.
    private mutating func compare(
        _ wanted: [(id: ElementID, value: SyncValue)], _ known: [Int64: ElementID]
    ) throws {
        let old = try rows(["position", collection.valueColumn]).map { (position: $0[0].integer ?? 0, value: $0[1]) }
        var kept: [ElementID: DatabaseValue] = [:]
        for (position, value) in old { if let id = known[position] { kept[id] = value } }
        var shown: [(id: ElementID, value: DatabaseValue)] = []
        for (id, value) in wanted {
            let stored = try objects.stored(value, as: collection.valueType) ?? self.kept(value, kept[id])
            if let stored { shown.append((id, stored)) }
        }
        let shorter = min(old.count, shown.count)
        var first = 0
        while first < shorter, old[first].value == shown[first].value { first += 1 }
        var last = 0
        while last < shorter - first, old[old.count - 1 - last].value == shown[shown.count - 1 - last].value {
            last += 1
        }
        var positions = old.prefix(first).map(\.position)
        let (count, start) = (Int64(shown.count - first - last), positions.last ?? 0)
        let end = last > 0 ? old[old.count - last].position : start + (count + 1) * Self.step
        let distance = (end - start) / (count + 1)
        var (removed, isRenumbered) = (old[first..<(old.count - last)].map(\.position), false)
        if distance < 1 {
            // There is no room: all elements get new positions.
            (removed, isRenumbered) = (old.map(\.position), true)
            positions = shown.indices.map { Int64($0 + 1) * Self.step }
        } else {
            for index in 0..<count { positions.append(start + (index + 1) * distance) }
            positions += old.suffix(last).map(\.position)
        }
        let places = isRenumbered ? shown.indices : first..<(shown.count - last)
        change(
            ["position", collection.valueColumn], removed: removed.map { .integer($0) },
            added: places.map { [.integer(positions[$0]), shown[$0].value] })
        array = ShownArray(
            table: collection.table, owner: owner, entries: zip(positions, shown).map { ($0, $1.id) })
    }
}
