internal import CSQLite

// What a program must know of a file before it reads or writes it. Versions to come write it; this one has nothing yet
// that another must know.
extension SQLiteConnection {
    /// The features that this version knows, by name.
    static let knownFeatures: Set<String> = []

    /// The table of features: name, what those who do not know one must not do, and which version wrote it.
    package static let featureTable = "po_feature"

    /// Refuses a file that has what this version does not know and must to read it; where it must know it to write it
    /// the file is opened for reading only.
    func checkFeatures() throws(StoreError) {
        let isThere: SQL = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'po_feature'"
        guard try value(isThere) != nil else { return }
        let statement = try prepare(
            "SELECT name, level, version FROM \(name: SQLiteConnection.featureTable) ORDER BY name")
        while try statement.step() {
            let (name, level, version) = (try statement.text(0), try statement.text(1), try statement.text(2))
            guard !SQLiteConnection.knownFeatures.contains(name) else { continue }
            let message =
                "The file uses \(name), written by version \(version), which this version, "
                + "\(LibraryVersion.current), does not support"
            // A level that is unknown too may be about reading.
            guard level == "writing" else {
                throw StoreError(.foreignFile, "\(message). Use version \(version) or later")
            }
            writeRefusal = StoreError(
                .readOnly, "\(message). The file can be read; to write it, use version \(version) or later")
        }
    }

    /// Makes a file of an earlier format one of the present one; call it in the transaction that first writes what the
    /// earlier one did not have.
    package func upgradeFormat() throws(StoreError) {
        try execute(
            """
            CREATE TABLE IF NOT EXISTS \(name: SQLiteConnection.featureTable) (name TEXT PRIMARY KEY NOT NULL, \
            level TEXT NOT NULL, version TEXT NOT NULL) STRICT
            """)
        guard case .integer(SQLiteConnection.applicationID)? = try value("PRAGMA application_id"),
            case .integer(let version)? = try value("PRAGMA user_version"), version < SQLiteConnection.formatVersion
        else { return }
        try execute("PRAGMA user_version = \(number: Int(SQLiteConnection.formatVersion))")
    }
}
