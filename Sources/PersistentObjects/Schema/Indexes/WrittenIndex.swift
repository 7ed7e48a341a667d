// Indexes: what a class declares about indexes, in SQL. It knows class maps and expressions, and must not know the
// tables that are there.

internal import StoreEngine

/// An index in SQL.
struct WrittenIndex: Sendable {
    let name: String
    /// What it is over: columns, or what is made of them.
    let keys: [SQL]
    /// Which rows it is of; nil for all.
    let condition: SQL?
    let isUnique: Bool
    let isDescending: Bool

    init(_ index: IndexDefinition) {
        name = index.name
        keys = index.columns.map { "\(name: $0)" }
        condition = nil
        isUnique = index.isUnique
        isDescending = index.isDescending
    }

    /// - Throws: `SchemaError.notIndexable` where it would need what only this library can do.
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
        // With another declaration it is another index: the name tells.
        let text = keys.map(\.text).joined(separator: ",") + " WHERE " + (condition?.text ?? "")
        let hash = TextHash.bytes(text).prefix(6).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
        let kind = (isUnique ? "unique" : "index") + (isDescending ? ".descending" : "")
        var seen: Set<String> = []
        let names = columns.filter { seen.insert($0).inserted }.joined(separator: ",")
        name = "\(map.table).\(names).\(hash).\(kind)"
    }

    /// Those of a class that columns alone do not say.
    static func declared(of map: ClassMap, _ dialect: Dialect) throws -> [WrittenIndex] {
        try map.declaredIndexes.map { try WrittenIndex($0, of: map, dialect) }
    }

    /// The statement that makes it.
    func creation(on table: String) -> SQL {
        let keys = keys.map { isDescending ? "\($0) DESC" : $0 as SQL }
        let kind: SQL = isUnique ? "UNIQUE INDEX" : "INDEX"
        let rows: SQL = condition.map { " WHERE \($0)" } ?? ""
        return "CREATE \(kind) \(name: name) ON \(name: table) (\(list: keys))\(rows)"
    }
}
