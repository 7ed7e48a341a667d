// Indexes: a class's index declarations in SQL. It knows class maps and expressions, and must not know the existing
// tables.

internal import StoreEngine

/// An index in SQL.
struct WrittenIndex: Sendable {
    let name: String
    /// The indexed columns or expressions.
    let keys: [SQL]
    /// The condition of a partial index; nil if it covers all rows.
    let condition: SQL?
    let isUnique: Bool
    let isDescending: Bool

    init(_ index: IndexDefinition) {
        name = index.name
        keys = index.columns.map { column in
            index.isOfHashes ? PropertySealing.hash(in: "\(name: column)") : "\(name: column)"
        }
        condition = nil
        isUnique = index.isUnique
        isDescending = index.isDescending
    }

    /// - Throws: `SchemaError.notIndexable` if the index would need functions that only this library has.
    init(_ index: DeclaredIndex, of map: ClassMap, _ dialect: Dialect) throws {
        var columns: [String] = []
        keys = try index.keys.map { key in
            switch key {
            case .column(let column):
                columns.append(column)
                return "\(name: column)"
            case .caseless(let column):
                columns.append(column)
                return dialect.caselessKey("\(name: column)")
            case .value(let value):
                let written = try IndexExpression(value, of: map, dialect)
                columns += written.columns
                return "(\(written.sql))"
            }
        }
        condition = try index.condition.map { try IndexExpression($0, of: map, dialect).sql }
        isUnique = index.isUnique
        isDescending = index.isDescending
        // The name contains a hash of the declaration, so that an index with another declaration has another name.
        let text = keys.map(\.text).joined(separator: ",") + " WHERE " + (condition?.text ?? "")
        let hash = TextHash.bytes(text).prefix(6).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
        let kind = (isUnique ? "unique" : "index") + (isDescending ? ".descending" : "")
        var seen: Set<String> = []
        let names = columns.filter { seen.insert($0).inserted }.joined(separator: ",")
        name = "\(map.table).\(names).\(hash).\(kind)"
    }

    /// The indexes of a class that column names alone do not define.
    static func declared(of map: ClassMap, _ dialect: Dialect) throws -> [WrittenIndex] {
        try map.declaredIndexes.map { try WrittenIndex($0, of: map, dialect) }
    }

    /// The statement that creates the index.
    func creation(on table: String) -> SQL {
        let keys = keys.map { isDescending ? "\($0) DESC" : $0 as SQL }
        let kind: SQL = isUnique ? "UNIQUE INDEX" : "INDEX"
        let rows: SQL = condition.map { " WHERE \($0)" } ?? ""
        return "CREATE \(kind) \(name: name) ON \(name: table) (\(list: keys))\(rows)"
    }
}
