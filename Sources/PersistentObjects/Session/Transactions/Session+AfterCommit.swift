// What is done after a commit, or a rollback: the `did…` methods are called.
extension Session {
    /// Whether anybody wants to hear of what is done to objects of a class.
    @inline(__always)
    func isNoted(_ map: ClassMap) -> Bool { !map.hooks.isDisjoint(with: .afterCommit) }

    /// Notes that objects got their rows.
    func noteInserted(_ objects: [PersistentObject], _ map: ClassMap, _ options: SaveOptions) {
        guard isNoted(map) else { return }
        for object in objects {
            let start = ObjectMemory.start(of: object)
            let properties = map.inDeclaredOrder.map { place in
                let property = map.properties[place]
                return PropertyChange(
                    name: property.name, old: nil, new: property.codec.sendableValue(property.address(in: start)))
            }
            note(object, map, .inserted, properties, options)
        }
    }

    /// Notes that an object's changes are written; its baseline does not have them yet.
    func noteUpdated(_ object: PersistentObject, _ map: ClassMap, _ changed: ColumnSet, _ options: SaveOptions) {
        guard isNoted(map), let block = object.baseline else { return }
        let properties = map.propertyChanges(changed, of: ObjectMemory.start(of: object), block)
        note(object, map, .updated, properties, options)
    }

    /// Notes that an object's row is gone.
    func noteDeleted(_ object: PersistentObject, _ map: ClassMap) {
        guard isNoted(map) else { return }
        note(object, map, .deleted, [], SaveOptions())
    }

    private func note(
        _ object: PersistentObject, _ map: ClassMap, _ kind: ObjectChange.Kind, _ properties: [PropertyChange],
        _ options: SaveOptions
    ) {
        let change = ObjectChange(
            object: object, map: map, id: object.rowID, kind: kind, properties: properties,
            callsHooks: !options.flags.contains(.withoutHooks))
        if let level { level.log.add(change) } else { pending.add(change) }
    }

    /// Tells of what is committed. What the user's methods do there is told when all before it has been.
    @inline(__always)
    func tellChanges() { if hasNews { tellPending() } }

    private func tellPending() {
        guard level == nil, !isTelling else { return }
        isTelling = true
        defer {
            isTelling = false
            tellingRounds = TellingRounds()
        }
        while !pending.isEmpty || !closures.isEmpty || !rolledBack.isEmpty {
            tellRolledBack()
            let (changes, calls) = (pending.changes, closures)
            tellingRounds.begin(changes.count + calls.count)
            pending = ChangeLog()
            closures = []
            told = Dictionary(
                changes.map { (ObjectIdentifier($0.object), $0.properties) }, uniquingKeysWith: { first, _ in first })
            for change in changes where change.callsHooks { callHooks(change) }
            told = [:]
            for call in calls { call() }
        }
        hasNews = false
    }

    private func callHooks(_ change: ObjectChange) {
        switch change.kind {
        case .inserted: change.object.didInsert()
        case .updated: change.object.didUpdate()
        case .deleted: change.object.didDelete()
        }
        if change.kind != .deleted { change.object.didSave() }
        if change.map.hooks.contains(.didCommit) { change.object.didCommit() }
    }

    /// Calls `didRollback` of objects whose changes were rolled back. A rollback inside such a method calls the methods of
    /// its objects after all those that are due already.
    func tellRolledBack() {
        guard !rolledBack.isEmpty, !isTellingRollback else { return }
        isTellingRollback = true
        defer {
            isTellingRollback = false
            if !isTelling { tellingRounds = TellingRounds() }
        }
        while !rolledBack.isEmpty {
            let objects = rolledBack
            tellingRounds.begin(objects.count)
            rolledBack = []
            for object in objects { object.didRollback() }
        }
    }
}
