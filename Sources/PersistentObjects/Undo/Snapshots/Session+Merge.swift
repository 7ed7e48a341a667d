internal import StoreEngine

// Merging of snapshots.
extension Session {
    /// Merges a snapshot's changes into this session's object for the same row, without saving it.
    ///
    /// The row is read, so the object is current. Properties whose snapshot values differ from the values that its
    /// owner read are set; all other properties keep their values in this session. References refer to objects of this
    /// session. A snapshot of a new object creates a new object, or changes the object that has its key.
    ///
    /// ```swift
    /// let joe = try session.merge(snapshot)
    /// try joe.save()
    /// ```
    ///
    /// Snapshots are values of one process: to pass changes to another process, save them.
    ///
    /// - Throws: `MergeConflicts` if a property that the snapshot changes has an unsaved edit here, or was changed in
    ///   the database since; `StoreError` with the code `rowGone` if the row was deleted, `brokenReference` if an
    ///   object that the snapshot refers to was deleted, `otherSession` for a snapshot of another store. Nothing is
    ///   merged then.
    /// - Complexity: One SELECT for the row, and one for each class of referenced objects that are not in memory.
    @discardableResult
    public func merge<T: Persistent>(_ snapshot: Snapshot<T>) throws -> T {
        try enterToSave { try SnapshotMerge(snapshot, self).run(nil).object }
    }

    /// Merges a snapshot's changes; if both sides changed a property, the preferred side's value is kept.
    ///
    /// ```swift
    /// let merge = try session.merge(snapshot, preferring: .snapshot)
    /// for conflict in merge.conflicts { print(conflict) }     // age: 39 -> 40, but it is now 41
    /// ```
    ///
    /// - Returns: The object, and the properties that both sides changed.
    /// - Throws: The errors of `merge(_:)`, except `MergeConflicts`.
    @discardableResult
    public func merge<T: Persistent>(
        _ snapshot: Snapshot<T>, preferring preference: MergePreference
    ) throws -> Merge<T> {
        try enterToSave { try SnapshotMerge(snapshot, self).run(preference) }
    }
}

/// One merge. It determines the properties to set, finds the objects that they refer to, and then sets them.
private struct SnapshotMerge<T: Persistent> {
    private let snapshot: Snapshot<T>
    private let session: Session
    private let map: ClassMap
    private var ordinals: [Int] = []
    private var conflicts: [MergeConflict] = []

    init(_ snapshot: Snapshot<T>, _ session: Session) throws {
        self.snapshot = snapshot
        self.session = session
        // If the class cannot be stored, this throws the reason.
        map = try snapshot.map ?? ClassMap.map(of: ObjectMemory.objectClass(T.self))
    }

    consuming func run(_ preference: MergePreference?) throws -> Merge<T> {
        if let location = snapshot.location, location.location != session.store.location {
            throw error(
                .otherSession,
                "The snapshot belongs to another store, where ids identify other rows. Nothing was merged")
        }
        let found = try find()
        let object = found ?? map.type.init()
        guard type(of: object) == map.type else {
            throw error(
                .unknownClass,
                "The row now has the class \(type(of: object)), but the snapshot has the class \(map.name). "
                    + "Nothing was merged")
        }
        try decide(object, isFound: found != nil, preference)
        let targets = try ordinals.map { try self.targets($0) }
        let start = ObjectMemory.start(of: object)
        for (ordinal, targets) in zip(ordinals, targets) {
            set(ordinal, targets, start)
            session.news.recordChange(ordinal, of: object, map)
        }
        return Merge(object: ObjectMemory.cast(object, to: T.self), conflicts: conflicts)
    }

