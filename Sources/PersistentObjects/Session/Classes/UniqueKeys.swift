internal import StoreEngine

/// The rows by the value of a unique property. An entry is a hint, which is used only if the object in memory confirms
/// it.
struct UniqueKeys {
    private(set) var rows: [DatabaseValue: Int64] = [:]
    /// The number of entries at which entries of deallocated objects are removed.
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
    /// The live object with a value of a unique property; nil if this is uncertain without SQL.
    func knownObject(_ ordinal: Int, _ value: DatabaseValue) -> PersistentObject? {
        let property = map.properties[ordinal]
        if hierarchy.uniqueKeys[property.column] == nil { collectKeys(property) }
        guard let id = hierarchy.uniqueKeys[property.column]?.rows[value], let object = identity.object(for: id),
            object.freshness == session.epoch, contains(object), storedValue(property, of: object) == value
        else { return nil }
        return object
    }

    /// Indexes the unique values of an object that was saved or found.
    func indexKeys(of object: PersistentObject) {
        // Only the names are copied. A copy of the dictionary would make each change copy all values.
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

    /// The database's value of a property, according to the object's baseline.
    private func storedValue(_ property: Property, of object: PersistentObject) -> DatabaseValue? {
        guard let block = object.baseline, let map = object.identityMap?.classMap,
            let ordinal = map.ordinal(of: property.name)
        else { return nil }
        return map.baseline.storedValue(ordinal, in: block)
    }
}
