internal import StoreEngine

/// The values of a column, usually encrypted, in the history of its table.
///
/// Triggers copy the stored bytes of a column into the history, so the values there have the column's form.
struct SealedHistory {
    private let connection: any Connection
    private let table: String
    private let column: String
    private let hasKeys: Bool
    private let places: [Place]
    private var keys: [Int64: DatabaseValue] = [:]

    /// A location of old and new values.
    private struct Place {
        let source: SQL
        /// The columns of the old and the new value.
        let sides: [SQL]
        /// The alias of their table in the source.
        let alias: SQL
        let target: SQL

        var values: [SQL] { sides.map { "\(alias).\($0)" } }

        /// The condition that one of the values meets a condition.
        func any(_ condition: (SQL) -> SQL) -> SQL { "\(list: values.map(condition), separator: " OR ")" }
    }

    /// Nil if the table has no history.
    ///
    /// - Parameter hasKeys: Whether the rows have keys, with which their values are authenticated.
    init?(of column: String, in table: String, hasKeys: Bool, _ connection: any Connection) throws {
        let schema = connection.schema
        guard try schema.table(HistoryNames.columns) != nil, let found = try schema.table(table)?.name else {
            return nil
        }
        self.connection = connection
        self.table = found
        self.column = column
        self.hasKeys = hasKeys
        let isOwn: SQL = "e.\"table\" = \(HistoryTriggers.text(found))"
        let name = HistoryTriggers.text(Naming.folded(column))
        let slots = try connection.prepare(
            "SELECT \"slot\" FROM \(name: HistoryNames.columns) WHERE \"table\" = ? AND lower(\"column\") = \(name)"
        ).rows([.text(found)])
        places =
            slots.compactMap { row -> Place? in
                guard case .integer(let slot) = row[0] else { return nil }
                let sides = [HistorySlots.old(Int(slot)), HistorySlots.new(Int(slot))]
                return Place(
                    source: "\(name: HistoryNames.entries) e WHERE \(isOwn)", sides: sides, alias: "e",
                    target: "\(name: HistoryNames.entries)")
            } + [
                Place(
                    source: """
                        \(name: HistoryNames.extras) x JOIN \(name: HistoryNames.entries) e ON e."id" = x."entry_id" \
                        WHERE \(isOwn) AND lower(x."column") = \(name)
                        """, sides: ["\"old\"", "\"new\""], alias: "x",
                    target: "\(name: HistoryNames.extras)")
            ]
    }

    /// Whether a value meets a condition.
    func contains(_ condition: (SQL) -> SQL) throws -> Bool {
        for place in places {
            let isFound: SQL = "SELECT 1 FROM \(place.source) AND (\(place.any(condition))) LIMIT 1"
            if try connection.value(isFound) != nil { return true }
        }
        return false
    }

    /// Replaces values by what `body` returns; returns the number of changed entries.
    ///
    /// - Parameters:
    ///   - limit: The largest number of entries to change.
    ///   - condition: The condition of the values.
    ///   - body: Receives a value, the id of its row and the key of its object.
    mutating func rewrite(
        limit: Int = .max, where condition: (SQL) -> SQL,
        _ body: (_ value: DatabaseValue, _ row: Int64, _ key: DatabaseValue) throws -> DatabaseValue
    ) throws -> Int {
        var count = 0
        for place in places where count < limit {
            let some: SQL = limit == .max ? "" : " LIMIT \(number: limit - count)"
            let select: SQL = """
                SELECT \(place.alias)."id", e."object", \(list: place.values) FROM \(place.source) \
                AND (\(place.any(condition)))\(some)
                """
            let rows = try connection.prepare(select).rows([])
            let update = try connection.prepare(
                "UPDATE \(place.target) SET \(list: place.sides.map { "\($0) = ?" }) WHERE \"id\" = ?")
            for row in rows {
                guard case .integer(let object) = row[1] else { continue }
                let key = try key(of: object)
                let values = try row[2...3].map { try $0 == .null ? .null : body($0, object, key) }
                try update.execute(values + [row[0]])
            }
            count += rows.count
        }
        return count
    }

    /// The key of an object, which may be deleted; NULL in classes without keys.
    mutating func key(of row: Int64) throws -> DatabaseValue {
        guard hasKeys else { return .null }
        if let known = keys[row] { return known }
        let key =
            try connection.prepare("SELECT \(name: Property.keyName) FROM \(name: table) WHERE \"id\" = ?")
            .rows([.integer(row)]).first?[0] ?? formerKey(of: row)
        keys[row] = key
        return key
    }

    private func formerKey(of row: Int64) throws -> DatabaseValue {
        let sql: SQL = """
            SELECT coalesce(v."old", v."new") FROM \(name: HistoryNames.entries) e \
            JOIN \(name: HistoryNames.values) v ON v."entry_id" = e."id" \
            WHERE e."table" = ? AND e."object" = ? AND lower(v."column") = \(HistoryTriggers.text(Property.keyName)) \
            ORDER BY e."id" DESC LIMIT 1
            """
        return try connection.prepare(sql).rows([.text(table), .integer(row)]).first?[0] ?? .null
    }
}
