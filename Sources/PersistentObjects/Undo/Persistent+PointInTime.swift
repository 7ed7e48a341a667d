public import Foundation
internal import StoreEngine

// Restoring objects to their values at a time.
extension Persistent {
    /// Reverts all properties except inverses to their values at a time, as unsaved edits.
    ///
    /// ```swift
    /// try joe.revert(to: yesterday)
    /// try joe.save()
    /// ```
    ///
    /// It requires a class with `keepsHistory`. The last change at or before the time counts, to the millisecond. A
    /// reference to an object that was deleted since becomes nil, and collections leave out such objects; a property
    /// whose column was added later gets the column's first value. Inverses stay as they are, and so do the key and the
    /// `versionProperty`.
    ///
    /// - Throws: `StoreError` with the code `notFound` if the row did not exist at that time, or if the history does
    ///   not go back that far, for example because entries were deleted; `misuse` for a class without history and for
    ///   an object that is new or deleted; `rowGone` if the row was deleted elsewhere; `typeMismatch` or `outOfRange`
    ///   for a value that the property cannot hold, `locked`, `wrongKey` or `damaged` for one that cannot be decrypted.
    ///   Nothing is changed then.
    /// - Complexity: Several SELECTs, which read the entries of the row.
    public func revert(to date: Date, isolation: isolated (any Actor)? = #isolation) throws {
        try ObjectState(object).revert(to: date)
    }

    /// Returns a deleted row as a new object with its values at a time; `save()` restores the row.
    ///
    /// ```swift
    /// let joe = try Person.restored(7, to: yesterday)
    /// try joe.save()
    /// ```
    ///
    /// The row keeps its id. See `revert(to:)` for the values of its properties; it gets its key too. The object has
    /// the class that the row had. Objects that delete rules deleted with it are not restored.
    ///
    /// - Throws: The errors of `revert(to:)`; `misuse` if the row exists; `unknownClass` if the row's class is neither
    ///   this class nor a subclass that the program has.
    public static func restored(
        _ id: Int64, to date: Date, isolation: isolated (any Actor)? = #isolation
    ) throws -> Self {
        let type = ObjectMemory.objectClass(self)
        let session = try CurrentSession.session(for: type)
        let object = try session.enterQuery("restored(_:to:)", of: type) {
            try session.restoredObject(session.space(of: type).map, id, date)
        }
        return ObjectMemory.cast(object, to: Self.self)
    }
}

extension ObjectState {
    fileprivate func revert(to date: Date) throws {
        if object.lifecycle == .untracked { throw StoreError.untracked(object, "so it cannot be reverted") }
        guard object.lifecycle == .saved else {
            let what =
                object.lifecycle == .new
                ? "was never saved" : "was deleted. Call \(type(of: object)).restored(_:to:) to restore it"
            throw StoreError(.misuse, "The object \(what)", className: "\(type(of: object))", rowID: object.id)
        }
        let session = try session()
        try session.enter("revert(to:)", of: type(of: object)) {
            let space = try session.space(of: object)
            try space.map.checkKeepsHistory()
            try session.readTransaction.inOneState {
                // The row is read again, because it may have been changed elsewhere and edits are relative to its
                // current values.
                try Fetch(session).reread([object], .rebase)
                let history = try RowHistory(space.map, object.rowID, session.connection)
                guard object.lifecycle == .saved, history.now != nil else {
                    throw StoreError(
                        .rowGone, "The row was deleted. Call \(space.map.name).restored(_:to:) to restore it",
                        className: space.map.name, rowID: object.rowID)
                }
                let past = try history.row(at: date)
                if session.store.classes.hasClassColumn(space.map) { try checkClass(past.values, space.map) }
                let source = try PastObjects(session).pastObject(space.map, object.rowID, past)
                try take(from: source, space) { property in
                    try history.now.map {
                        try PastObjects(session).isSame(property, space.map, object.rowID, past, $0)
                    } ?? false
                }
            }
        }
    }

    /// Takes over the properties that the history contains.
    ///
    /// - Parameter isSame: Whether the row has the same value for a property now. A property that is not loaded can
    ///   then stay unloaded.
    private func take(
        from source: PersistentObject, _ space: ClassSpace, unless isSame: (Property) throws -> Bool
    ) rethrows {
        let map = space.map
        let start = ObjectMemory.start(of: object)
        var ordinals = ColumnSet()
        for (ordinal, property) in map.properties.enumerated() {
            guard property.isInHistory, !property.isKey, ordinal != space.versionOrdinal else { continue }
            let isAway = property.box(in: start)?.state.isAway ?? false
            if isAway, try isSame(property) { continue }
            ordinals.insert(ordinal)
        }
        let copy = ObjectCopy(of: source, map, ordinals)
        gathering {
            ordinals.forEach { ordinal in
                let box = map.properties[ordinal].box(in: start)
                let state = box?.state ?? .loaded
                guard state.isAway || !copy.isSame(ordinal, of: object) else { return }
                copy.restore(ordinal, of: object)
                // The row's value is unknown if it was never read.
                if state != .loaded { box?.state = .assigned }
            }
        }
    }

    /// Throws if the row had a different class.
    private func checkClass(_ past: [String: DatabaseValue], _ map: ClassMap) throws {
        guard case .text(let name)? = past[HierarchyPlan.column], name != map.name,
            !map.type.formerNames.contains(name)
        else { return }
        throw StoreError(
            .unknownClass,
            "The row had the class \(VisibleText.of(name)) at that time, but now has the class \(map.name)",
            className: map.name, rowID: object.rowID)
    }
}

extension Session {
    fileprivate func restoredObject(_ map: ClassMap, _ id: Int64, _ date: Date) throws -> PersistentObject {
        try map.checkKeepsHistory()
        return try readTransaction.inOneState {
            let history = try RowHistory(map, id, connection)
            guard history.now == nil else {
                throw StoreError(
                    .misuse, "The row exists, so it cannot be restored. Find it and call revert(to:) on the object",
                    className: map.name,
                    rowID: id)
            }
            let past = try history.row(at: date)
            let object = try PastObjects(self).pastObject(self.map(ofPast: past.values, map, id), id, past)
            object.rowID = id
            ObjectMemory.start(of: object).header.keepsID = true
            return object
        }
    }

    /// The class that a row had.
    private func map(ofPast past: [String: DatabaseValue], _ map: ClassMap, _ id: Int64) throws -> ClassMap {
        let root = try ClassMap.map(of: map.root)
        var name = root.name
        if store.classes.hasClassColumn(map), case .text(let text)? = past[HierarchyPlan.column] { name = text }
        let known = store.classes.relatives(of: map).first { $0.name == name || $0.type.formerNames.contains(name) }
        let found = known?.type ?? ClassResolver.subclass(named: name, of: map.root)
        guard let found, ClassMap.isClass(found, map.type) else {
            throw StoreError(
                .unknownClass,
                "The row had the class \(VisibleText.of(name)), which is not a known subclass. Use the class or "
                    + "call store.prepare with it first",
                className: map.name, rowID: id)
        }
        return try space(of: found).map
    }
}
