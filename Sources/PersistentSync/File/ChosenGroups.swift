internal import PersistentObjects
internal import StoreEngine

/// The groups that the user chose for objects since the last call of a replica.
enum ChosenGroups {
    /// Remembers a choice in the current transaction of a session.
    static func choose(_ group: GroupID, for id: Int64, of className: String, in session: Session) throws {
        try session.enter {
            try session.write {
                try session.connection.run(
                    "INSERT OR REPLACE INTO \"po_sync_chosen\" (\"class\", \"row\", \"grp\") VALUES (?, ?, ?)",
                    [.text(className), .integer(id), group.number.blob])
            }
        }
    }

    /// The choices, by class and row.
    static func all(_ connection: any Connection) throws -> [String: [Int64: GroupID]] {
        var groups: [String: [Int64: GroupID]] = [:]
        try connection.forEachRow(of: "SELECT \"class\", \"row\", \"grp\" FROM \"po_sync_chosen\"") { row in
            guard let name = row[0].text, let id = row[1].integer, let group = UInt128(row[2]) else { return }
            groups[name, default: [:]][id] = GroupID(group)
        }
        return groups
    }

    static func clear(_ connection: any Connection) throws { try connection.run("DELETE FROM \"po_sync_chosen\"") }
}
