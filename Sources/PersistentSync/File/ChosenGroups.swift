internal import PersistentObjects
internal import StoreEngine

/// The groups that the user chose for objects since the last call of a replica.
enum ChosenGroups {
    /// Remembers a choice in the current transaction of a session.
    static func choose(_ group: GroupID?, for id: Int64, of className: String, in session: Session) throws {
        try session.enter {
            try session.write { try choose(group, for: id, of: className, in: session.connection) }
        }
    }

    /// Remembers a choice in the current transaction of a connection.
    ///
    /// - Parameter group: A group of the file's device; nil for the one that contains the objects without a choice.
    static func choose(
        _ group: GroupID?, for id: Int64, of className: String, in connection: any Connection
    ) throws {
        let sql: SQL = """
            INSERT OR REPLACE INTO "po_sync_chosen" ("class", "row", "grp") SELECT ?, ?, "grp" FROM "po_sync_group" \
            WHERE "grp" = coalesce(?, (SELECT "value" FROM "po_sync_self" WHERE "name" = 'group'))
            """
        do {
            try connection.run(sql, [.text(className), .integer(id), group?.number.blob ?? .null])
            if connection.changedRowCount == 1 { return }
        } catch {
            // Without a device there are no tables.
            guard try !StateTables(connection).exist else { throw error }
        }
        throw SyncError(
            .notAuthorised,
            "The device of this store is not in the group that was chosen for the object \(className) #\(id). Nothing was "
                + "changed. Join the group with an invitation, or choose a group of this device")
    }

    /// Whether there are choices.
    static func exist(_ connection: any Connection) throws -> Bool {
        try !connection.rows("SELECT 1 FROM \"po_sync_chosen\" LIMIT 1").isEmpty
    }

    /// The choices, by the names under which devices exchange the classes.
    static func all(_ objects: FileObjects) throws -> [String: ChosenRows] {
        var chosen: [String: ChosenRows] = [:]
        let sql: SQL = "SELECT \"class\", \"row\", \"grp\" FROM \"po_sync_chosen\" ORDER BY \"row\""
        try objects.connection.forEachRow(of: sql) { row in
            guard let name = row[0].text, let id = row[1].integer, let group = UInt128(row[2]) else { return }
            // The class can have been renamed since the choice.
            chosen[objects.syncedName(of: name), default: ChosenRows()].append(id, GroupID(group))
        }
        return chosen
    }

    static func clear(_ connection: any Connection) throws { try connection.run("DELETE FROM \"po_sync_chosen\"") }
}

/// The rows of a class for which groups were chosen, in the order of their ids, because there can be many.
struct ChosenRows {
    private var ids: [Int64] = []
    // Many rows share few groups.
    private var groups: [UInt32] = []
    private var known = Interned<GroupID>()

    /// - Parameter id: A greater id than those before.
    mutating func append(_ id: Int64, _ group: GroupID) {
        ids.append(id)
        groups.append(known.index(of: group))
    }

    var all: some Sequence<(id: Int64, group: GroupID)> { zip(ids, groups).lazy.map { (id: $0, group: known[$1]) } }

    /// The group that was chosen for a row.
    subscript(id: Int64) -> GroupID? {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[low] == id ? known[groups[low]] : nil
    }
}
