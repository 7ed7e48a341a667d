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

extension ClassMap {
    /// The property, where a condition asks for nothing but a value that only one row can have.
    func uniquePlace(of condition: FinderCondition) -> Int? {
        guard condition.alternatives.count == 1, condition.alternatives[0].count == 1 else { return nil }
        let comparison = condition.alternatives[0][0]
        guard comparison.path.isEmpty, comparison.operation == .equal, case .property(let place) = comparison.subject,
            case .scalar = properties[place].shape, properties[place].isSelected, properties[place].boxOffset == nil,
            indexes.contains(where: { $0.isUnique && $0.columns == [properties[place].column] })
        else { return nil }
        return place
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

    /// Notes the unique values of an object that was saved or found.
    func noteKeys(of object: PersistentObject) {
        for column in hierarchy.uniqueKeys.keys {
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
        guard let block = object.baseline, let map = (object.keeper as? IdentityMap)?.classMap,
            let place = map.place(of: property.name)
        else { return nil }
        return map.baseline.storedValue(place, in: block)
    }
}

extension BaselineLayout {
    /// What the column of a scalar has.
    fileprivate func storedValue(_ place: Int, in block: UnsafeMutableRawPointer) -> DatabaseValue? {
        let slot = slots[place]
        switch slot.content {
        case .value: return try? slot.codec.encode(block + slot.blockOffset)
        case .encoding: return encodedValue(place, in: block)
        case .reference, .weakReference, .links: return nil
        }
    }
}

/// A condition with its arguments.
struct Question {
    let plan: ConditionPlan
    let bind: Session.Binder
    /// The id or the value of the unique property that it asks for.
    let key: DatabaseValue?
}

// What finders ask: where the object is in memory and its unique value says all, without SQL.
extension Session {
    func objects(_ space: ClassSpace, _ question: Question) throws -> [PersistentObject] {
        try throughMemory(space, question) { try objects(space, question.plan, question.bind) }
    }

    func objects(_ space: ClassSpace, _ question: Question, limit: Int) throws -> [PersistentObject] {
        try throughMemory(space, question) { try objects(space, question.plan, limit: limit, question.bind) }
    }

    func onlyObject(_ space: ClassSpace, _ question: Question) throws -> PersistentObject {
        let found = try throughMemory(space, question) { [try onlyObject(space, question.plan, question.bind)] }
        return found[0]
    }

    @inline(__always)
    private func throughMemory(
        _ space: ClassSpace, _ question: Question, _ fetch: () throws -> [PersistentObject]
    ) throws -> [PersistentObject] {
        guard let place = question.plan.uniquePlace, let key = question.key, key != .null else { return try fetch() }
        if let known = space.knownObject(place, key) { return [known] }
        let found = try fetch()
        for object in found { space.noteKeys(of: object) }
        return found
    }
}
