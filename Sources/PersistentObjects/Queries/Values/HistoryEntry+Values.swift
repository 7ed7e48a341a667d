internal import StoreEngine

// The old and new values of a property in an entry.
extension HistoryEntry {
    /// Returns the value of a property before the change.
    ///
    /// ```swift
    /// for entry in try joe.history.all() { print(try entry.old(\Person.name) ?? "", "->", try entry.new(\Person.name) ?? "") }
    /// ```
    ///
    /// The result is nil if the change did not affect the property, or if the row did not exist. A collection is
    /// returned whole; objects in it that were deleted since are left out. `elements` describes what the change did to
    /// a collection.
    ///
    /// - Throws: `FinderError` for a key path that names no stored property; `StoreError`, with the code `locked`,
    ///   `wrongKey` or `damaged` for an encrypted value that cannot be decrypted, `misuse` if the entry belongs to another class or the property is an inverse, and `typeMismatch` or `outOfRange` if the
    ///   property cannot hold the column's old value. Collections are reconstructed backwards from their current state,
    ///   as in `revert(to:)`: `notFound` if entries in between are missing.
    public func old<T: Persistent, V>(_ property: KeyPath<T, V>) throws -> V? {
        try HistoryProperty(property, T.self, self).value(\.old)
    }

    /// Returns the value, which may have been nil, of a property before the change.
    ///
    /// `didChange(_:)` distinguishes a nil value from a property that the change did not affect. See `old(_:)`.
    public func old<T: Persistent, V>(_ property: KeyPath<T, V?>) throws -> V? {
        try HistoryProperty(property, T.self, self).value(\.old)
    }

    /// Returns the id of the object that a reference referred to before the change.
    ///
    /// See `old(_:)`.
    public func old<T: Persistent, O: Persistent>(_ property: KeyPath<T, O?>) throws -> PersistentID<O>? {
        try HistoryProperty(property, T.self, self).id(\.old).map { PersistentID($0) }
    }

    /// Returns the value of a property after the change.
    ///
    /// The result is nil if the change did not affect the property, or if the row no longer existed.
    ///
    /// - Throws: The errors of `old(_:)`.
    public func new<T: Persistent, V>(_ property: KeyPath<T, V>) throws -> V? {
        try HistoryProperty(property, T.self, self).value(\.new)
    }

    /// Returns the value, which may have been nil, of a property after the change.
    ///
    /// See `new(_:)`.
    public func new<T: Persistent, V>(_ property: KeyPath<T, V?>) throws -> V? {
        try HistoryProperty(property, T.self, self).value(\.new)
    }

    /// Returns the id of the object that a reference referred to after the change.
    ///
    /// See `new(_:)`.
    public func new<T: Persistent, O: Persistent>(_ property: KeyPath<T, O?>) throws -> PersistentID<O>? {
        try HistoryProperty(property, T.self, self).id(\.new).map { PersistentID($0) }
    }

    /// Returns whether the change affected a property.
    ///
    /// - Throws: The errors of `old(_:)` for the property.
    public func didChange<T: Persistent>(_ property: PartialKeyPath<T>) throws -> Bool {
        try HistoryProperty(property, T.self, self).isChanged
    }
}

/// A property, and the recorded values of its column in an entry.
private struct HistoryProperty {
    private let entry: HistoryEntry
    private let map: ClassMap
    private let property: Property
    private let found: HistoryValue?
    /// Whether the change affected the property.
    let isChanged: Bool

