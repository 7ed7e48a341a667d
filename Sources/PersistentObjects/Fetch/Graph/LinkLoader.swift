internal import StoreEngine

/// Loads lazy properties, collections and inverses of objects that are in memory.
struct LinkLoader: SessionVerb {
    let session: SessionParts

    init(_ session: SessionParts) { self.session = session }
}

// Loading lazy properties and inverses at their first access.
extension LinkLoader {
    /// Loads the content of a box, and the same property of other objects from the same fetch.
    ///
    /// - Parameter strictly: Whether loading must not run a statement.
    func load(_ box: LinkBox, of object: PersistentObject, strictly: Bool = false) throws {
        guard object.lifecycle == .saved, let identity = object.identityMap else {
            box.state = .loaded
            return
        }
        let map = identity.classMap
        let ordinal = Int(box.ordinal)
        // The previous content is not shown if it cannot be read again.
        let former = detachContents(box, of: object, map, ordinal)
        defer { withExtendedLifetime(former) {} }
        let property = map.properties[ordinal]
        let isKnown = box.state == .released && !box.isStale || property.isWeaklyLazy
        if isKnown || strictly && map.baseline.slots[ordinal].content == .reference,
            try lookUp(object, box, map, ordinal)
        {
            return
        }
        guard !strictly else { throw notLoaded(object, map, map.properties[ordinal].name) }
        var objects = siblings(of: object, box, map, ordinal)
        // Reading again after a change does not indicate a missing `including`.
        if objects.count == 1, box.state != .released {
            memory.notices.countSingleLoad(map, map.properties[ordinal].name)
        }
        try session.readTransaction.inOneState {
            if map.foreign != nil {
                try Fetch(session).checkKeys(of: objects, try session.space(of: map.type))
                guard object.lifecycle == .saved else { return }
                objects.removeAll { $0.lifecycle != .saved }
            }
            do { try loadBoxes(of: objects, map, ordinal, isForFirst: true) } catch {
                // A sibling's invalid value must not fail this object.
                if case .scalar = map.properties[ordinal].shape { throw error }
                guard objects.count > 1 else { throw error }
                box.siblings?.areLoadedAlone = true
                try loadBoxes(of: [object], map, ordinal)
            }
        }
        guard object.lifecycle == .saved, !box.state.isAway, try hasRow(object, map, ordinal) else {
            box.state = .unloaded
            throw StoreError(
                .rowGone, "The row was deleted after the object was read", className: map.name,
                property: map.properties[ordinal].name, rowID: object.rowID)
        }
    }

    /// The previous contents of an inverse with a condition that a change emptied. They are held because their edits
    /// must still be saved.
    private func detachContents(
        _ box: LinkBox, of object: PersistentObject, _ map: ClassMap, _ ordinal: Int
    ) -> [PersistentObject] {
        guard box.isStale, box.isFilled, box.state == .released else { return [] }
        return HeldLink(object, map, ordinal)?.empty(leaving: .released) ?? []
    }

    /// The error of an access that would run a statement. It is also reported once for each property, because an access
    /// cannot throw.
    private func notLoaded(_ object: PersistentObject, _ map: ClassMap, _ property: String) -> StoreError {
        let error = StoreError(
            .notLoaded,
            "The property is not loaded, and the session has loadsStrictly set. Find the objects with "
                + "including(\\.\(property)), or call $\(property).load()",
            className: map.name, property: property, rowID: object.rowID)
        if memory.notices.isFirst("not loaded: \(map.name).\(property)") {
            session.store.configuration.onNote("\(error)")
        }
        return error
    }

    /// Fills a link whose ids are known, without a query; false if some of its objects are not in memory.
    private func lookUp(_ object: PersistentObject, _ box: LinkBox, _ map: ClassMap, _ ordinal: Int) throws -> Bool {
        let slot = map.baseline.slots[ordinal]
        guard let block = object.baseline, slot.holdsObjects else { return false }
        let image = map.baseline.image(slot, in: block)
        let (found, missing) = try session.space(of: slot.links.target).identity.objects(for: image.ids)
        // A row of another class is an error, which is thrown when the row is read.
        guard missing.isEmpty, found.allSatisfy({ ClassMap.isClass(type(of: $0), slot.links.target) }) else {
            return false
        }
        slot.links.restore(image, to: found, into: slot.address(in: ObjectMemory.start(of: object)))
        box.state = .loaded
        if !found.isEmpty { memory.inverses.didFill(object, ordinal, size: found.count) }
        return true
    }

    /// Loads one lazy property or inverse of objects of one class, with one query.
    ///
    /// - Parameter isForFirst: Whether the first object is the requested object and the siblings may be skipped.
    func loadBoxes(
        of objects: [PersistentObject], _ map: ClassMap, _ ordinal: Int, isForFirst: Bool = false
    ) throws {
        // A rollback can undo the values read now.
        if let level = session.level, level.hasWritten { for object in objects { level.touch(object, map, ordinal) } }
        switch map.properties[ordinal].shape {
        case .scalar: try loadColumn(objects, map, ordinal, isForFirst)
        case .reference, .collection: try loadLinks(objects, map, ordinal)
        case .inverse: try loadInverse(objects, map, ordinal)
        }
    }

