internal import StoreEngine

extension Persistent {
    /// Returns a query of the objects whose searchable properties match a search text, best match first.
    ///
    /// ```swift
    /// let notes = try Note.search("smi*").where { $0.isPublic }.limit(10).all()
    /// ```
    ///
    /// See `Query.search(_:)` for the syntax of the search text.
    public static func search(_ text: String) -> Query<Self> { query.search(text) }
}

extension Query {
    /// Returns a query of the objects whose searchable properties match a search text.
    ///
    /// | Search text | matches text with |
    /// |---|---|
    /// | `red house` | both words, anywhere in the properties |
    /// | `"red house"` | these words next to each other |
    /// | `hous*` | a word with this prefix |
    /// | `house -red`, `house NOT red` | the first word and not the second |
    /// | `red OR blue` | at least one of the words |
    ///
    /// All other characters separate words, so you can pass user input as it is. Case and accents are ignored. A search
    /// text without words, or with excluded words only, finds nothing.
    ///
    /// If the query has no order, the best matches come first, ranked by FTS5's `bm25`: words that are rare overall and
    /// frequent in this object score highest. On a server they are ranked by PostgreSQL's `ts_rank`, which does not count
    /// how rare a word is. Mark properties with `@Searchable`, or list them in
    /// `class var searchable`.
    public func search(_ text: String) -> Query {
        let text = SearchText(text)
        var words = QueryExpression(argument: .value(.text(text.query))).applying(.matchesText)
        if let problem = text.problem { words.fail(problem) }
        var definition = definition
        definition.add(words)
        return Query(definition)
    }

    /// Returns the objects that a search finds, each with the passage that contains the most search words.
    ///
    /// ```swift
    /// for (note, snippet) in try Note.search("fox").limit(10).snippets(of: \.text) {
    ///     print(note.title, snippet)                              // … the quick brown [fox] jumps …
    /// }
    /// ```
    ///
    /// If the property contains none of the words, the snippet is the start of its text; for nil it is an empty string.
    /// The text is unescaped: before you put it into HTML, escape it, and choose marks that survive the escaping.
    ///
    /// The snippet has at most `count` words, 1 to 64. `marks` are placed before and after each word that was found.
    ///
    /// - Throws: `QueryError` if the query is not a search, or if the property is not searchable.
    /// - Complexity: Two SELECTs.
    public func snippets<V>(
        of property: KeyPath<T, V>, around count: Int = 16, marking marks: (String, String) = ("[", "]"),
        isolation: isolated (any Actor)? = #isolation
    ) throws -> [(object: T, snippet: String)] {
        try QueryCall(definition).snippets(of: property, count: count, marks)
            .map { (ObjectMemory.cast($0.object, to: T.self), $0.snippet) }
    }
}

extension QueryCall {
    fileprivate func snippets(
        of property: AnyKeyPath, count: Int, _ marks: (String, String)
    ) throws -> [(object: PersistentObject, snippet: String)] {
        let (found, snippets) = try run { query in
            let (space, plan) = (query.space, query.plan)
            let snippet = plan.dialect.search.snippet(try snippet(of: property, count, plan, space.map))
            let start: SQL = "SELECT \(column: "id", of: space.map.table), \(snippet) FROM \(plan.sql.source)"
            var ids: [Int64] = []
            var snippets: [String] = []
            try space.forEachRow(of: plan.completed(start, ordered: true)) { statement in
                try query.bind(statement)
                try statement.bind(marks.0, at: plan.furtherIndex)
                try statement.bind(marks.1, at: plan.furtherIndex + 1)
            } _: { statement in
                ids.append(statement.integer(0))
                let snippet = statement.column(1)
                snippets.append(snippet.isNull ? "" : try snippet.text())
            }
            return (FoundObjects(query.session, definition, ids), snippets)
        }
        // A row that another process deleted meanwhile is left out.
        return zip(try found.objects(found.ids.indices), snippets).compactMap { object, snippet in
            object.map { ($0, snippet) }
        }
    }

    private func snippet(
        of path: AnyKeyPath, _ count: Int, _ plan: QueryPlan, _ map: ClassMap
    ) throws -> SearchDialect.Snippet {
        guard let search = plan.searches.first else {
            throw QueryError.notExpressible("Snippets require a search. Start the query with \(map.name).search(\"…\")")
        }
        guard case .property(let ordinal) = try KeyPathResolver.subject(of: path, in: map),
            let column = search.index.columns.firstIndex(of: map.properties[ordinal].column)
        else {
            throw QueryError.notExpressible(
                "\(path) is not searchable, so it has no snippets. Mark the property with @Searchable")
        }
        let mark = Int(plan.furtherIndex)
        return SearchDialect.Snippet(
            of: search.index, as: search.alias, search: search.search, column: column,
            marks: ("\(placeholder: mark)", "\(placeholder: mark + 1)"),
            wordCount: Swift.min(Swift.max(count, 1), 64))
    }
}
