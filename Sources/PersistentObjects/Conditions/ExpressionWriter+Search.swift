internal import StoreEngine

/// A search as a part of a query: the index of the words, joined.
struct SearchSource {
    let table: SearchTable
    let alias: String
}

// Searches for words.
extension ExpressionWriter {
    /// The condition that the words of a text are found.
    func matches(_ text: QueryOperand) throws -> QueryOperand {
        guard let table = SearchTable(root.map) else {
            throw QueryError.notExpressible(
                "\(root.map.name) has no properties that are searched; mark those that are to be @Searchable")
        }
        let source = SearchSource(table: table, alias: newAlias())
        var join = SQL()
        join.append(identifier: table.name)
        join.append(" AS ")
        join.append(identifier: source.alias)
        // The sign keeps SQLite from a search for each row that another condition finds: the words are looked up once.
        join.append(" ON +")
        join.append(column: "rowid", of: source.alias)
        join.append(" = ")
        join.append(column: "id", of: root.alias)
        root.join(source.alias, join)
        searches.append(source)
        var sql = SQL()
        sql.append(column: table.name, of: source.alias)
        sql.append(" MATCH ")
        sql.append(text.sql)
        return QueryOperand(sql, mayBeNull: false, needed: [source.alias])
    }
}