    init(_ path: AnyKeyPath, _ type: (some Persistent).Type, _ entry: HistoryEntry) throws {
        self.entry = entry
        map = try ClassMap.map(of: ObjectMemory.objectClass(type))
        guard Naming.folded(entry.table) == Naming.folded(map.table) else {
            throw HistoryProperty.error("It belongs to the table \(entry.table), not to \(map.table)", entry, map)
        }
        guard case .property(let ordinal) = try KeyPathResolver.subject(of: path, in: map) else {
            throw HistoryProperty.error("It does not contain the row's id, which is the entry's object", entry, map)
        }
        property = map.properties[ordinal]
        guard property.isInHistory else {
            var error = HistoryProperty.error(
                "Inverses are not recorded. Use the references of the other side", entry, map)
            error.property = property.name
            throw error
        }
        // An unreadable list of values is an error, not an entry without values.
        let values = entry.values
        if let problem = entry.$values.problem { throw problem }
        let name = Naming.folded(property.column)
        found = values.first { Naming.folded($0.column) == name }
        guard let table = ChildTable(property, of: map).map({ Naming.folded($0.name) }) else {
            isChanged = found != nil
            return
        }
        let elements = entry.elements
        if let problem = entry.$elements.problem { throw problem }
        isChanged = found != nil || elements.contains { Naming.folded($0.table) == table }
    }

    func value<V>(_ side: KeyPath<HistoryValue, DatabaseValue?>) throws -> V? {
        if let codec = property.codec as? CollectionCodec { return try collection(codec, side == \.old) }
        if case .reference = property.shape {
            throw HistoryProperty.error(
                "\(property.name) is a reference, for which the history contains only the id. Use a PersistentID "
                    + "instead",
                entry,
                map)
        }
        guard var stored = found?[keyPath: side] else { return nil }
        if let sealing = property.sealing { stored = try opened(stored, sealing) }
        do throws(ValueFault) {
            if let value = try property.codec.boxed(stored) as? V { return value }
            throw .typeMismatch(expected: property.typeName, found: stored.storageClass)
        } catch { throw located(error) }
    }

    /// Decrypts a recorded value.
    private func opened(_ stored: DatabaseValue, _ sealing: PropertySealing) throws -> DatabaseValue {
        let session = try ObjectState(entry).session()
        return try session.enter("old(_:)", of: HistoryEntry.self) {
            do { return try PastObjects(session).opened(stored, sealing, map, entry.object) } catch let error
                as StoreError
            { throw located(error) }
        }
    }

    private func located(_ fault: ValueFault) -> StoreError { located(StoreError.value(fault)) }

    private func located(_ error: StoreError) -> StoreError {
        var error = error.at(className: map.name, property: property.name, rowID: entry.object)
        error.message = "History entry \(entry.id ?? 0): \(error.message)"
        return error
    }

    /// The whole collection before or after the entry.
    private func collection<V>(_ codec: CollectionCodec, _ isBefore: Bool) throws -> V? {
        guard isChanged, let id = entry.id else { return nil }
        let session = try ObjectState(entry).session()
        return try session.enter(isBefore ? "old(_:)" : "new(_:)", of: HistoryEntry.self) {
            try session.readTransaction.inOneState {
                let history = try RowHistory(
                    map, entry.object, session.connection, elementsOf: ChildTable(property, of: map)?.name)
                guard let row = try isBefore ? history.row(before: id) : history.row(after: id) else { return nil }
                guard !codec.acceptsNull || row.value(of: property) != .null else { return nil }
                let memory = ElementMemory(codec)
                codec.createNil(at: memory.address)
                defer { codec.destroy(memory.address) }
                do {
                    try PastObjects(session).put(row.elements(of: property, map), codec, into: memory.address)
                } catch let fault
                    as ValueFault
                { throw located(fault) }
                return codec.value(memory.address) as? V
            }
        }
    }

    func id(_ side: KeyPath<HistoryValue, DatabaseValue?>) throws -> Int64? {
        guard let stored = found?[keyPath: side] else { return nil }
        guard case .integer(let id) = stored else {
            throw HistoryProperty.error(
                "A reference is stored as an INTEGER, but the entry contains \(stored.storageClass)", entry, map)
        }
        return id
    }

    private static func error(_ message: String, _ entry: HistoryEntry, _ map: ClassMap) -> StoreError {
        StoreError(
            .misuse, "History entry \(entry.id ?? 0): \(message)", className: map.name, rowID: entry.object)
    }
}
