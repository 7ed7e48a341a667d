internal import CSQLite

/// Compares encrypted values of change sets with those of rows: encrypting one value twice gives different bytes.
final class SealedChanges {
    private struct Column {
        let context: String
        /// Whether the key of the row's object is authenticated.
        let hasKey: Bool
    }

    private let connection: SQLiteConnection
    /// The encrypted columns by their folded table and name.
    private let columns: [String: [String: Column]]

    init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        let isThere: SQL = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'po_sealed'"
        guard try connection.value(isThere) != nil else {
            columns = [:]
            return
        }
        var columns: [String: [String: Column]] = [:]
        let statement = try connection.prepare(
            "SELECT table_name, column_name, owner, property, identity FROM \(name: SealNames.columns)")
        while try statement.step() {
            let context = "\(try statement.text(2))\t\(try statement.text(3))"
            let identity = try statement.text(4)
            columns[try statement.text(0), default: [:]][try statement.text(1)] = Column(
                context: context, hasKey: identity == "uuid" || identity == "string")
        }
        self.columns = columns
    }

    /// Whether two different stored forms in a column are the same value.
    ///
    /// - Parameters:
    ///   - names: The columns of the table.
    ///   - key: The value of the row's column at a place.
    func isSame(
        _ one: OpaquePointer, _ other: OpaquePointer, _ table: String, _ names: [String], _ place: Int,
        key: (Int) -> OpaquePointer?
    ) -> Bool {
        guard !columns.isEmpty, place < names.count,
            let column = columns[table.lowercased()]?[names[place].lowercased()]
        else { return false }
        let keyPlace = column.hasKey ? names.firstIndex { $0.lowercased() == "key" } : nil
        do {
            let statement = try connection.statement("SELECT po_open(?1, ?2, ?3) IS po_open(?4, ?2, ?3)")
            defer { statement.finish() }
            statement.beginBinding()
            try statement.bind(try ColumnValue(one).value(), at: 1)
            try statement.bind(column.context, at: 2)
            try statement.bind(try keyPlace.flatMap(key).map { try ColumnValue($0).value() } ?? .null, at: 3)
            try statement.bind(try ColumnValue(other).value(), at: 4)
            return try statement.step() && statement.integer(0) == 1
        } catch { return false }  // A value that cannot be decrypted counts as changed.
    }
}
