// The edits that users make on this device.
extension Replica {
    /// Stores an edited object under a new number, and remembers that no other device has the edit.
    mutating func store(_ object: ObjectState, _ key: ObjectKey) {
        remember(key)
        objects[key] = object
        touch(key)
        (objects[edited: key], lastEdit) = (number, number)
    }

    /// Creates an object. Its group is that of its owner if it has one.
    package mutating func insert(_ key: ObjectKey, _ values: [Text: SyncValue], in group: GroupID) {
        insert(key, named: NamedValues(values), in: group)
    }

    mutating func insert(_ key: ObjectKey, named values: NamedValues<SyncValue>, in group: GroupID) {
        var object = objects[key] ?? ObjectState(in: group)
        object.life = Rules.firstLife(after: object.life, floor: floor[key.type] ?? 0)
        (object.seen, object.deletedWith) = ([:], nil)
        if object.properties.isEmpty {
            object.properties = Registers(values.mapped { Register($0, tick(after: .none)) })
        } else {
            object.properties = written(values, over: object.properties)
        }
        object.group = Register(group, tick(after: object.group.clock))
        remember(key)
        objects[key] = object
        let own = self.group(of: key) ?? group
        object.group.value = own
        objects[place: key] = own
        store(object, key)
        objects[created: key] = .init(number: number, group: own)
    }

    package mutating func set(_ property: Text, of key: ObjectKey, to value: SyncValue) {
        write([property: value], of: key)
        followOwners([key])
    }

    /// Sets properties. Call `followOwners()` after the last of several calls.
    mutating func write(_ values: [Text: SyncValue], of key: ObjectKey) {
        guard var object = objects[key], !values.isEmpty else { return }
        object.properties = written(NamedValues(values), over: object.properties)
        store(object, key)
    }

    /// Properties with other values, in the order of the names.
    private mutating func written(_ values: NamedValues<SyncValue>, over properties: Registers) -> Registers {
        var registers = properties.unpacked
        for (name, value) in values {
            registers[name] = Register(value, tick(after: registers[name]?.clock ?? .none))
        }
        return Registers(registers)
    }

    /// Adds to a counter.
    package mutating func add(_ difference: SyncValue, to property: Text, of key: ObjectKey) {
        guard var object = objects[key] else { return }
        let part = object.counters[property]?[counting] ?? CounterPart(count: 0, sum: .integer(0))
        object.counters[property, default: [:]][counting] = CounterPart(
            count: min(part.count + 1, CounterPart.greatestCount), sum: part.sum.adding(difference))
        store(object, key)
    }

    /// Assigns a value to a `.max` or `.min` property.
    package mutating func widen(_ property: Text, of key: ObjectKey, to value: SyncValue) {
        guard var object = objects[key] else { return }
        if classes[key.type]?.properties[property]?.kind == .minimum {
            object.minima[property] = SyncValue.lesser(object.minima[property] ?? value, value)
        } else {
            object.maxima[property] = max(object.maxima[property] ?? value, value)
        }
        store(object, key)
    }

    /// Adds an element to a set, or removes it.
    package mutating func setElement(_ element: SyncValue, in property: Text, of key: ObjectKey, isPresent: Bool) {
        guard var object = objects[key] else { return }
        let length = object.sets[property]?[element] ?? 0
        guard Life.isAlive(length) != isPresent else { return }
        object.sets[property, default: [:]][element] = Life.next(length)
        store(object, key)
    }

    /// Sets the value of a dictionary's key, or removes the key if the value is nil.
    package mutating func setValue(
        _ value: SyncValue?, for entryKey: SyncValue, in property: Text, of key: ObjectKey
    ) {
        guard var object = objects[key] else { return }
        var entry =
            object.dictionaries[property]?[entryKey] ?? DictionaryEntry(length: 0, value: Register(.null, .none))
        guard value != nil || Life.isAlive(entry.length) else { return }
        if Life.isAlive(entry.length) != (value != nil) { entry.length = Life.next(entry.length) }
        if let value { entry.value = Register(value, tick(after: entry.value.clock)) }
        object.dictionaries[property, default: [:]][entryKey] = entry
        store(object, key)
    }

