// RawSQL: statements that users write, with their arguments and rows. It is the only entry for users' SQL, and must
// never put a value into the SQL.

internal import StoreEngine

extension Session {
    /// Returns the rows of one SQL statement, which must only read.
    ///
    /// Each `?` is bound to an argument, never spliced in: any value that a property can have, `nil`, an object or
    /// `PersistentID` (its id), or an array or set of these. An array or set is one argument: its elements after `IN`,
    /// as in `IN (?)`, and a JSON array elsewhere. All rows are read at once.
    ///
    /// ```swift
    /// for row in try session.rows("SELECT last_name, age FROM person WHERE age > ?", 39) {
    ///     let name: String = try row.value("last_name")
    ///     print(name, row["age"] ?? .null)
    /// }
    /// ```
    ///
    /// - Throws: `StoreError` with the code `invalidSQL` for SQL that is not a single statement, a statement that
    ///   writes, and a wrong number of arguments; `misuse` for an argument that no column can store.
    public func rows(_ sql: String, _ arguments: Any?...) throws -> [Row] { try rows(sql, arguments: arguments) }

    /// Returns the rows of one SQL statement with its arguments in an array. See `rows(_:_:)`.
    public func rows(_ sql: String, arguments: [Any?]) throws -> [Row] {
        try enterQuery { try readRows(sql, StatementArguments(arguments, self)) }
    }

    /// Runs one SQL statement, which may write, in a transaction, and returns the number of changed rows.
    ///
    /// Arguments work as in `rows(_:_:)`. Rows that triggers and delete rules change as a result are not counted. If it
    /// throws, nothing has changed.
    ///
    /// Objects in memory are refreshed by the next query that finds them, by `reload()`, or all at once by `refresh()`;
    /// a `find` by the id of an object in memory reads nothing. Hooks and validation do not run, and `updatedAt` is not
    /// set: if that matters, change objects instead.
    ///
    /// ```swift
    /// let count = try session.execute("UPDATE person SET age = age + 1 WHERE last_name = ?", "Smith")
    /// ```
    ///
    /// - Throws: `StoreError` with the code `invalidSQL` for SQL that is not a single statement, a statement that only
    ///   reads, and a statement that is reserved to the session: transactions, `ATTACH`, `PRAGMA`, temporary tables.
    ///   Otherwise the errors of a save.
    @discardableResult
    public func execute(_ sql: String, _ arguments: Any?...) throws -> Int { try execute(sql, arguments: arguments) }

    /// Runs one SQL statement with its arguments in an array. See `execute(_:_:)`.
    @discardableResult
    public func execute(_ sql: String, arguments: [Any?]) throws -> Int {
        try enterToSave { try write(sql, StatementArguments(arguments, self)) }
    }

    private func readRows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        let (sql, values) = try arguments.resolved(sql)
        let statement = try connection.userStatement(sql)
        defer { statement.finish() }
        guard statement.isReadOnly || statement.isPragma else {
            throw StoreError(
                .invalidSQL, "The statement writes, but rows(_:_:) only reads. Nothing was changed. Use execute(_:_:)",
                sql: sql.text)
        }
        try arguments.checkCount(statement, "The statement has")
        try StatementArguments.bind(values, to: statement)
        guard try statement.step() else { return [] }
        // The columns are known only after the first step, because it prepares the statement again if its tables have
        // changed.
        let count = statement.columnCount
        let columns = Row.Columns((0..<count).map { statement.columnName($0) }, sql: sql.text)
        var rows: [Row] = []
        repeat {
            var values: [DatabaseValue] = []
            values.reserveCapacity(Int(count))
            for place in 0..<count {
                do throws(ValueFault) { values.append(try statement.column(place).value()) } catch {
                    var error = StoreError.value(error)
                    error.message = "Row \(rows.count + 1), column \(columns.names[Int(place)]): \(error.message)"
                    throw error.at(sql: sql.text)
                }
            }
            rows.append(Row(columns, values))
        } while try statement.step()
        return rows
    }

    private func write(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        let (sql, values) = try arguments.resolved(sql)
        let count = try write {
            let statement = try connection.userStatement(sql)
            // It must finish before the commit, because no statement may be running then.
            defer { statement.finish() }
            let onlyReads = statement.isReadOnly || statement.isPragma
            guard !onlyReads || statement.columnCount == 0 else {
                throw StoreError(.invalidSQL, "The statement only reads. Use rows(_:_:)", sql: sql.text)
            }
            try arguments.checkCount(statement, "The statement has")
            try StatementArguments.bind(values, to: statement)
            let before = connection.totalChangedRowCount
            let unreported = connection.unreportedRowCount
            while try statement.step() {}
            statement.reset()
            connection.rowLog?.hasUsersStatements = true
            if connection.unreportedRowCount != unreported { connection.rowLog?.hasUnknownRows = true }
            // SQLite keeps the count of the last statement that changed rows, even if this statement changed none.
            let changed = connection.totalChangedRowCount == before ? 0 : connection.changedRowCount
            guard !connection.hasBrokenForeignKeys else {
                throw StoreError(
                    .constraint,
                    "The statement leaves a reference to a row that does not exist. Nothing was changed. Delete "
                        + "or change the referring row, too",
                    sql: sql.text)
            }
            return changed
        }
        memory.markAllStale()
        return count
    }
}

extension BackgroundSession {
    /// Returns the rows of one SQL statement. See `Session.rows(_:_:)`.
    public func rows(_ sql: String, _ arguments: Any?...) throws -> [Row] {
        try box.session.rows(sql, arguments: arguments)
    }

    /// Returns the rows of one SQL statement with its arguments in an array. See `Session.rows(_:_:)`.
    public func rows(_ sql: String, arguments: [Any?]) throws -> [Row] {
        try box.session.rows(sql, arguments: arguments)
    }

    /// Runs one SQL statement, which may write. See `Session.execute(_:_:)`.
    @discardableResult
    public func execute(_ sql: String, _ arguments: Any?...) throws -> Int {
        try box.session.execute(sql, arguments: arguments)
    }

    /// Runs one SQL statement with its arguments in an array. See `Session.execute(_:_:)`.
    @discardableResult
    public func execute(_ sql: String, arguments: [Any?]) throws -> Int {
        try box.session.execute(sql, arguments: arguments)
    }

    /// Reads all live objects of the session again. See `Session.refresh()`.
    public func refresh() throws { try box.session.refresh() }

    /// Evicts all objects of the session. See `Session.reset()`.
    public func reset() throws { try box.session.reset() }
}

// Forms for the current session.
extension Store {
    /// Returns the rows of one SQL statement in the current session. See `Session.rows(_:_:)`.
    ///
    /// ```swift
    /// for row in try Store.rows("SELECT last_name FROM person WHERE age > ?", 39) { print(row["last_name"] ?? .null) }
    /// ```
    public static func rows(_ sql: String, _ arguments: Any?...) throws -> [Row] {
        try CurrentSession.session().rows(sql, arguments: arguments)
    }

    /// Runs one SQL statement, which may write, in the current session. See `Session.execute(_:_:)`.
    @discardableResult
    public static func execute(_ sql: String, _ arguments: Any?...) throws -> Int {
        try CurrentSession.session().execute(sql, arguments: arguments)
    }
}
