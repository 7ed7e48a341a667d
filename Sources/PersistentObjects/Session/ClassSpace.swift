internal import StoreEngine

/// What one session has for one class: the identity map and the statements.
final class ClassSpace {
    let map: ClassMap
    let identity: IdentityMap
    unowned let session: Session
    private let sql: ClassSQL
    private var selectByID: SQLiteStatement?
    private var lastUpdate: (ColumnSet, SQLiteStatement)?
    /// How many rows the table had when all were last fetched.
    var lastRowCount = 0
    private(set) lazy var selectAllText = sql.selectAll.text
    private(set) lazy var selectAllIDsText = sql.selectAllIDs.text
    private(set) lazy var selectFirstText = sql.selectFirst.text
    private(set) lazy var deleteAllText = sql.deleteAll.text
    private(set) lazy var countText = sql.count.text
    private(set) lazy var selectByIDsText = sql.selectByIDs.text
    private var inserts: [Int: String] = [:]
    private var updates: [ColumnSet: String] = [:]
    private var deletes: [Int: String] = [:]
    private var finders: [String: FinderPlan] = [:]
    private var criteria: [Criteria.Key: String] = [:]
    private var conditions: [AnyKeyPath: ConditionPlan] = [:]

    init(_ map: ClassMap, session: Session) {
        self.map = map
        self.session = session
        sql = ClassSQL(map)
        identity = IdentityMap(map, session: session, lostEdits: session.store.lostEdits)
    }

    /// A statement for one row by its id; finish it.
    @inline(__always)
    func rowStatement() throws(StoreError) -> SQLiteStatement {
        if let statement = selectByID, !statement.isBusy {
            statement.take()
            return statement
        }
        let statement = try prepared(sql.selectByID.text)
        selectByID = statement
        return statement
    }

    /// A statement that inserts rows at once; finish it.
    func insertStatement(rows: Int, withIDs: Bool) throws(StoreError) -> SQLiteStatement {
        let key = withIDs ? rows : -rows
        let text = inserts[key] ?? sql.insert(rows: rows, withIDs: withIDs).text
        inserts[key] = text
        return try prepared(text)
    }

    /// A statement that updates some columns of a row; finish it.
    func updateStatement(_ changed: ColumnSet) throws(StoreError) -> SQLiteStatement {
        if let (columns, statement) = lastUpdate, columns == changed, !statement.isBusy {
            statement.take()
            return statement
        }
        let text = updates[changed] ?? sql.update(changed).text
        updates[changed] = text
        let statement = try prepared(text)
        lastUpdate = (changed, statement)
        return statement
    }

    /// A statement that deletes rows by id; finish it.
    func deleteStatement(rows: Int) throws(StoreError) -> SQLiteStatement {
        let text = deletes[rows] ?? sql.delete(rows: rows).text
        deletes[rows] = text
        return try prepared(text)
    }

    /// A statement that may be refused: a trigger or a generated column of the file can stand in its way.
    private func prepared(_ text: String) throws(StoreError) -> SQLiteStatement {
        do throws(StoreError) { return try session.connection.statement(text) } catch {
            throw error.at(className: map.name)
        }
    }

    /// The greatest id ever given out; 0 at first.
    func lastID() throws -> Int64 {
        let statement = try session.connection.statement(sql.lastID.text)
        defer { statement.finish() }
        statement.beginBinding()
        try statement.bind(map.table, at: 1)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// What a finder name means, made once.
    func finder(_ name: String, _ make: () throws -> FinderPlan) rethrows -> FinderPlan {
        if let known = finders[name] { return known }
        // Names that a program makes up at run time must not pile up.
        if finders.count >= 1000 { finders = [:] }
        let made = try make()
        finders[name] = made
        return made
    }

    /// The whole statement for criteria text of the user's, put together once.
    func criteria(_ key: Criteria.Key, _ make: (ClassSQL) throws -> SQL) rethrows -> String {
        if let known = criteria[key] { return known }
        // Texts that differ each time must not pile up.
        if criteria.count >= 256 { criteria = [:] }
        let made = try make(sql).text
        criteria[key] = made
        return made
    }

    /// The condition that the property of a key path equals an argument, made once.
    func condition(_ path: AnyKeyPath, _ make: () throws -> ConditionPlan) rethrows -> ConditionPlan {
        if let known = conditions[path] { return known }
        let made = try make()
        conditions[path] = made
        return made
    }

    /// An error of SQLite or a codec with what is known here.
    func located(_ error: any Error, property: Int? = nil, rowID: Int64? = nil, sql: String? = nil) -> any Error {
        let name = property.map { map.properties[$0].name }
        switch error {
        case let error as StoreError:
            return error.at(className: map.name, property: name ?? constrainedProperty(error), rowID: rowID)
        case let fault as ValueFault:
            return StoreError.value(fault).at(className: map.name, property: name, rowID: rowID, sql: sql)
        default: return error
        }
    }

    /// SQLite names the column in "UNIQUE constraint failed: person.email".
    private func constrainedProperty(_ error: StoreError) -> String? {
        guard error.code == .notUnique || error.code == .constraint else { return nil }
        let columns = map.properties.filter { error.message.hasSuffix(": \(map.table).\($0.column)") }
        return columns.first?.name
    }
}
