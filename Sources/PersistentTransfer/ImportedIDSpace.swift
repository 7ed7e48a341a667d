internal import PersistentObjects
internal import StoreEngine

/// Assigns the ids of imported rows, and resolves the ids and keys in the file.
final class ImportedIDSpace {
    private let session: Session
    private let keepsIDs: Bool
    /// The offset of the ids, by table.
    private var offsets: [String: Int64] = [:]
    /// The largest id so far, by table.
    private var largest: [String: Int64] = [:]
    /// Rows that were referred to by key but have not appeared yet, by table and key.
    private var awaited: [Name: Awaited] = [:]
    /// The ids of rows that appeared but are not in the database yet.
    private var unwritten: [Name: Int64] = [:]
    /// The tables into which rows are imported. Ids of other tables are not offset.
    private let imported: Set<String>

    /// Writes the rows that are not in the database yet.
    var writeAll: (() throws -> Void)?

    private struct Name: Hashable {
        let table: String
        let key: DatabaseValue
    }

    private struct Awaited {
        let id: Int64
        let origin: RowOrigin
        let className: String
        let key: String
    }

    init(_ session: Session, into spaces: [ClassSpace], keepsIDs: Bool) {
        self.session = session
        self.keepsIDs = keepsIDs
        imported = Set(spaces.map(\.map.table))
    }

    /// The offset of the ids of a table.
    func offset(_ space: ClassSpace) throws -> Int64 {
        let table = space.map.table
        if let known = offsets[table] { return known }
        let last = try session.lastID(space)
        let offset = keepsIDs || !imported.contains(table) ? 0 : last
        offsets[table] = offset
        largest[table] = max(largest[table] ?? 0, last)
        return offset
    }

    /// The id in the store for an id in the file.
    func id(_ id: Int64, _ space: ClassSpace) throws -> Int64 {
        let offset = try offset(space)
        guard id > 0 || offset == 0 else {
            throw TransferError(
                "The id \(id) is less than 1, so adding the largest existing id could give the id of another row. Import "
                    + "it with ids: .kept, or into a table without rows",
                className: space.map.name, property: JSONNames.id)
        }
        let (sum, overflow) = id.addingReportingOverflow(offset)
        guard !overflow, sum != .min else {
            throw TransferError(
                "The id \(id) is too large to be offset by the largest existing id", className: space.map.name)
        }
        return sum
    }

    /// The id in the file for the id of an imported row.
    func fileID(_ id: Int64, _ map: ClassMap) -> Int64 { map.keyOrdinal == nil ? id - (offsets[map.table] ?? 0) : id }

    /// The id for a row of the file, whether or not the file has an id for it.
    func idOfRow(_ id: Int64?, _ space: ClassSpace) throws -> Int64 {
        let moved = try id.map { try self.id($0, space) }
        guard moved != .max || space.map.takesGivenIDs else {
            throw TransferError(
                "An id must be at most Int64.max - 1, because no row could be added after a row with the id Int64.max",
                className: space.map.name, property: JSONNames.id)
        }
        return try moved.map { record($0, space) } ?? next(space)
    }

    private func record(_ id: Int64, _ space: ClassSpace) -> Int64 {
        largest[space.map.table] = max(largest[space.map.table] ?? 0, id)
        return id
    }

    private func next(_ space: ClassSpace) throws -> Int64 {
        _ = try offset(space)
        let (id, overflow) = (largest[space.map.table] ?? 0).addingReportingOverflow(1)
        guard !overflow, id < .max else { throw TransferError(StoreError.idsUsedUp).at(className: space.map.name) }
        return record(id, space)
    }

    // MARK: Keys

    /// The id for a row with a key, and whether the row exists.
    func id(key: DatabaseValue, _ space: ClassSpace) throws -> (id: Int64, isThere: Bool) {
        let name = Name(table: space.map.table, key: key)
        // The file contains the object a second time, and that row must update the first, so the first is written now.
        if unwritten[name] != nil { try writeAll?() }
        if let id = try storedID(name, space) { return (id, true) }
        let id = try awaited[name]?.id ?? next(space)
        unwritten[name] = id
        return (id, false)
    }

    /// The id of the row with a key. The row may appear later in the file.
    func reference(key text: String, _ space: ClassSpace, _ origin: RowOrigin) throws -> Int64 {
        let key = try space.map.storedKey(text)
        let name = Name(table: space.map.table, key: key)
        if let id = try unwritten[name] ?? awaited[name]?.id ?? storedID(name, space) { return id }
        let id = try next(space)
        awaited[name] = Awaited(id: id, origin: origin, className: space.map.name, key: text)
        return id
    }

    private func storedID(_ name: Name, _ space: ClassSpace) throws -> Int64? {
        guard let ordinal = space.map.keyOrdinal else { return nil }
        let column = space.map.properties[ordinal].column
        let statement = try session.connection.statement(
            "SELECT \(name: "id") FROM \(name: name.table) WHERE \(name: column) = ?")
        defer { statement.finish() }
        statement.beginBinding()
        do { try statement.bind(name.key, at: 1) } catch { throw space.located(error, property: ordinal) }
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Called when all rows so far are in the database.
    func didWrite() {
        for (name, id) in unwritten where awaited[name]?.id == id { awaited[name] = nil }
        unwritten.removeAll(keepingCapacity: true)
    }

    /// Called if a row could not be written.
    func didFail(_ id: Int64) { unwritten = unwritten.filter { $0.value != id } }

    /// The error for a key that was referred to but never appeared.
    var missing: TransferError? {
        guard let first = awaited.values.min(by: { ($0.origin.line ?? 0) < ($1.origin.line ?? 0) }) else { return nil }
        return first.origin.locate(
            TransferError(
                "The object refers to \(first.className) with the key \"\(VisibleText.of(first.key, 60))\", which "
                    + "is neither in the file nor in the store"))
    }
}
