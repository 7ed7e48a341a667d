// Indexes: a class's index declarations in SQL, and the replacement of outdated indexes. It knows class maps, expressions
// and the indexes of a table, and must not know the other contents of the database.

internal import StoreEngine

/// An index in SQL.
struct WrittenIndex: Sendable {
    let name: String
    /// The indexed columns or expressions.
    let keys: [SQL]
    /// Whether each key declares that NULL sorts before all other values, as in queries.
    let sortsNullLow: [Bool]
    /// The condition of a partial index; nil if it covers all rows.
    let condition: SQL?
    let isUnique: Bool
    let isDescending: Bool
    /// The keys as the index declares them.
    private let declarations: [SQL]

    init(_ index: IndexDefinition) { self.init(index) { _ in false } }

    /// The index of columns of a class's table.
    init(_ index: IndexDefinition, of map: ClassMap, _ dialect: Dialect) {
        self.init(index, dialect) { map.mayBeNull($0) }
    }

    private init(_ index: IndexDefinition, _ dialect: Dialect? = nil, _ mayBeNull: (String) -> Bool) {
        self.init(
            index.name,
            index.columns.map { column in
                (index.isOfHashes ? PropertySealing.hash(in: "\(name: column)") : "\(name: column)", mayBeNull(column))
            }, condition: nil, isUnique: index.isUnique, isDescending: index.isDescending, dialect)
    }

    /// An engine uses an index only for the order that it declares. An index with keys that can be NULL ends with the
    /// id, because many rows can have NULL, and rows that are equal are sorted by id.
    private init(
        _ name: String, _ keys: [(sql: SQL, mayBeNull: Bool)], condition: SQL?, isUnique: Bool, isDescending: Bool,
        _ dialect: Dialect?
    ) {
        let declaresNulls = dialect?.indexReplacement != nil
        self.name = name
        self.keys = keys.map { $0.sql }
        self.condition = condition
        self.isUnique = isUnique
        self.isDescending = isDescending
        sortsNullLow = keys.map { $0.mayBeNull && declaresNulls }
        var declarations = keys.map { key in
            guard let dialect, key.mayBeNull, declaresNulls else { return isDescending ? key.sql + " DESC" : key.sql }
            return key.sql + dialect.ordering(isDescending, nil)
        }
        if sortsNullLow.contains(true), !isUnique { declarations.append("\(name: "id")") }
        self.declarations = declarations
    }

    /// - Throws: `SchemaError.notIndexable` if the index would need functions that only this library has.
    init(_ index: DeclaredIndex, of map: ClassMap, _ dialect: Dialect) throws {
        var columns: [String] = []
        let keys: [(sql: SQL, mayBeNull: Bool)] = try index.keys.map { key in
            switch key {
            case .column(let column):
                columns.append(column)
                return ("\(name: column)", map.mayBeNull(column))
            case .caseless(let column):
                columns.append(column)
                return (dialect.caselessKey("\(name: column)"), map.mayBeNull(column))
            case .value(let value):
                let written = try IndexExpression(value, of: map, dialect)
                columns += written.columns
                // Queries declare the position of NULL for all expressions, but not for columns without NULL.
                let isColumn = value.expression.words.count == 1
                return ("(\(written.sql))", !isColumn || map.mayBeNull(written.columns[0]))
            }
        }
        let condition = try index.condition.map { try IndexExpression($0, of: map, dialect).sql }
        // The name contains a hash of the declaration, so that an index with another declaration has another name.
        let text = keys.map { $0.sql.text }.joined(separator: ",") + " WHERE " + (condition?.text ?? "")
        let hash = TextHash.bytes(text).prefix(6).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
        let kind = (index.isUnique ? "unique" : "index") + (index.isDescending ? ".descending" : "")
        var seen: Set<String> = []
        let names = columns.filter { seen.insert($0).inserted }.joined(separator: ",")
        self.init(
            "\(map.table).\(names).\(hash).\(kind)", keys, condition: condition, isUnique: index.isUnique,
            isDescending: index.isDescending, dialect)
    }

    /// The indexes of a class that column names alone do not define.
    static func declared(of map: ClassMap, _ dialect: Dialect) throws -> [WrittenIndex] {
        try map.declaredIndexes.map { try WrittenIndex($0, of: map, dialect) }
    }

    /// The statement that creates the index.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - other: Another name for the index; nil for its own.
    ///   - manner: The clause after `CREATE INDEX`.
    func creation(on table: String, named other: String? = nil, _ manner: SQL = "") -> SQL {
        let kind: SQL = isUnique ? "UNIQUE INDEX" : "INDEX"
        let rows: SQL = condition.map { " WHERE \($0)" } ?? ""
        return "CREATE \(kind)\(manner) \(name: other ?? name) ON \(name: table) (\(list: declarations))\(rows)"
    }

    /// Whether an index of the database with the same name has the declared order, and is complete.
    func matches(_ found: IndexDescription) -> Bool {
        guard found.isValid, found.columns.count == declarations.count else { return false }
        return found.sortsNullLow.isEmpty || found.sortsNullLow.prefix(keys.count).elementsEqual(sortsNullLow)
    }
}

extension ClassMap {
    /// Whether a column of the class's table can be NULL for queries: columns of subclasses are NULL in rows of other
    /// classes.
    fileprivate func mayBeNull(_ column: String) -> Bool {
        properties.contains { $0.column == column && ($0.codec.acceptsNull || $0.level > rootLevel) }
    }
}
