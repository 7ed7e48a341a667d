// Collections: the rows of arrays, sets and dictionaries: which of them a change inserts, moves and deletes. It
// knows one owner's collection at a time, and must not know the save around it.

internal import StoreEngine

// A collection's rows are written after its owner's row, in the same transaction.
extension Session {
    /// Inserts the rows of a collection of owners that have none yet; their headers have their ids.
    func insertCollections(_ space: ClassSpace, _ place: Int, of objects: [PersistentObject]) throws {
        let property = space.map.properties[place]
        guard let codec = property.codec as? CollectionCodec else { return }
        var rows = 0
        for object in objects {
            let start = ObjectMemory.start(of: object)
            if property.isLoaded(in: start) { rows += codec.count(property.address(in: start)) }
        }
        guard rows > 0 else { return }
        let inserter = try CollectionInserter(space, place, rows: rows, areOwnersNew: true)
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

    /// Writes what is different in a collection of a saved object: only those rows.
    func updateCollection(_ space: ClassSpace, _ place: Int, of object: PersistentObject) throws {
        let property = space.map.properties[place]
        guard let codec = property.codec as? CollectionCodec else { return }
        let start = ObjectMemory.start(of: object)
        let state = property.box(in: start)?.state ?? .loaded
        guard state != .unloaded else { return }
        let update = try CollectionUpdate(space, place, codec, object)
        if state == .assigned {
            let old = storedContent(space, place, codec, of: object.rowID)
            // What is taken out is looked at after the save.
            if case .links(let image)? = old, let block = object.baseline {
                space.map.baseline.setImage(image, of: place, in: block)
            }
            return try update.write(after: old)
        }
        guard let block = object.baseline else { return try update.rewrite() }
        if codec is any LinkCodec {
            return try update.write(after: .links(space.map.baseline.image(place, in: block)))
        }
        try space.map.baseline.withOldValue(place, in: block) { old in
            try update.write(after: old.map { .value($0) })
        }
    }

    /// What the database has of a collection that was never read; nil where it cannot be read.
    private func storedContent(
        _ space: ClassSpace, _ place: Int, _ codec: CollectionCodec, of owner: Int64
    ) -> CollectionUpdate.Old? {
        var content: CollectionUpdate.Old?
        // Rows that no longer mean anything are what a new value is assigned for; a failure of SQLite's comes again.
        connection.uninterrupted {
            try? readCollection(space, place, owners: [owner]) { _, read in
                switch read {
                case .links(let image): content = .links(image)
                case .value(let address): content = .copy(ValueMemory(copying: address, codec))
                }
            }
        }
        return content
    }
}

/// Brings the rows of one collection to what the object has.
struct CollectionUpdate {
    let space: ClassSpace
    let place: Int
    let codec: CollectionCodec
    let object: PersistentObject
    let sql: CollectionSQL
    /// Where the object's value is.
    let field: Address

    /// What the database has.
    enum Old {
        case links(LinkImage)
        case value(Address)
        case copy(ValueMemory)
    }

    init(_ space: ClassSpace, _ place: Int, _ codec: CollectionCodec, _ object: PersistentObject) throws {
        self.space = space
        self.place = place
        self.codec = codec
        self.object = object
        sql = try space.collectionSQL(place)
        field = space.map.properties[place].address(in: ObjectMemory.start(of: object))
    }

