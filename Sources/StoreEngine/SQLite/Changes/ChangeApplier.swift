internal import CSQLite

/// Writes change sets into the database, completely or not at all.
///
/// Rows are compared with the old values of the change set; columns that it does not change may have changed since. All
/// deletions come before all insertions, so that rows may exchange unique values. A row whose unique values stay is
/// updated where it is, usually with one statement that compares and writes.
final class ChangeApplier {
    private let connection: SQLiteConnection
    private let shapes: TableShapes
    private let sealed: SealedChanges
    private var tables: [String: ChangeTable] = [:]
    /// The table of the last change, because the changes of a table are adjacent.
    private var last: ChangeTable?

    /// Call it in a transaction that was begun in `withoutRules`.
    init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        shapes = try TableShapes(connection)
        sealed = try SealedChanges(connection)
    }

    /// Writes change sets one after the other, and checks that no reference dangles.
    ///
    /// - Throws: `ChangeConflict`; the transaction must then be rolled back.
    func apply(_ sets: [ChangeSet]) throws {
        for set in sets { try apply(set) }
        guard tables.values.contains(where: { $0.references?.isEmpty == false }) else { return }
        for set in sets {
            try set.forEach { change in
                let table = try table(of: change, set)
                guard let references = table.references else { return }
                let isBroken = try change.operation != .delete && references.isBroken(change, table)
                if isBroken { throw conflict(.targetDeleted, change, set) }
                if let other = try references.tableReferring(to: change, table) {
                    throw conflict(.referredTo(by: other), change, set)
                }
            }
        }
    }

    private func apply(_ set: ChangeSet) throws {
        // The rows that are deleted and inserted again, with nil for a row that is updated where it is.
        var updated: [[ReplacedValue]?] = []
        var insertsRows = false
        try set.forEach { change in
            let table = try table(of: change, set)
            let places = change.operation == .update ? table.placesToUpdate(change) : nil
            if let places, try table.updateIfUnchanged(change, places) {
                updated.append(nil)
                return
            }
            let isThere: Bool? = try table.withRow(change) { column in
                guard change.operation != .insert else { throw conflict(.exists, change, set) }
                for place in 0..<Int(change.columnCount) {
                    guard let old = change.old(place), let now = column(place) else { continue }
                    if table.shape.isDefault(old, place) { continue }
                    guard
                        ChangeApplier.isSame(old, now)
                            || sealed.isSame(old, now, change.table, table.shape.columns, place, key: column)
                    else { throw conflict(.changed, change, set) }
                }
                if change.operation == .update {
                    let columns = places == nil ? table.shape.columns.indices : 0..<0
                    let row = columns.map { place in
                        ReplacedValue(place < change.columnCount ? change.new(place) ?? column(place) : column(place))
                    }
                    updated.append(places == nil ? row : nil)
                }
                return true
            }
            if change.operation != .delete, places == nil { insertsRows = true }
            guard change.operation != .insert else { return }
            guard isThere != nil else { throw conflict(.rowDeleted, change, set) }
            if let places { try table.update(change, places) } else { try table.delete(change) }
        }
        guard insertsRows else { return }
        var next = updated.makeIterator()
        try set.forEach { change in
            let table = try table(of: change, set)
            do {
                switch change.operation {
                case .delete: break
                case .insert: try table.insert(Int(change.columnCount)) { change.new($0) }
                case .update:
                    guard let row = next.next() ?? nil else { break }
                    try table.insert(row.count) { row[$0].value }
                }
            } catch let error as StoreError where error.code == .notUnique {
                throw conflict(.taken, change, set)
            }
        }
    }

    private func conflict(_ kind: ChangeConflict.Kind, _ change: ChangeSet.Change, _ set: ChangeSet) -> ChangeConflict {
        ChangeConflict(kind: kind, table: change.table, key: change.numberKey(set.shapes[change.table]))
    }

    private func table(of change: ChangeSet.Change, _ set: ChangeSet) throws -> ChangeTable {
        if let last, last.name == change.table { return last }
        if let known = tables[change.table] {
            last = known
            return known
        }
        guard let shape = shapes.shapes[change.table], let recorded = set.shapes[change.table],
            shape.takesRows(of: recorded)
        else { throw ChangeConflict(kind: .altered, table: change.table, key: nil) }
        let table = try ChangeTable(change.table, shape, connection)
        table.references = try ChangedReferences(table.name, shape, try foreignKeys(), connection)
        tables[change.table] = table
        last = table
        return table
    }

    private var knownForeignKeys: [ChangedReferences.ForeignKey]?

    /// The foreign keys of all tables.
    private func foreignKeys() throws -> [ChangedReferences.ForeignKey] {
        if let knownForeignKeys { return knownForeignKeys }
        var found: [ChangedReferences.ForeignKey] = []
        // SQLite compares names case-insensitively.
        let names = Dictionary(shapes.shapes.keys.map { ($0.lowercased(), $0) }) { first, _ in first }
        // A foreign key without columns refers to the primary key.
        let statement = try connection.statement(
            """
            SELECT k.id, k."from", k."table", coalesce(k."to", (SELECT name FROM pragma_table_info(k."table") \
            WHERE pk = k.seq + 1)) FROM pragma_foreign_key_list(?1) AS k ORDER BY k.id, k.seq
            """)
        defer { statement.finish() }
        for name in shapes.shapes.keys {
            statement.reset()
            statement.beginBinding()
            do throws(ValueFault) { try statement.bind(name, at: 1) } catch { throw StoreError.value(error) }
            var last: Int64?
            while try statement.step() {
                guard let target = names[try statement.text(2).lowercased()] else { continue }
                let columns = (try statement.text(1), try statement.text(3))
                if last != statement.integer(0) {
                    found.append(ChangedReferences.ForeignKey(table: name, target: target))
                }
                last = statement.integer(0)
                found[found.count - 1].columns.append(columns.0)
                found[found.count - 1].targetColumns.append(columns.1)
            }
        }
        knownForeignKeys = found
        return found
    }

    /// Whether two values are equal to the bit.
    private static func isSame(_ a: OpaquePointer, _ b: OpaquePointer) -> Bool {
        let type = sqlite3_value_type(a)
        guard type == sqlite3_value_type(b) else { return false }
        switch type {
        case SQLITE_NULL: return true
        case SQLITE_INTEGER: return sqlite3_value_int64(a) == sqlite3_value_int64(b)
        case SQLITE_FLOAT: return sqlite3_value_double(a).bitPattern == sqlite3_value_double(b).bitPattern
        default:
            // For text, the pointer must be read before the count, because reading it may change the encoding.
            let isText = type == SQLITE_TEXT
            func bytes(_ value: OpaquePointer) -> UnsafeRawBufferPointer {
                let start = isText ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
                return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
            }
            let (a, b) = (bytes(a), bytes(b))
            return a.count == b.count && a.elementsEqual(b)
        }
    }
}

/// A value of a row that is being replaced.
private final class ReplacedValue {
    let value: OpaquePointer?

    init(_ value: OpaquePointer?) { self.value = value.flatMap { sqlite3_value_dup($0) } }

    deinit { sqlite3_value_free(value) }
}
