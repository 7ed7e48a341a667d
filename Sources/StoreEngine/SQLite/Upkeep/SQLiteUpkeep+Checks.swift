internal import CSQLite

// The problems of a file according to SQLite. The checks write nothing.
extension SQLiteUpkeep {
    func structureProblems(limit: Int) throws(StoreError) -> [String] {
        try damageAsProblems { () throws(StoreError) in
            let sql: SQL = "PRAGMA integrity_check(\(number: max(1, limit)))"
            var problems: [String] = []
            for row in try connection.rows(sql) {
                guard case .text(let words)? = row.first, words != "ok" else { continue }
                if let error = SQLiteUpkeep.failure(in: words) { throw error }
                problems.append(words)
            }
            return problems
        }
    }

    /// The error that caused a reported problem; nil if the problem is damage.
    ///
    /// If a page cannot be read, or memory runs out for it, SQLite reports the page like a damaged page.
    private static func failure(in words: String) -> StoreError? {
        for line in words.split(separator: "\n") {
            // For a page of a long value, SQLite gives no reason. The page's number was checked before.
            if line.contains("failed to get page") {
                return .engine(SQLITE_IOERR, message: "The check cannot read the file: \(line)")
            }
            guard let start = line.firstRange(of: "error code")?.upperBound,
                let code = Int32(line[start...].drop { $0 == " " || $0 == "=" }.prefix { $0.isNumber }),
                [SQLITE_IOERR, SQLITE_NOMEM].contains(code & 0xff)
            else { continue }
            return .engine(code, message: "The check cannot read the file: \(line)")
        }
        return nil
    }

    func brokenReferences(limit: Int) throws(StoreError) -> [BrokenReference] {
        var found: [BrokenReference] = []
        let statement = try connection.prepare("PRAGMA foreign_key_check")
        defer { statement.finish() }
        var columns: [String: [Int64: String]] = [:]
        while found.count < limit, try statement.step() {
            guard case .text(let table) = value(statement, 0), case .text(let target) = value(statement, 2),
                case .integer(let key) = value(statement, 3)
            else { continue }
            if columns[table] == nil { columns[table] = try foreignColumns(of: table) }
            var rowID: Int64?
            if case .integer(let id) = value(statement, 1) { rowID = id }
            found.append(
                BrokenReference(table: table, rowID: rowID, column: columns[table]?[key], target: target))
        }
        return found
    }

    private func value(_ statement: Statement, _ place: Int32) -> DatabaseValue {
        // A name that is not UTF-8 is ignored.
        (try? statement.column(place).value()) ?? .null
    }

    /// The first column of each foreign key, by SQLite's number of it.
    private func foreignColumns(of table: String) throws(StoreError) -> [Int64: String] {
        var columns: [Int64: String] = [:]
        let sql: SQL = "SELECT id, \"from\" FROM pragma_foreign_key_list(?) WHERE seq = 0"
        for row in try connection.rows(sql, table) {
            if case .integer(let key) = row[0], case .text(let name) = row[1] { columns[key] = name }
        }
        return columns
    }

    func problem(with index: SearchIndex) throws(StoreError) -> String? {
        try damageAsProblems { () throws(StoreError) in
            try connection.execute(connection.dialect.search.checking(index))
            return []
        }.first
    }

    /// Runs a check. If the file is so damaged that the check itself fails, the error becomes its finding.
    private func damageAsProblems(_ check: () throws(StoreError) -> [String]) throws(StoreError) -> [String] {
        do throws(StoreError) { return try check() } catch {
            guard error.code == .corrupt || error.code == .damaged else { throw error }
            return [error.message]
        }
    }
}
