internal import StoreEngine

/// Which row has which value of a property that is unique: a hint, which is believed only where the object in memory
/// bears it out.
struct UniqueKeys {
    private(set) var rows: [DatabaseValue: Int64] = [:]
    /// Entries of objects that are gone are dropped when there are so many.
    private var limit = 1024

    mutating func add(_ value: DatabaseValue?, _ id: Int64, _ table: RowTable) {
        guard let value, value != .null else { return }
        rows[value] = id
        guard rows.count > limit else { return }
        rows = rows.filter { table.object(for: $0.value) != nil }
        limit = max(1024, rows.count * 2)
    }
}

extension ClassSpace {
    /// The live object that has a value of a unique property, where that is sure without SQL.
    func knownObject(_ place: Int, _ value: DatabaseValue) -> PersistentObject? {
        let property = map.properties[place]
        if hierarchy.uniqueKeys[property.column] == nil { collectKeys(property) }
        guard let id = hierarchy.uniqueKeys[property.column]?.rows[value], let object = identity.object(for: id),
            object.freshness == session.epoch, contains(object), storedValue(property, of: object) == value
        else { return nil }
        return object
    }

    /// Indexes the unique values of an object that was saved or found.
    func indexKeys(of object: PersistentObject) {
        // A copy of the names: one of the whole would have each note copy all values.
        for column in Array(hierarchy.uniqueKeys.keys) {
            guard let property = map.properties.first(where: { $0.column == column }) else { continue }
            hierarchy.uniqueKeys[column]?.add(storedValue(property, of: object), object.rowID, identity.rows)
        }
    }

    private func collectKeys(_ property: Property) {
        var keys = UniqueKeys()
        for identity in hierarchy.allIdentities {
            for object in identity.liveObjects() {
                keys.add(storedValue(property, of: object), object.rowID, identity.rows)
            }
        }
        hierarchy.uniqueKeys[property.column] = keys
    }

    /// What the database has of a property, as far as the session knows.
    private func storedValue(_ property: Property, of object: PersistentObject) -> DatabaseValue? {
        guard let block = object.baseline, let map = object.identityMap?.classMap,
            let place = map.place(of: property.name)
        else { return nil }
        return map.baseline.storedValue(place, in: block)
    }
}
