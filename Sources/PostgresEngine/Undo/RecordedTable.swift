internal import StoreEngine

/// The columns of a table, as far as undo needs them.
struct RecordedTable {
    struct Column {
        let name: String
        /// The name in quotes, as in JSON.
        let token: [UInt8]
        /// Whether its values are computed by the server.
        let isGenerated: Bool
        /// Its number. The numbers of dropped columns are not used again.
        let number: Int
    }

    /// A reference of another table's column.
    struct Referrer {
        /// The table, as it is written in SQL, and its name.
        let (sql, table): (String, String)
        let column: String
        /// The columns of the table's primary key.
        let keys: [String]
        /// The table that it refers to, and the column.
        let (target, targetColumn): (String, String)
    }

    let name: String
    /// The server's number of the table.
    let oid: Int64
    /// The number of its columns, including dropped columns.
    let columnCount: Int
    private let schema: String
    private(set) var columns: [Column] = []
    /// The columns of the primary key.
    private(set) var keys: [Column] = []
    private(set) var referrers: [Referrer] = []

    /// The type of its rows. Without the schema, a type of PostgreSQL could have the same name, such as `box`.
    var rowType: SQL { "\(name: schema).\(name: name)" }

    var keyTokens: [[UInt8]] { keys.map(\.token) }

    /// The places of the primary key's columns among the columns.
    var keyPlaces: [Int] { keys.compactMap { key in columns.firstIndex { $0.number == key.number } } }

    func column(_ token: ArraySlice<UInt8>) -> Column? { columns.first { $0.token.elementsEqual(token) } }

    /// Reads tables of the current schema.
    ///
    /// - Parameter withReferrers: Whether the references to their rows are read, too.
    static func read(
        _ names: some Collection<String>, _ connection: PostgresConnection, withReferrers: Bool = false
    ) throws(StoreError) -> [String: RecordedTable] {
        let list = names.map { PostgresTriggers.text($0).text }.joined(separator: ", ")
        let results = try connection.session.runTexts(
            ["\(columnsOfTables) AND c.relname IN (\(list)) ORDER BY c.oid, a.attnum"]
                + (withReferrers ? ["\(references) AND r.relname IN (\(list)) ORDER BY c.relname, a.attnum"] : []))
        var tables: [String: RecordedTable] = [:]
        var places: [String: [(Int, Column)]] = [:]
        for row in 0..<results[0].rowCount {
            let values = (0..<9).map { results[0].text(row, $0) ?? "" }
            let column = Column(
                name: values[1], token: Array(values[2].utf8), isGenerated: values[3] == "true",
                number: Int(values[6]) ?? 0)
            tables[values[0], default: RecordedTable(values)].columns.append(column)
            if let place = Int(values[4]), place >= 0 { places[values[0], default: []].append((place, column)) }
        }
        for (name, keys) in places { tables[name]?.keys = keys.sorted { $0.0 < $1.0 }.map(\.1) }
        guard withReferrers else { return tables }
        for row in 0..<results[1].rowCount {
            let values = (0..<6).map { results[1].text(row, $0) ?? "" }
            tables[values[4]]?.referrers.append(
                Referrer(
                    sql: values[0], table: values[1], column: values[2],
                    keys: values[3].split(separator: "\t").map(String.init), target: values[4], targetColumn: values[5])
            )
        }
        return tables
    }

    /// A table without columns, from the row of one column.
    private init(_ values: [String]) {
        (name, schema) = (values[0], values[5])
        (oid, columnCount) = (Int64(values[7]) ?? 0, Int(values[8]) ?? 0)
    }

    private static let columnsOfTables = """
        SELECT c.relname, a.attname, to_json(a.attname::text)::text, (a.attgenerated <> '')::text, \
        coalesce(array_position(i.indkey::int2[], a.attnum), -1)::text, current_schema(), \
        a.attnum::text, c.oid::text, c.relnatts::text \
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
        LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary \
        WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'p')
        """

    private static let references = """
        SELECT c.oid::regclass::text, c.relname, a.attname, (SELECT string_agg(k.attname, chr(9) \
        ORDER BY array_position(i.indkey::int2[], k.attnum)) FROM pg_index AS i JOIN pg_attribute AS k \
        ON k.attrelid = i.indrelid AND k.attnum = ANY (i.indkey::int2[]) WHERE i.indrelid = c.oid AND i.indisprimary), \
        r.relname, f.attname FROM pg_constraint AS x JOIN pg_class AS c ON c.oid = x.conrelid \
        JOIN pg_class AS r ON r.oid = x.confrelid \
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = x.conkey[1] \
        JOIN pg_attribute AS f ON f.attrelid = r.oid AND f.attnum = x.confkey[1] \
        WHERE x.contype = 'f' AND array_length(x.conkey, 1) = 1 \
        AND r.relnamespace = quote_ident(current_schema())::regnamespace
        """
}