    /// Inserts an element before the present element at a position; returns its identity.
    package mutating func insertElement(
        _ value: SyncValue, at position: Int, in property: Text, of key: ObjectKey,
        using random: inout some RandomNumberGenerator
    ) -> ElementID? {
        guard var object = objects[key] else { return nil }
        let place = place(at: position, in: property, of: object, using: &random)
        lastElement += 1
        let (id, clock) = (ElementID(device, lastElement), tick(after: .none))
        object.arrays[property, default: [:]][id] = ArrayElement(
            length: 1, place: Register(place, clock), value: Register(value, clock))
        store(object, key)
        return id
    }

    /// Moves an element before the present element at a position. It keeps its identity.
    package mutating func moveElement(
        _ id: ElementID, to position: Int, in property: Text, of key: ObjectKey,
        using random: inout some RandomNumberGenerator
    ) {
        guard var object = objects[key], let element = object.arrays[property]?[id] else { return }
        let place = place(at: position, in: property, of: object, using: &random)
        object.arrays[property]?[id]?.place = Register(place, tick(after: element.place.clock))
        store(object, key)
    }

    private func place(
        at position: Int, in property: Text, of object: ObjectState, using random: inout some RandomNumberGenerator
    ) -> Place {
        let order = object.order(of: property)
        func place(_ index: Int) -> Place? {
            order.indices.contains(index) ? object.arrays[property]?[order[index]]?.place.value : nil
        }
        return .between(place(position - 1), place(position), by: device, using: &random)
    }

    package mutating func setElement(_ id: ElementID, in property: Text, of key: ObjectKey, to value: SyncValue) {
        guard var object = objects[key], let element = object.arrays[property]?[id] else { return }
        object.arrays[property]?[id]?.value = Register(value, tick(after: element.value.clock))
        store(object, key)
    }

    package mutating func removeElement(_ id: ElementID, in property: Text, of key: ObjectKey) {
        guard var object = objects[key], let element = object.arrays[property]?[id], element.isPresent else { return }
        object.arrays[property]?[id]?.length = Life.next(element.length)
        store(object, key)
    }

    /// Deletes objects, each with the owner by whose deletion it is deleted. Owners come first.
    package mutating func delete(_ deletions: [(key: ObjectKey, owner: ObjectKey?)]) {
        for (key, owner) in deletions {
            guard var object = objects[key], object.isAlive else { continue }
            object.seen = classes[key.type]?.keepsEdited == true ? Rules.seen(by: object) : [:]
            object.life = Life.next(object.life)
            object.deletedWith = owner.flatMap { owner in objects[owner].map { Cascade(owner, life: $0.life) } }
            store(object, key)
        }
    }

    /// Brings a deleted object back, and each object that was deleted with it; returns their keys.
    @discardableResult
    package mutating func restore(_ key: ObjectKey) -> Set<ObjectKey> {
        var (restored, next): (Set<ObjectKey>, [ObjectKey]) = ([], [key])
        while let key = next.popLast() {
            guard var object = objects[key], object.isDeleted, restored.insert(key).inserted else { continue }
            object.life = Life.next(object.life)
            (object.seen, object.deletedWith) = ([:], nil)
            store(object, key)
            next += dependents(of: key).filter { !restored.contains($0) }
        }
        return restored
    }

    /// The deleted objects that return with an owner, in the order of their keys.
    private func dependents(of owner: ObjectKey) -> [ObjectKey] {
        guard let state = objects[owner] else { return [] }
        return objects.keys { $0.deletedWith?.owner == owner }.filter { key in
            objects[key].map { Rules.returns($0, with: state) } ?? false
        }.sorted()
    }

    /// Moves an object, and the objects that it owns, to another group.
    package mutating func move(_ key: ObjectKey, to group: GroupID) { move([(key, group)]) }

    /// Moves objects, each with the objects that it owns, to other groups.
    mutating func move(_ moves: [(key: ObjectKey, group: GroupID)]) {
        var moved: Set<ObjectKey> = []
        for (key, group) in moves {
            guard var object = objects[key], object.group.value != group else { continue }
            object.formerGroups.insert(object.group.value)
            object.group = Register(group, tick(after: object.group.clock))
            store(object, key)
            moved.insert(key)
        }
        if !moved.isEmpty { followOwners(KeySet(moved)) }
    }
}
