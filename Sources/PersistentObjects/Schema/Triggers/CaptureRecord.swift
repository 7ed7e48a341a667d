internal import StoreEngine

/// The numbers of captured tables and columns, as a file records them.
struct CaptureRecord {
    private let connection: any Connection

    init(_ connection: any Connection) { self.connection = connection }

    /// Whether the file has captured changes.
    static func isThere(in schema: any SchemaReader) throws -> Bool {
        try schema.definition(of: CaptureNames.tables) != nil
    }

    /// Creates the tables, and excludes earlier versions of the library from writing.
    func create() throws {
        guard try !CaptureRecord.isThere(in: connection.schema) else { return }
        for definition in CaptureRecord.definitions { try connection.execute(definition) }
        try connection.require(feature: CaptureNames.feature, for: .writing)
    }

    private static let definitions: [SQL] = [
        """
        CREATE TABLE \(name: CaptureNames.tables) ("number" INTEGER PRIMARY KEY AUTOINCREMENT, \
        "name" TEXT NOT NULL UNIQUE COLLATE NOCASE, "kind" TEXT NOT NULL) STRICT
        """,
        """
        CREATE TABLE \(name: CaptureNames.columns) ("tbl" INTEGER NOT NULL, "number" INTEGER NOT NULL, \
        "name" TEXT COLLATE NOCASE, "born" INTEGER NOT NULL, "merged" TEXT, PRIMARY KEY ("tbl", "number")) \
        STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE \(name: CaptureNames.marks) ("tbl" INTEGER NOT NULL, "row" INTEGER NOT NULL, \
        "part" ANY NOT NULL, "mask" INTEGER NOT NULL, "key" ANY, PRIMARY KEY ("tbl", "row", "part")) \
        STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE \(name: CaptureNames.places) ("tbl" INTEGER NOT NULL, "owner" INTEGER NOT NULL, \
        "position" INTEGER NOT NULL, "id" INTEGER NOT NULL, "place" BLOB, "changed" INTEGER NOT NULL DEFAULT 0, \
        PRIMARY KEY ("tbl", "owner", "position")) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE \(name: CaptureNames.gone) ("tbl" INTEGER NOT NULL, "owner" INTEGER NOT NULL, \
        "id" INTEGER NOT NULL, "place" BLOB, "position" INTEGER NOT NULL, "value" ANY, \
        PRIMARY KEY ("tbl", "owner", "id")) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE \(name: CaptureNames.counts) ("tbl" INTEGER NOT NULL, "row" INTEGER NOT NULL, \
        "column" INTEGER NOT NULL, "amount" ANY NOT NULL, PRIMARY KEY ("tbl", "row", "column")) \
        STRICT, WITHOUT ROWID
        """,
    ]

    /// The numbers of a table; nil if it has none.
    func table(_ name: String) throws -> CapturedTable? {
        let sql: SQL = "SELECT \"number\", \"kind\" FROM \(name: CaptureNames.tables) WHERE \"name\" = ?"
        guard let row = try rows(sql, [.text(name)]).first, case .integer(let number) = row[0],
            case .text(let text) = row[1], let kind = CapturedTable.Kind(rawValue: text)
        else { return nil }
        var table = CapturedTable(number: Int(number), kind: kind)
        let columns: SQL = """
            SELECT "name", "number", "merged" FROM \(name: CaptureNames.columns) \
            WHERE "tbl" = ? AND "name" IS NOT NULL
            """
        for row in try rows(columns, [.integer(number)]) {
            guard case .text(let column) = row[0], case .integer(let number) = row[1] else { continue }
            var rule: MergeRule?
            if case .text(let text) = row[2] { rule = MergeRule(rawValue: text) }
            table.columns[Naming.folded(column)] = CapturedTable.Column(number: Int(number), mergeRule: rule)
        }
        return table
    }

