internal import StoreEngine

/// A search in a query: the search index, the alias under which it is joined, and the words.
struct SearchSource {
    let index: SearchIndex
    let alias: String
    let search: SQL

    /// Counts the rows of the index alone.
    func count(where condition: SQL, _ dialect: Dialect) -> SQL { dialect.search.count(index, alias, condition) }
}

// Full-text searches.
extension ExpressionWriter {
    /// The condition that the search finds the object.
    func matches(_ text: QueryOperand) throws -> QueryOperand {
        guard let index = SearchIndex(root.map) else {
            throw QueryError.notExpressible(
                "\(root.map.name) has no searchable properties. Mark the properties to search with @Searchable")
        }
        let source = SearchSource(index: index, alias: newAlias(), search: text.sql)
        root.join(source.alias, dialect.search.join(index, source.alias, "\(column: "id", of: root.alias)"))
        searches.append(source)
        return QueryOperand(
            dialect.search.matches(index, source.alias, text.sql), mayBeNull: false, needed: [source.alias])
    }
}
