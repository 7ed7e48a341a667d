internal import CSQLite

// Features that a program must know before it reads or writes a file.
extension SQLiteConnection {
    /// The features that this version knows, by name.
    static let knownFeatures: Set<String> = [
        HistoryNames.feature, SealNames.feature, SealNames.remains, CaptureNames.feature,
    ]

    /// The table of features: name, the access that is forbidden to programs without the feature, and the version that
    /// wrote it.
    package static let featureTable = "po_feature"

    /// Rejects a file with an unknown feature that is required for reading; if it is required only for writing, the
    /// file is opened as read-only.
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
            // An unknown level may also concern reading.
            guard level == "writing" else {
                throw StoreError(.foreignFile, "\(message). Use version \(version) or later")
            }
            writeRefusal = StoreError(
                .readOnly, "\(message). The file can be read; to write it, use version \(version) or later")
        }
    }

    /// Upgrades a file of an earlier format to the current format; call it in the transaction that first uses the newer
    /// format.
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