    /// Gives numbers to a table and to its columns that have none.
    ///
    /// - Parameters:
    ///   - rules: The merge rules by folded column, as the known classes declare them.
    ///   - born: The greatest id of a row that existed before its new columns; nil to determine it. The
    ///     initial values in such rows are not edits.
    func register(
        _ name: String, _ kind: CapturedTable.Kind, _ columns: [String], rules: [String: MergeRule?] = [:],
        born: Int64? = nil
    ) throws -> CapturedTable {
        var known = try self.table(name)
        if let found = known, found.kind != kind {
            try forget(found.number)
            known = nil
        }
        let isNew = known == nil
        if isNew {
            try run(
                "INSERT INTO \(name: CaptureNames.tables) (\"name\", \"kind\") VALUES (?, ?)",
                [.text(name), .text(kind.rawValue)])
            known = try self.table(name)
        }
        guard var table = known else { return CapturedTable(number: 0, kind: kind) }
        let number = DatabaseValue.integer(Int64(table.number))
        let names = Set(columns.map(Naming.folded))
        for dropped in table.columns.keys where !names.contains(dropped) {
            try run(
                "UPDATE \(name: CaptureNames.columns) SET \"name\" = NULL WHERE \"tbl\" = ? AND \"name\" = ?",
                [number, .text(dropped)])
            table.columns[dropped] = nil
        }
        let missing = columns.filter { table[$0] == nil }
        if !missing.isEmpty {
            var last: Int64 = 0
            if !isNew, kind == .rows { last = try born ?? connection.greatestID(in: name) }
            let insert: SQL = """
                INSERT INTO \(name: CaptureNames.columns) ("tbl", "number", "name", "born") \
                SELECT ?1, coalesce((SELECT max("number") + 1 FROM \(name: CaptureNames.columns) WHERE "tbl" = ?1), 0), \
                ?2, ?3
                """
            for column in missing { try run(insert, [number, .text(column), .integer(last)]) }
            table = try self.table(name) ?? table
        }
        for (column, rule) in rules where table.columns[column].map({ $0.mergeRule != rule }) ?? false {
            try run(
                "UPDATE \(name: CaptureNames.columns) SET \"merged\" = ? WHERE \"tbl\" = ? AND \"name\" = ?",
                [rule.map { .text($0.rawValue) } ?? .null, number, .text(column)])
        }
        return try self.table(name) ?? table
    }

    /// Drops the changes of a table, and its number, which no other table gets.
    func forget(_ number: Int) throws {
        for table in [CaptureNames.columns] + CaptureNames.changes {
            try run("DELETE FROM \(name: table) WHERE \"tbl\" = ?", [.integer(Int64(number))])
        }
        try run("DELETE FROM \(name: CaptureNames.tables) WHERE \"number\" = ?", [.integer(Int64(number))])
    }

    /// Drops the changes of tables that no longer exist.
    func forgetMissing() throws {
        let sql: SQL = """
            SELECT "number" FROM \(name: CaptureNames.tables) AS t WHERE NOT EXISTS \
            (SELECT 1 FROM sqlite_schema AS s WHERE s.type = 'table' AND s.name = t."name" COLLATE NOCASE)
            """
        for row in try rows(sql, []) { if case .integer(let number) = row[0] { try forget(Int(number)) } }
    }

    /// Drops all tables if no table is captured any more, so that earlier versions may write the file again.
    func dropIfEmpty() throws {
        guard try connection.value("SELECT 1 FROM \(name: CaptureNames.tables) LIMIT 1") == nil else { return }
        for table in CaptureNames.all + CaptureNames.states {
            try connection.execute("DROP TABLE IF EXISTS \(name: table)")
        }
        try run("DELETE FROM po_feature WHERE name = ?", [.text(CaptureNames.feature)])
    }

    /// Runs a statement.
    func run(_ sql: SQL, _ values: [DatabaseValue]) throws { try connection.prepare(sql).execute(values) }

    /// All rows of a result.
    func rows(_ sql: SQL, _ values: [DatabaseValue]) throws -> [[DatabaseValue]] {
        try connection.prepare(sql).rows(values)
    }
}

extension CaptureRecord {
    /// The statement that gives the number of a table to its new name.
    static func renaming(table: String, to name: String) -> SQL {
        """
        UPDATE OR REPLACE \(name: CaptureNames.tables) SET "name" = \(HistoryTriggers.text(name)) \
        WHERE "name" = \(HistoryTriggers.text(table))
        """
    }

    /// The statement that gives the number of a column to its new name.
    static func renaming(column: String, to name: String, of table: String) -> SQL {
        """
        UPDATE \(name: CaptureNames.columns) SET "name" = \(HistoryTriggers.text(name)) \
        WHERE "name" = \(HistoryTriggers.text(column)) AND "tbl" = \
        (SELECT "number" FROM \(name: CaptureNames.tables) WHERE "name" = \(HistoryTriggers.text(table)))
        """
    }
}
