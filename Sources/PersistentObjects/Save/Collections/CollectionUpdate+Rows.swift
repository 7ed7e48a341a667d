internal import StoreEngine

// Updates of the rows of sets and dictionaries: removed rows are deleted, and new rows are inserted.
extension CollectionUpdate {
    /// A row in its stored form. The key of a set's row is NULL.
    typealias Row = (key: DatabaseValue, value: DatabaseValue)

    /// The differences between the rows of a collection and those of the database.
    struct Difference {
        /// The removed keys of a dictionary, or the removed values of a set.
        var removed: [DatabaseValue] = []
        /// The rows of a dictionary whose values changed.
        var changed: [Row] = []
        var fresh: [Row] = []
    }

    /// Writes a set or dictionary of values.
    func writeRows(after old: Address) throws {
        var difference = Difference()
        let isSet = codec.style == .set
        // Rows are compared in memory and only changed rows are encoded, because most rows are unchanged.
        try codec.forEachDifference(old, field) { kind, key, element in
            switch kind {
            case .removed: difference.removed.append(try isSet ? codec.element.encode(element) : encodedKey(key))
            case .changed: difference.changed.append(try row(key, element))
            case .fresh: difference.fresh.append(try row(key, element))
            }
        }
        // Keys that differ in Swift can have the same stored value, and one of them can be among the unchanged rows.
        guard difference.fresh.isEmpty || codec.keepsKeysApart else {
            let old = try encodedRows(old)
            return try isSet ? writeSet(after: Set(old.map(\.value))) : writeDictionary(after: Dictionary(rows: old))
        }
        try write(difference)
    }

    func writeSet(after old: Set<DatabaseValue>) throws {
        let rows = try encodedRows(field)
        let new = Set(rows.map(\.value))
        guard new.count == rows.count else {
            throw ValueFault.notStorable(reason: "two elements of the set have the same value in their column")
        }
        try write(
            Difference(removed: Array(old.subtracting(new)), fresh: rows.filter { !old.contains($0.value) }))
    }

    func writeDictionary(after old: [DatabaseValue: DatabaseValue]) throws {
        let rows = try encodedRows(field)
        let new = Dictionary(rows: rows)
        guard new.count == rows.count else {
            throw ValueFault.notStorable(reason: "two keys of the dictionary have the same value in their column")
        }
        var difference = Difference(removed: old.keys.filter { new[$0] == nil })
        for row in rows {
            if let before = old[row.key] {
                if before != row.value { difference.changed.append(row) }
            } else {
                difference.fresh.append(row)
            }
        }
        try write(difference)
    }

    private func write(_ difference: Difference) throws {
        for key in difference.removed {
            try run(sql.deleteRow) {
                try $0.bind(object.rowID, at: 1)
                try $0.bind(key, at: 2)
            }
        }
        var added = difference.fresh
        for row in difference.changed {
            let count = try count(sql.updateValue) {
                try $0.bind(row.value, at: 1)
                try $0.bind(object.rowID, at: 2)
                try $0.bind(row.key, at: 3)
            }
            // Another session removed the key.
            if count == 0 { added.append(row) }
        }
        let inserter = try CollectionInserter(space, ordinal, rows: added.count, isMerging: true)
        for row in added {
            try inserter.add(object.rowID) { statement, index in
                if codec.style == .dictionary {
                    try statement.bind(row.key, at: index)
                    index += 1
                }
                try statement.bind(row.value, at: index)
                index += 1
            }
        }
        try inserter.complete()
    }

    private func encodedRows(_ field: Address) throws -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(codec.count(field))
        try codec.forEachRow(field) { key, element in rows.append(try row(key, element)) }
        return rows
    }

    private func row(_ key: Address?, _ element: Address) throws -> Row {
        // A new object already has its id during the save.
        let value: DatabaseValue =
            try codec.element is ReferenceCodec
            ? .integer(CollectionLinks.rowID(at: element)) : codec.element.encode(element)
        return (try encodedKey(key), value)
    }

    private func encodedKey(_ key: Address?) throws -> DatabaseValue {
        try key.flatMap { try codec.key?.encode($0) } ?? .null
    }
}

extension Dictionary<DatabaseValue, DatabaseValue> {
    /// The values of rows by their keys.
    init(rows: [CollectionUpdate.Row]) {
        self.init(rows.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
