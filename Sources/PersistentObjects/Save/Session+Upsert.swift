internal import StoreEngine

extension Session {
    /// Saves each object into its row, or into that which has the same value of a unique property: the answers.
    func upsertAll(
        _ objects: [PersistentObject], _ type: PersistentObject.Type, _ path: AnyKeyPath
    ) throws -> [PersistentObject] {
        let space = try space(of: type)
        let map = space.map
        guard case .property(let place) = try KeyPathResolver.subject(of: path, in: map), map.isUniqueKey(place),
            map.properties[place].codec.isComparedAsStored
        else {
            throw StoreError(
                .misuse,
                "an upsert needs a stored property that is unique by itself, as @Unique makes it, and has no format of its own",
                className: map.name)
        }
        var values: [DatabaseValue?] = []
        for object in objects {
            let field = map.properties[place].address(in: ObjectMemory.start(of: object))
            do throws(ValueFault) {
                let value = try map.properties[place].codec.encode(field)
                // One that has a row is saved into it.
                values.append(object.lifecycle == .new && value != .null ? value : nil)
            } catch { throw space.located(error, property: place) }
        }
        var known = try self.objects(space, place, having: values.compactMap(\.self))
        var answers: [PersistentObject] = []
        // What objects had before they were given values, which are no edits of theirs where the save fails.
        var former: [(object: PersistentObject, values: FieldCopy)] = []
        for (object, value) in zip(objects, values) {
            guard let value else {
                answers.append(object)
                continue
            }
            if let other = known[value] {
                // Values that are the row's leave nothing to save, and so to be noted later; an edit goes all the same.
                let map = try self.space(of: other).map
                level?.willSave(other, map)
                former.append((other, FieldCopy(of: other, map, map.givenPlaces)))
                ObjectState(object).giveValues(to: other).forEach { didChange($0, of: other, map) }
            } else {
                known[value] = object
            }
            answers.append(known[value] ?? object)
        }
        do { try saving { try saveAll(answers) } } catch {
            for (object, values) in former.reversed() {
                let map = (try? self.space(of: object))?.map
                values.places.forEach { place in
                    if values.restore(place, of: object), let map { didChange(place, of: object, map) }
                }
            }
            throw error
        }
        return answers
    }

    /// The objects whose rows have some values of a unique property.
    private func objects(
        _ space: ClassSpace, _ place: Int, having values: [DatabaseValue]
    ) throws -> [DatabaseValue: PersistentObject] {
        guard !values.isEmpty else { return [:] }
        var definition = QueryDefinition(space.map.type)
        let column = QueryExpression(.column(scope: 0, QueryPath(.place(place))))
        definition.add(column.isIn(values.map { .value($0) }))
        var found: [DatabaseValue: PersistentObject] = [:]
        for object in try Ask(definition, space).rows() {
            guard let block = object.baseline, let map = object.identityMap?.classMap,
                let place = map.place(of: space.map.properties[place].name),
                let value = map.baseline.storedValue(place, in: block)
            else { continue }
            found[value] = object
        }
        return found
    }
}

extension ObjectState {
    /// Gives another object of the class the values of this one.
    ///
    /// - Returns: Which of its properties have other values now, where it may be observed.
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
            if property.name == otherMap.versionName { continue }
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
    /// The properties that one object can be given from another.
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