    private func loadLinks(_ objects: [PersistentObject], _ map: ClassMap, _ ordinal: Int) throws {
        let loader = GraphLoader(session)
        do { try loader.load(objects, map, ordinal) } catch {
            loader.discard()
            throw error
        }
        recordHeld(objects, map, ordinal)
        loader.callDidLoad()
    }

    /// Records the objects whose lazy weak reference is filled, so that it is released later.
    private func recordHeld(_ objects: [PersistentObject], _ map: ClassMap, _ ordinal: Int) {
        guard map.properties[ordinal].isWeaklyLazy, let identity = objects.first?.identityMap else { return }
        let slot = map.baseline.slots[ordinal]
        let owners = objects.filter { object in
            let start = ObjectMemory.start(of: object)
            guard let box = slot.box(in: start), slot.reference.object(slot.address(in: start)) != nil else {
                return false
            }
            box.isFilled = true
            return true
        }
        memory.inverses.held.record(identity, ordinal, owners.map(\.rowID), size: owners.count)
    }

    /// Whether an object's row exists, if the loaded content does not prove it: an empty collection is also read if the
    /// owner's row was deleted.
    private func hasRow(_ object: PersistentObject, _ map: ClassMap, _ ordinal: Int) throws -> Bool {
        guard let block = object.baseline else { return true }
        switch map.properties[ordinal].shape {
        case .scalar, .reference: return true
        case .collection, .inverse:
            let isEmpty =
                if let collection = map.properties[ordinal].codec as? CollectionCodec {
                    collection.count(map.properties[ordinal].address(in: ObjectMemory.start(of: object))) == 0
                } else {
                    map.baseline.image(ordinal, in: block).ids.isEmpty
                }
            return try !isEmpty
                || !connection.integers(try session.space(of: map.type).sql.selectIDs, [object.rowID]).isEmpty
        }
    }

    /// The object, then its neighbors in their fetch that are still in memory and have the property unloaded.
    private func siblings(
        of object: PersistentObject, _ box: LinkBox, _ map: ClassMap, _ ordinal: Int
    ) -> [PersistentObject] {
        guard let siblings = box.siblings, let identity = object.identityMap else { return [object] }
        // Large values are rarely all needed. Links are, except when they are read again.
        let limit = if case .scalar = map.properties[ordinal].shape { 64 } else { 10_000 }
        let slot = map.baseline.slots[ordinal]
        var left = box.state == .released ? 1024 : Int.max
        var objects = [object]
        siblings.forEachNeighbour(of: object.rowID) { id in
            guard objects.count < limit, left > 0 else { return nil }
            guard let sibling = identity.object(for: id), sibling.keeper === identity, let block = sibling.baseline,
                let state = slot.box(in: ObjectMemory.start(of: sibling))?.state, state.isAway
            else { return false }
            if state == .released { left -= Swift.max(1, map.baseline.image(ordinal, in: block).ids.count) }
            objects.append(sibling)
            return true
        }
        return objects
    }

    /// Reads a column of several objects. If the read is for the first object, the siblings' values are read until a
    /// size limit is reached.
    private func loadColumn(
        _ objects: [PersistentObject], _ map: ClassMap, _ ordinal: Int, _ isForFirst: Bool
    ) throws {
        let space = try session.space(of: map.type)
        let property = map.properties[ordinal]
        let byID = Dictionary(objects.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
        let statement = try connection.statement(space.sql.selectColumn(property.column))
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(list: objects.map(\.rowID), at: 1) } catch {
            throw space.located(error)
        }
        let slot = map.baseline.slots[ordinal]
        var byteCount = 0
        // The first object's value is needed, wherever its row is.
        var isFirstRead = false
        while try (byteCount < LinkLoader.lazyByteLimit || !isForFirst || !isFirstRead)
            && Fetch(session).step(statement, space)
        {
            let id = statement.integer(0)
            guard let object = byID[id], let block = object.baseline else { continue }
            let start = ObjectMemory.start(of: object)
            let column = statement.column(1)
            byteCount += column.byteCount
            if object === objects[0] { isFirstRead = true }
            do {
                if let sealing = property.sealing {
                    try open(column, sealing, statement, space, id, slot.codec, into: slot.address(in: start))
                } else {
                    try slot.codec.read(column, into: slot.address(in: start))
                }
            } catch {
                // An error in a sibling's value is thrown when that value is read.
                if isForFirst, object !== objects[0] { continue }
                throw space.located(error, property: ordinal, rowID: id, sql: statement.sql)
            }
            map.baseline.setBaseline(of: slot, to: slot.address(in: start), in: block)
            slot.box(in: start)?.state = .loaded
        }
    }

    /// Decrypts a column and reads the value.
    private func open(
        _ column: Cell, _ sealing: PropertySealing, _ statement: Statement, _ space: ClassSpace, _ id: Int64,
        _ codec: PropertyCodec, into field: Address
    ) throws {
        let key = statement.columnCount > 2 ? try statement.column(2).value() : .null
        let value = try space.opened(try column.value(), sealing, key: key, rowID: id)
        try value.withCell { (cell) throws(ValueFault) in try codec.read(cell, into: field) }
    }

    /// The number of bytes after which no further siblings' values are read.
    private static var lazyByteLimit: Int { 1 << 20 }
}
