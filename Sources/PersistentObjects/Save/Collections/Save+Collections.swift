// Collections: the rows of arrays, sets and dictionaries that a change inserts, moves and deletes. It handles one
// owner's collection at a time, and must not depend on the save around it.

internal import StoreEngine

// A collection's rows are written after its owner's row, in the same transaction.
extension Save {
    /// Inserts the rows of a collection for owners that have no rows in it yet. The owners' headers have their ids.
    func insertCollections(_ space: ClassSpace, _ ordinal: Int, of objects: [PersistentObject]) throws {
        let property = space.map.properties[ordinal]
        guard let codec = property.codec as? CollectionCodec else { return }
        var rows = 0
        for object in objects {
            let start = ObjectMemory.start(of: object)
            if property.isLoaded(in: start) { rows += codec.count(property.address(in: start)) }
        }
        guard rows > 0 else { return }
        let inserter = try CollectionInserter(space, ordinal, rows: rows, areOwnersNew: true)
        let (elementPlan, keyPlan, isArray) = (codec.elementPlan, codec.keyPlan, codec.style == .array)
        for object in objects {
            let start = ObjectMemory.start(of: object)
            guard property.isLoaded(in: start) else { continue }
            let owner = object.rowID
            var position: Int64 = 0
            try codec.forEachRow(property.address(in: start)) { key, element in
                try inserter.add(owner) { statement, index in
                    if isArray {
                        position += PositionPlan.step
                        try statement.bind(position, at: index)
                        index += 1
                    } else if let key, let keyPlan {
                        try keyPlan.bind(key, to: statement, at: index)
                        index += 1
                    }
                    try elementPlan.bind(element, to: statement, at: index)
                    index += 1
                }
            }
        }
        try inserter.complete()
    }

    /// Writes only the changed rows of a saved object's collection.
    func updateCollection(_ space: ClassSpace, _ ordinal: Int, of object: PersistentObject) throws {
        let property = space.map.properties[ordinal]
        guard let codec = property.codec as? CollectionCodec else { return }
        let start = ObjectMemory.start(of: object)
        let state = property.box(in: start)?.state ?? .loaded
        guard state != .unloaded else { return }
        let update = try CollectionUpdate(space, ordinal, codec, object)
        if state == .assigned {
            let old = storedContent(space, ordinal, codec, of: object.rowID)
            // The stored links become the baseline, because the save compares with it to find orphans.
            if case .links(let image)? = old, let block = object.baseline {
                space.map.baseline.setImage(image, of: ordinal, in: block)
            }
            return try update.write(after: old)
        }
        guard let block = object.baseline else { return try update.rewrite() }
        if codec is any LinkCodec {
            return try update.write(after: .links(space.map.baseline.image(ordinal, in: block)))
        }
        try space.map.baseline.withOldValue(ordinal, in: block) { old in
            try update.write(after: old.map { .value($0) })
        }
    }

    /// The stored content of a collection that was never read; nil if it cannot be read.
    private func storedContent(
        _ space: ClassSpace, _ ordinal: Int, _ codec: CollectionCodec, of owner: Int64
    ) -> CollectionUpdate.Old? {
        var content: CollectionUpdate.Old?
        // Unreadable rows are ignored, because the new value replaces them. An SQLite failure recurs when the rows are
        // written.
        connection.uninterrupted {
            try? Fetch(session).readCollection(space, ordinal, owners: [owner]) { _, read in
                switch read {
                case .links(let image): content = .links(image)
                case .value(let address): content = .copy(ValueMemory(copying: address, codec))
                }
            }
        }
        return content
    }
}

/// Updates the rows of one collection to the object's value.
struct CollectionUpdate {
    let space: ClassSpace
    let ordinal: Int
    let codec: CollectionCodec
    let object: PersistentObject
    let sql: CollectionSQL
    /// The address of the object's value.
    let field: Address

    /// The stored content.
    enum Old {
        case links(LinkImage)
        case value(Address)
        case copy(ValueMemory)
    }

    init(_ space: ClassSpace, _ ordinal: Int, _ codec: CollectionCodec, _ object: PersistentObject) throws {
        self.space = space
        self.ordinal = ordinal
        self.codec = codec
        self.object = object
        sql = try space.collectionSQL(ordinal)
        field = space.map.properties[ordinal].address(in: ObjectMemory.start(of: object))
    }

    /// Writes the differences from the stored content, or all rows if the stored content is not known.
    func write(after old: Old?) throws {
        do {
            guard let old else { return try rewrite() }
            if codec.count(field) == 0 { return try deleteAll() }
            switch (old, codec.style) {
            case (.links(let image), .array): try writeArray(after: image.ids)
            case (.value(let address), .array): try writeArray(after: address)
            case (.copy(let memory), .array): try memory.withAddress { try writeArray(after: $0) }
            case (.links(let image), .set): try writeSet(after: Set(image.ids.map { .integer($0) }))
            case (.links(let image), .dictionary):
                try writeDictionary(after: Dictionary(rows: zip(image.keys, image.ids).map { ($0, .integer($1)) }))
            case (.value(let address), _): try writeRows(after: address)
            case (.copy(let memory), _): try memory.withAddress { try writeRows(after: $0) }
            }
        } catch { throw space.located(error, property: ordinal, rowID: object.rowID) }
    }

    /// Deletes all rows and inserts them again.
    func rewrite() throws {
        try deleteAll()
        try Save(space.session).insertCollections(space, ordinal, of: [object])
    }

    private func deleteAll() throws { try run(sql.deleteAll) { try $0.bind(object.rowID, at: 1) } }

    /// Runs a statement once.
    func run(_ sql: SQL, _ bind: (Statement) throws -> Void) throws {
        let statement = try space.session.connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        try bind(statement)
        try statement.send()
    }

    /// Runs a statement once, and returns the number of rows it changed.
    func count(_ sql: SQL, _ bind: (Statement) throws -> Void) throws -> Int {
        let statement = try space.session.connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        try bind(statement)
        try statement.run()
        return space.session.connection.changedRowCount
    }
}
