extension SearchDialect {
    /// SQLite's search index: an FTS5 table without its own copy of the strings.
    static let sqlite = SearchDialect(
        events: [.insert, .delete, .update], keepsIndexWithTriggers: false, dropsTriggersFirst: false,
        definition: { index in
            // Tables with a NUL in their names are rejected earlier.
            let table: SQL = SQLLiteral(.text(index.table)).map { "\(literal: $0)" } ?? ""
            return """
                \(start(index.name))\(names: index.columns), content=\(table)\(options)\
                tokenize='unicode61 remove_diacritics 2', prefix='2 3')
                """
        },
        isDefinition: { text, name in text.hasPrefix(start(name).text) && text.contains(options.text) },
        isTrigger: { text, name in
            let target: SQL = " INSERT INTO \(name: name)"
            return text.contains(target.text)
        },
        rebuilding: { "INSERT INTO \(name: $0.name) (\(name: $0.name)) VALUES ('rebuild')" },
        emptying: { "INSERT INTO \(name: $0.name) (\(name: $0.name)) VALUES ('delete-all')" },
        // Without the rank, FTS5 does not compare the index with the table's strings.
        checking: { "INSERT INTO \(name: $0.name) (\(name: $0.name), rank) VALUES ('integrity-check', 1)" },
        difference: nil,
        trigger: { index, event in
            let change: SQL =
                switch event {
                case .insert: "INSERT"
                case .delete, .truncate: "DELETE"
                case .update: "UPDATE OF \(names: ["id"] + index.columns)"
                }
            // FTS5 needs the old strings for a deletion.
            let removal: SQL = " INSERT INTO \(removed(index)) VALUES ('delete', \(values(index, of: "OLD")));"
            let addition: SQL = " INSERT INTO \(added(index)) VALUES (\(values(index, of: "NEW")));"
            return """
                CREATE TRIGGER \(name: SearchIndex.triggerName(index.table, event)) AFTER \(change) \
                ON \(name: index.table) BEGIN\(event == .insert ? "" : removal)\(event == .delete ? "" : addition) END
                """
        },
        removal: { index in
            let values = values(index, of: "\(name: index.table)")
            return "INSERT INTO \(removed(index)) SELECT 'delete', \(values) FROM \(listedRows(index))"
        },
        addition: { index in
            let values = values(index, of: "\(name: index.table)")
            return "INSERT INTO \(added(index)) SELECT \(values) FROM \(listedRows(index))"
        },
        join: { index, alias, id in
            // The unary plus makes SQLite look up the words once. Otherwise it could search again for each row that
            // another condition finds.
            "\(name: index.name) AS \(name: alias) ON +\(column: "rowid", of: alias) = \(id)"
        },
        matches: { index, alias, search in "\(column: index.name, of: alias) MATCH \(search)" },
        count: { index, alias, condition in
            "SELECT count(*) FROM \(name: index.name) AS \(name: alias) WHERE \(condition)"
        },
        rank: { alias, _ in "\(column: "rank", of: alias)" },
        snippet: { part in
            """
            snippet(\(column: part.index.name, of: part.alias), \(number: part.column), \
            \(part.marks.start), \(part.marks.end), '…', \(number: part.wordCount))
            """
        })

    private static func start(_ name: String) -> SQL { "CREATE VIRTUAL TABLE \(name: name) USING fts5(" }
    private static let options: SQL = ", content_rowid='id', "

    private static func removed(_ index: SearchIndex) -> SQL {
        "\(name: index.name) (\(name: index.name), rowid, \(names: index.columns))"
    }

    private static func added(_ index: SearchIndex) -> SQL {
        "\(name: index.name) (rowid, \(names: index.columns))"
    }

    private static func values(_ index: SearchIndex, of row: SQL) -> SQL {
        "\(list: (["id"] + index.columns).map { "\(row).\(name: $0)" })"
    }

    private static func listedRows(_ index: SearchIndex) -> SQL {
        "\(name: index.table) WHERE \(column: "id", of: index.table) IN (SELECT value FROM json_each(?))"
    }
}

extension SearchIndex {
    /// The index and the tables that FTS5 creates for it.
    package var allNames: [String] { ["", "_data", "_idx", "_docsize", "_config"].map { name + $0 } }

    /// Columns, in lowercase, that no index can have.
    package static let reservedColumns: Set<String> = ["rank", "rowid"]
}