    /// Writes the difference to what the database has; all rows, where that is not known.
    func write(after old: Old?) throws {
        do {
            guard let old else { return try rewrite() }
            if codec.count(field) == 0 { return try deleteAll() }
            switch (old, codec.style) {
            case (.links(let image), .array): try writeArray(after: image.ids)
            case (.value(let address), .array): try writeArray(after: address)
            case (.copy(let memory), .array): try writeArray(after: memory.address)
            case (.links(let image), .set): try writeSet(after: Set(image.ids.map { .integer($0) }))
            case (.value(let address), .set): try writeSet(after: Set(encodedRows(address).map(\.value)))
            case (.copy(let memory), .set): try writeSet(after: Set(encodedRows(memory.address).map(\.value)))
            case (.links(let image), .dictionary):
                try writeDictionary(after: pairs(zip(image.keys, image.ids).map { ($0, .integer($1)) }))
            case (.value(let address), .dictionary): try writeDictionary(after: pairs(encodedRows(address)))
            case (.copy(let memory), .dictionary): try writeDictionary(after: pairs(encodedRows(memory.address)))
            }
        } catch { throw space.located(error, property: place, rowID: object.rowID) }
    }

    /// Deletes all rows and inserts them anew.
    func rewrite() throws {
        try deleteAll()
        try space.session.insertCollections(space, place, of: [object])
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

    /// Runs a statement once; the answer is how many rows it changed.
    private func count(_ sql: SQL, _ bind: (Statement) throws -> Void) throws -> Int {
        let statement = try space.session.connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        try bind(statement)
        try statement.run()
        return space.session.connection.changedRowCount
    }

    // MARK: Sets and dictionaries

    private typealias Row = (key: DatabaseValue, value: DatabaseValue)

    /// The rows of a value as columns hold them; of a set the keys are NULL.
    private func encodedRows(_ field: Address) throws -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(codec.count(field))
        let isLink = codec.element is ReferenceCodec
        try codec.forEachRow(field) { key, element in
            let key: DatabaseValue = try key.flatMap { try codec.key?.encode($0) } ?? .null
            // An object that is being saved has its coming id.
            rows.append(
                (key, isLink ? .integer(CollectionLinks.rowID(at: element)) : try codec.element.encode(element)))
        }
        return rows
    }

    private func pairs(_ rows: [Row]) -> [DatabaseValue: DatabaseValue] {
        Dictionary(rows.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private func writeSet(after old: Set<DatabaseValue>) throws {
        let rows = try encodedRows(field)
        let new = Set(rows.map(\.value))
        guard new.count == rows.count else {
            throw ValueFault.notStorable(reason: "two elements of the set are the same value in a column")
        }
        for value in old.subtracting(new) {
            try run(sql.deleteRow) {
                try $0.bind(object.rowID, at: 1)
                try $0.bind(value, at: 2)
            }
        }
        let added = rows.filter { !old.contains($0.value) }
        let inserter = try CollectionInserter(space, place, rows: added.count, isMerging: true)
        for row in added {
            try inserter.add(object.rowID) { statement, index in
                try statement.bind(row.value, at: index)
                index += 1
            }
        }
        try inserter.complete()
    }

    private func writeDictionary(after old: [DatabaseValue: DatabaseValue]) throws {
        let rows = try encodedRows(field)
        let new = pairs(rows)
        guard new.count == rows.count else {
            throw ValueFault.notStorable(reason: "two keys of the dictionary are the same value in a column")
        }
        for key in old.keys where new[key] == nil {
            try run(sql.deleteRow) {
                try $0.bind(object.rowID, at: 1)
                try $0.bind(key, at: 2)
            }
        }
        var added: [Row] = []
        for row in rows {
            guard let before = old[row.key] else {
                added.append(row)
                continue
            }
            guard before != row.value else { continue }
            let count = try count(sql.updateValue) {
                try $0.bind(row.value, at: 1)
                try $0.bind(object.rowID, at: 2)
                try $0.bind(row.key, at: 3)
            }
            // Somebody else has taken the key out.
            if count == 0 { added.append(row) }
        }
        let inserter = try CollectionInserter(space, place, rows: added.count, isMerging: true)
        for row in added {
            try inserter.add(object.rowID) { statement, index in
                try statement.bind(row.key, at: index)
                try statement.bind(row.value, at: index + 1)
                index += 2
            }
        }
        try inserter.complete()
    }
}
