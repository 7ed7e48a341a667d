internal import StoreEngine

extension Save {
    /// Saves each object, or assigns its values to the object whose row has the same unique key; returns the saved
    /// objects.
    func upsertAll(
        _ objects: [PersistentObject], _ type: PersistentObject.Type, _ paths: [AnyKeyPath]
    ) throws -> [PersistentObject] {
        let key = try UniqueKey(paths, session.space(of: type))
        let names = try key.names(of: objects)
        var known = try key.objects(having: names.compactMap(\.self))
        var answers: [PersistentObject] = []
        // The objects' values before the upsert set them; the new values are not edits if the save fails.
        var former: [(object: PersistentObject, values: ObjectCopy)] = []
        var given: GivenProperties?
        for (object, name) in zip(objects, names) {
            guard let name, let other = known[name] else {
                if let name { known[name] = object }
                answers.append(object)
                continue
            }
            answers.append(other)
            // The save would not record the object if the new values equal the row's, but they can overwrite an
            // edit.
            let map = try session.space(of: other).map
            session.level?.willSave(other, map)
            if !(given?.isFor(object, map) ?? false) { given = try GivenProperties(of: object, to: map) }
            if let given {
                former.append((other, ObjectCopy(of: other, map, given.copied)))
                given.give(object, to: other).forEach { news.recordChange($0, of: other, map) }
            }
        }
        do { try session.writing.saving { try saveAll(answers) } } catch {
            for (object, values) in former.reversed() {
                let map = (try? session.space(of: object))?.map
                values.ordinals.forEach { ordinal in
                    if values.restore(ordinal, of: object), let map { news.recordChange(ordinal, of: object, map) }
                }
            }
            throw error
        }
        return answers
    }

    /// Inserts the new objects whose unique key no row has; returns for each object the object of its row.
    func insertAllMissing(
        _ objects: [PersistentObject], _ type: PersistentObject.Type, _ paths: [AnyKeyPath]
    ) throws -> [PersistentObject] {
        let key = try UniqueKey(paths, session.space(of: type))
        let names = try key.names(of: objects)
        var known = try key.objects(having: names.compactMap(\.self))
        let answers = zip(objects, names).map { object, name in
            guard let name else { return object }
            if let other = known[name] { return other }
            known[name] = object
            return object
        }
        // Objects that already have a row are left as they are, including their edits.
        try session.writing.saving { try saveAll(answers.filter { $0.lifecycle == .new }) }
        return answers
    }
}

/// The properties whose values an upsert assigns from an object of one class to an object of another.
private struct GivenProperties {
    private let source: PersistentObject.Type
    private let targetMap: ClassMap
    private let pairs: [(source: Property, ordinal: Int)]
    /// The properties that are copied before the assignment.
    let copied: ColumnSet

    init(of object: PersistentObject, to targetMap: ClassMap) throws {
        source = type(of: object)
        self.targetMap = targetMap
        let map = try ClassMap.map(of: source)
        let version = try targetMap.versionOrdinal()
        pairs = map.properties.compactMap { property in
            if property.isInverse || property.isKey || property.isReadOnly { return nil }
            if property.name == "createdAt" && map.timestamps != nil { return nil }
            guard let ordinal = targetMap.ordinal(of: property.name), ordinal != version else { return nil }
            return (property, ordinal)
        }
        copied = ColumnSet(targetMap.properties.indices.filter { !targetMap.properties[$0].isInverse })
    }

    func isFor(_ object: PersistentObject, _ targetMap: ClassMap) -> Bool {
        type(of: object) == source && targetMap === self.targetMap
    }

    /// Assigns an object's values to another object.
    ///
    /// - Returns: The properties whose values changed, if the class can be observed.
    func give(_ object: PersistentObject, to other: PersistentObject) -> ColumnSet {
        var changed = ColumnSet()
        // It may be in the list twice.
        guard other !== object else { return changed }
        let state = ObjectState(object)
        let (start, target) = (ObjectMemory.start(of: object), ObjectMemory.start(of: other))
        for (property, ordinal) in pairs {
            let own = targetMap.properties[ordinal]
            let field = own.address(in: target)
            state.load(property, start)
            own.checkNotBeingAccessed(field)
            let value = property.address(in: start)
            if targetMap.observed != nil, !hasSame(property.codec, field, value) { changed.insert(ordinal) }
            property.codec.assign(value, to: field)
            if let box = own.box(in: target), box.state.isAway { box.state = .assigned }
        }
        return changed
    }

    private func hasSame(_ codec: PropertyCodec, _ one: Address, _ other: Address) -> Bool {
        if let links = codec as? any LinkCodec { return links.image(one) == links.image(other) }
        guard let value = try? codec.encode(one) else { return false }
        return value == (try? codec.encode(other))
    }
}
