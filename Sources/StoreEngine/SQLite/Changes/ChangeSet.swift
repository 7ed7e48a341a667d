internal import CSQLite

/// The changes of one transaction, row by row: the old values and the new ones.
struct ChangeSet: RowChanges {
    let bytes: [UInt8]
    /// The tables in it, at the time of the changes.
    let shapes: [String: TableShape]

    // The names of columns are not counted.
    var byteCount: Int { bytes.count }

    func inverted() throws(StoreError) -> any RowChanges {
        var count: Int32 = 0
        var memory: UnsafeMutableRawPointer?
        let code = bytes.withUnsafeBytes {
            sqlite3changeset_invert(Int32($0.count), $0.baseAddress, &count, &memory)
        }
        guard code == SQLITE_OK else { throw .engine(code, message: "The change set cannot be inverted") }
        return ChangeSet(bytes: ChangeSet.taking(memory, count), shapes: shapes)
    }

    /// Takes over the bytes that SQLite allocated, and frees them.
    static func taking(_ memory: UnsafeMutableRawPointer?, _ count: Int32) -> [UInt8] {
        defer { sqlite3_free(memory) }
        return Array(UnsafeRawBufferPointer(start: memory, count: memory == nil ? 0 : Int(count)))
    }
}

// The rows of the change set.
extension ChangeSet {
    func rows() throws -> [ChangedRow] {
        var rows: [ChangedRow] = []
        // The rows of a table are adjacent, and most of them change in the same columns.
        var table: (name: String, shape: TableShape?) = ("", nil)
        var columns: (places: [Int], names: [String]) = ([], [])
        try forEach { change in
            if change.table != table.name {
                table = (change.table, shapes[change.table])
                columns = ([], [])
            }
            let places = change.changedPlaces(table.shape)
            if places != columns.places {
                columns = (places, places.compactMap { table.shape?.columns[$0] })
            }
            rows.append(
                ChangedRow(
                    table: table.name, operation: change.operation, key: change.numberKey(table.shape),
                    columns: columns.names))
        }
        return rows
    }

    /// One change during iteration; its values belong to SQLite and are valid only as long as the change.
    struct Change {
        let table: String
        let operation: ChangedRow.Operation
        let columnCount: Int32
        fileprivate let iterator: OpaquePointer

        /// The old value of a column; nil if it is not recorded because it does not change.
        func old(_ column: Int) -> OpaquePointer? {
            var value: OpaquePointer?
            guard operation != .insert else { return nil }
            sqlite3changeset_old(iterator, Int32(column), &value)
            return value
        }

        /// The new value of a column; nil if it does not change.
        func new(_ column: Int) -> OpaquePointer? {
            var value: OpaquePointer?
            guard operation != .delete else { return nil }
            sqlite3changeset_new(iterator, Int32(column), &value)
            return value
        }

        /// A column of the primary key.
        func key(_ column: Int) -> OpaquePointer? { operation == .insert ? new(column) : old(column) }

        func numberKey(_ shape: TableShape?) -> Int64? {
            guard let place = shape?.keys.first, let value = key(place),
                sqlite3_value_type(value) == SQLITE_INTEGER
            else { return nil }
            return sqlite3_value_int64(value)
        }

        /// The places of the columns that an update changes.
        func changedPlaces(_ shape: TableShape?) -> [Int] {
            guard operation == .update, let shape else { return [] }
            return (0..<Swift.min(Int(columnCount), shape.columns.count)).filter { new($0) != nil }
        }
    }

    func forEach(_ body: (Change) throws -> Void) throws {
        _ = try contains { change in
            try body(change)
            return false
        }
    }

    /// Whether no row differs from its old state. A row that was written and restored may be recorded because of the
    /// defaults of columns that were added after it.
    var isEmpty: Bool {
        if bytes.isEmpty { return true }
        return (try? contains { !isOfDefaultsOnly($0) }) == false
    }

    private func isOfDefaultsOnly(_ change: Change) -> Bool {
        guard change.operation == .update, let shape = shapes[change.table] else { return false }
        return (0..<Int(change.columnCount)).allSatisfy { place in
            guard let new = change.new(place) else { return true }
            guard shape.isDefault(change.old(place), place), let value = try? ColumnValue(new).value() else {
                return false
            }
            return SQLLiteral(value, read: { Double($0) })?.text == shape.defaults[place]
        }
    }

    private func contains(_ isWanted: (Change) throws -> Bool) throws -> Bool {
        try bytes.withUnsafeBytes { bytes throws in
            var iterator: OpaquePointer?
            // Only read, although the C declaration is mutable.
            let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            let code = sqlite3changeset_start(&iterator, Int32(bytes.count), start)
            guard code == SQLITE_OK, let iterator else {
                throw StoreError.engine(code, message: "The change set cannot be read")
            }
            defer { sqlite3changeset_finalize(iterator) }
            while true {
                let code = sqlite3changeset_next(iterator)
                if code == SQLITE_DONE { return false }
                guard code == SQLITE_ROW else {
                    throw StoreError.engine(code, message: "The change set cannot be read")
                }
                if try isWanted(ChangeSet.change(at: iterator)) { return true }
            }
        }
    }

    private static func change(at iterator: OpaquePointer) -> Change {
        var name: UnsafePointer<CChar>?
        var count: Int32 = 0
        var operation: Int32 = 0
        sqlite3changeset_op(iterator, &name, &count, &operation, nil)
        return Change(
            table: name.map { String(cString: $0) } ?? "",
            operation: operation == SQLITE_INSERT ? .insert : operation == SQLITE_DELETE ? .delete : .update,
            columnCount: count, iterator: iterator)
    }
}