    /// The refreshed object of the row; nil if a new object must be created.
    private func find() throws -> PersistentObject? {
        let space = try session.space(of: map.type)
        guard let id = snapshot.persistentID else {
            guard let ordinal = map.keyOrdinal, let key = snapshot.properties[ordinal].value as? String else {
                return nil
            }
            return try Fetch(session).find(space, key: key).flatMap { try read($0.rowID, space) }
        }
        let rowID = id.key == nil ? id.value : try Fetch(session).find(space, named: id)?.rowID
        guard let object = try rowID.flatMap({ try read($0, space) }) else {
            throw error(.rowGone, "The row was deleted after the snapshot was taken. Nothing was merged")
        }
        return object
    }

    private func read(_ id: Int64, _ space: ClassSpace) throws -> PersistentObject? {
        try Fetch(session).fetchRows(space, [id])[id]
    }

    /// Determines the properties to set.
    private mutating func decide(
        _ object: PersistentObject, isFound: Bool, _ preference: MergePreference?
    ) throws {
        let start = ObjectMemory.start(of: object)
        // The snapshot's object was new, so its base values are the initial values.
        let initial = snapshot.isNew && isFound ? map.type.init() : nil
        for ordinal in map.inDeclaredOrder {
            let property = map.properties[ordinal]
            let item = snapshot.properties[ordinal]
            let base = initial.map { property.image(in: ObjectMemory.start(of: $0)) } ?? item.base
            guard item.isLoaded, item.image == nil || item.image != base else { continue }
            guard isFound else {
                // A value that was never set, such as an inverse or a key, equals the new object's value.
                if item.image != property.image(in: start) { ordinals.append(ordinal) }
                continue
            }
            if let box = property.box(in: start), box.state.isAway { try box.load() }
            let now = property.image(in: start)
            guard now == nil || now != item.image else { continue }
            if let base, now != base {
                conflicts.append(
                    MergeConflict(
                        property: property.name, base: item.baseValue, mine: item.value,
                        theirs: property.codec.sendableValue(property.address(in: start)),
                        isEncrypted: property.sealing != nil))
                if preference == .session { continue }
            }
            ordinals.append(ordinal)
        }
        guard conflicts.isEmpty || preference != nil else {
            throw MergeConflicts(className: map.name, rowID: snapshot.id, conflicts: conflicts)
        }
    }

    /// The objects of this session that a link of the snapshot refers to; nil for a property that is not a link.
    private func targets(_ ordinal: Int) throws -> [PersistentObject]? {
        guard case .links(let image)? = snapshot.properties[ordinal].image,
            let links = map.properties[ordinal].codec as? any LinkCodec
        else { return nil }
        if image.ids.contains(LinkImage.none) {
            throw error(
                .brokenReference,
                "The snapshot refers to an object that had no row yet or was untracked. Nothing was merged. Save "
                    + "new objects before taking the snapshot, and use tracked objects",
                ordinal)
        }
        let space = try session.space(of: links.target)
        let objects = try Fetch(session).find(space, image.ids)
        guard objects.count == image.ids.count else {
            let there = Set(objects.map(\.rowID))
            let missing = image.ids.first { !there.contains($0) }
            throw error(
                .brokenReference,
                "The snapshot refers to \(space.map.name) #\(missing ?? 0), which was deleted. Nothing was merged. "
                    + "Set another object or nil",
                ordinal)
        }
        return objects
    }

    private func set(_ ordinal: Int, _ targets: [PersistentObject]?, _ start: Address) {
        let property = map.properties[ordinal]
        let field = property.address(in: start)
        property.checkNotBeingAccessed(field)
        if let targets, case .links(let image)? = snapshot.properties[ordinal].image,
            let links = property.codec as? any LinkCodec
        {
            links.restore(image, to: targets, into: field)
        } else {
            snapshot.properties[ordinal].write(property, start)
        }
    }

    private func error(_ code: StoreError.Code, _ message: String, _ ordinal: Int? = nil) -> StoreError {
        StoreError(
            code, message, className: map.name, property: ordinal.map { map.properties[$0].name }, rowID: snapshot.id)
    }
}
