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
        for (object, name) in zip(objects, names) {
            guard let name else {
                answers.append(object)
                continue
            }
            if let other = known[name] {
                // The save would not record the object if the new values equal the row's, but they can overwrite an
                // edit.
                let map = try session.space(of: other).map
                session.level?.willSave(other, map)
                former.append((other, ObjectCopy(of: other, map, map.givenPlaces)))
                ObjectState(object).giveValues(to: other).forEach { news.recordChange($0, of: other, map) }
            } else {
                known[name] = object
            }
            answers.append(known[name] ?? object)
        }
        do { try session.writing.saving { try saveAll(answers) } } catch {
            for (object, values) in former.reversed() {
                let map = (try? session.space(of: object))?.map
                values.places.forEach { place in
                    if values.restore(place, of: object), let map { news.recordChange(place, of: object, map) }
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

extension ObjectState {
    /// Assigns this object's values to another object of the class.
    ///
    /// - Returns: The properties whose values changed, if the class can be observed.
    func giveValues(to other: PersistentObject) -> ColumnSet {
        var changed = ColumnSet()
        guard other !== object, let map = try? ClassMap.map(of: type(of: object)),
            let otherMap = try? ClassMap.map(of: type(of: other))
        else { return changed }
        let source = ObjectMemory.start(of: object)
        let target = ObjectMemory.start(of: other)
        for property in map.properties {
            if case .inverse = property.shape { continue }
            if property.isKey || property.name == "createdAt" && map.timestamps != nil { continue }
            if property.name == otherMap.versionName || property.isReadOnly { continue }
            guard let place = otherMap.place(of: property.name) else { continue }
            let field = otherMap.properties[place].address(in: target)
            load(property, source)
            otherMap.properties[place].checkNotBeingAccessed(field)
            if otherMap.observed != nil, !hasSame(property.codec, field, property.address(in: source)) {
                changed.insert(place)
            }
            property.codec.assign(property.address(in: source), to: field)
            if let box = otherMap.properties[place].box(in: target), box.state.isAway { box.state = .assigned }
        }
        return changed
    }

    private func hasSame(_ codec: PropertyCodec, _ one: Address, _ other: Address) -> Bool {
        if let links = codec as? any LinkCodec { return links.image(one) == links.image(other) }
        guard let value = try? codec.encode(one) else { return false }
        return value == (try? codec.encode(other))
    }
}

extension ClassMap {
    /// The properties whose values an upsert can assign.
    fileprivate var givenPlaces: ColumnSet {
        var places = ColumnSet()
        for place in properties.indices {
            if case .inverse = properties[place].shape { continue }
            places.insert(place)
        }
        return places
    }

    /// The name of the property that counts updates.
    fileprivate var versionName: String? {
        (try? versionPlace()).flatMap { $0 }.map { properties[$0].name }
    }
}
