package import StoreEngine

/// The values of synced tables that this file has encrypted again. Devices exchange the encrypted bytes, and a new
/// encryption is no change, so the file remembers which of the exchanged bytes a row shows.
package struct ResealedValues {
    private let connection: any Connection

    package init(_ connection: any Connection) { self.connection = connection }

    /// Whether the changes of a table are captured for sync.
    func areNeeded(for table: String) throws -> Bool {
        guard try connection.schema.definition(of: CaptureNames.tables) != nil else { return false }
        let sql: SQL = "SELECT 1 FROM \(name: CaptureNames.tables) WHERE lower(\"name\") = ?"
        return try !connection.prepare(sql).rows([.text(Naming.folded(table))]).isEmpty
    }

    /// Whether a row's value is another encryption of a value that devices exchange.
    func isSame(_ own: DatabaseValue, _ exchanged: DatabaseValue) throws -> Bool {
        guard let own = ResealedValues.tag(own), let exchanged = ResealedValues.tag(exchanged) else { return false }
        return own == exchanged ? true : try origin(of: own) == exchanged
    }

    /// Records that a value was encrypted again.
    func replace(_ old: DatabaseValue, by new: DatabaseValue) throws {
        guard let old = ResealedValues.tag(old), let new = ResealedValues.tag(new) else { return }
        let origin = try origin(of: old) ?? old
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(name: CaptureNames.resealed) ("value" BLOB PRIMARY KEY, "origin" BLOB NOT NULL) \
            STRICT, WITHOUT ROWID
            """)
        try forget(tag: old)
        try connection.prepare("INSERT OR REPLACE INTO \(name: CaptureNames.resealed) VALUES (?, ?)").execute([
            new, origin,
        ])
    }

    /// Forgets a value that no row has any more.
    func forget(_ value: DatabaseValue) throws {
        guard try exists, let tag = ResealedValues.tag(value) else { return }
        try forget(tag: tag)
    }

    private func forget(tag: DatabaseValue) throws {
        try connection.prepare("DELETE FROM \(name: CaptureNames.resealed) WHERE \"value\" = ?").execute([tag])
    }

    private func origin(of tag: DatabaseValue) throws -> DatabaseValue? {
        guard try exists else { return nil }
        let sql: SQL = "SELECT \"origin\" FROM \(name: CaptureNames.resealed) WHERE \"value\" = ?"
        return try connection.prepare(sql).rows([tag]).first?[0]
    }

    private var exists: Bool { get throws { try connection.schema.definition(of: CaptureNames.resealed) != nil } }

    /// The authentication tag at the end of an encrypted value, which two encryptions never share.
    private static func tag(_ value: DatabaseValue) -> DatabaseValue? {
        guard case .blob(let bytes) = value, SealedForm(value) != nil else { return nil }
        return .blob(Array(bytes.suffix(16)))
    }
}
