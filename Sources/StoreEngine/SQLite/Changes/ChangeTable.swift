internal import CSQLite

/// The statements that apply the rows of change sets to one table.
final class ChangeTable {
    let name: String
    let shape: TableShape
    private let connection: SQLiteConnection
    /// Selects a row with all its columns.
    private let selection: Statement
    private let deletion: Statement
    /// The statements by the columns that they write.
    private var insertions: [[Int]: Statement] = [:]
    private var updates: [[Int]: Updates] = [:]
    /// The last of `updates`, because most rows change in the same columns.
    private var lastUpdate: (places: [Int], updates: Updates)?
    /// Whether the values of each column must be unique; nil if that is unknown.
    private let mustBeUnique: [Bool]?
    /// The foreign keys to check after all writes.
    var references: ChangedReferences?

    init(_ name: String, _ shape: TableShape, _ connection: SQLiteConnection) throws(StoreError) {
        self.name = name
        self.shape = shape
        self.connection = connection
        let row = ChangeTable.row(name, shape)
        selection = try connection.prepare("SELECT \(names: shape.columns) FROM \(row)")
        deletion = try connection.prepare("DELETE FROM \(row)")
        let unique = try ChangeTable.uniquePlaces(name, shape, connection)
        mustBeUnique = unique.map { unique in shape.columns.indices.map(unique.contains) }
    }

    /// Nil if a unique index is partial or contains an expression, because it may then depend on any column.
    private static func uniquePlaces(
        _ table: String, _ shape: TableShape, _ connection: SQLiteConnection
    ) throws(StoreError) -> Set<Int>? {
        let statement = try connection.statement(
            """
            SELECT "list"."partial", "info"."name" FROM pragma_index_list(?1) AS "list", \
            pragma_index_xinfo("list"."name") AS "info" WHERE "list"."unique" AND "info"."key"
            """)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(table, at: 1) } catch { throw .value(error) }
        var places = Set(shape.keys)
        while try statement.step() {
            let name = try statement.text(1)
            guard statement.integer(0) == 0, let place = shape.columns.firstIndex(of: name) else { return nil }
            places.insert(place)
        }
        return places
    }

    /// The table, with the condition for a row by its key.
    static func row(_ table: String, _ shape: TableShape) -> SQL {
        let key = shape.keys.map { "\(name: shape.columns[$0]) = ?" as SQL }
        return "\(name: table) WHERE \(list: key, separator: " AND ")"
    }

    /// Moves to the row of a change and calls `body` with its columns; nil if it does not exist.
    func withRow<R>(_ change: ChangeSet.Change, _ body: ((Int) -> OpaquePointer?) throws -> R) throws -> R? {
        try bindKey(change, to: selection)
        defer { sqlite3_reset(selection.handle) }
        guard try selection.step() else { return nil }
        return try body { sqlite3_column_value(selection.handle, Int32($0)) }
    }

    func delete(_ change: ChangeSet.Change) throws {
        try bindKey(change, to: deletion)
        try deletion.run()
    }

    /// Inserts a row of the first `count` columns, except those with their defaults.
    func insert(_ count: Int, _ value: (Int) -> OpaquePointer?) throws {
        let places = (0..<count).filter { !shape.isDefault(value($0), $0) }
        let statement = try insertion(places)
        for (index, place) in places.enumerated() { try bind(value(place), at: index + 1, to: statement) }
        try statement.run()
    }

    /// The places of the columns that an update changes, if the row can stay where it is. Nil if a unique value changes,
    /// because rows may exchange such values, and if a new value represents the column's default.
    func placesToUpdate(_ change: ChangeSet.Change) -> [Int]? {
        guard let mustBeUnique else { return nil }
        var places: [Int] = []
        for place in 0..<Int(change.columnCount) {
            guard let new = change.new(place) else { continue }
            guard !mustBeUnique[place], !shape.isDefault(new, place) else { return nil }
            places.append(place)
        }
        return places.isEmpty ? nil : places
    }

    /// Changes the row of a change where it is.
    func update(_ change: ChangeSet.Change, _ places: [Int]) throws {
        let statement = try updates(of: places).plain
        try bindUpdate(change, places, to: statement)
        try statement.run()
    }

    /// Changes the row of a change where it is, if its columns have the change's old values. False if it was not
    /// changed: because a value differs, or because SQL compares the old values less strictly than bit by bit.
    func updateIfUnchanged(_ change: ChangeSet.Change, _ places: [Int]) throws -> Bool {
        for place in places {
            guard let old = change.old(place), !shape.isDefault(old, place) else { return false }
            // 0.0 equals -0.0.
            if sqlite3_value_type(old) == SQLITE_FLOAT, sqlite3_value_double(old) == 0 { return false }
        }
        let statement = try updates(of: places).comparing
        try bindUpdate(change, places, to: statement)
        let first = places.count + shape.keys.count + 1
        for (index, place) in places.enumerated() { try bind(change.old(place), at: first + index, to: statement) }
        try statement.run()
        return connection.changedRowCount == 1
    }

    /// The statements that update some columns of a row.
    private final class Updates {
        /// The arguments are the new values and the key.
        let plain: Statement
        /// The same, if the columns have the old values, which follow. A value of another type or another spelling that
        /// the column's collation ignores is another value.
        let comparing: Statement

        init(_ places: [Int], _ table: String, _ shape: TableShape, _ connection: SQLiteConnection) throws(StoreError) {
            let values = places.map { "\(name: shape.columns[$0]) = ?" as SQL }
            let key = shape.keys.map { "\(name: shape.columns[$0]) = ?" as SQL }
            let text: SQL = "UPDATE \(name: table) SET \(list: values) WHERE \(list: key, separator: " AND ")"
            plain = try connection.prepare(text)
            let first = places.count + shape.keys.count + 1
            let same = places.enumerated().map { index, place in
                """
                \(name: shape.columns[place]) IS ?\(number: first + index) COLLATE BINARY \
                AND typeof(\(name: shape.columns[place])) = typeof(?\(number: first + index))
                """ as SQL
            }
            comparing = try connection.prepare("\(text) AND \(list: same, separator: " AND ")")
        }
    }

    private func updates(of places: [Int]) throws(StoreError) -> Updates {
        if let lastUpdate, lastUpdate.places == places { return lastUpdate.updates }
        let found: Updates
        if let known = updates[places] {
            found = known
        } else {
            found = try Updates(places, name, shape, connection)
            updates[places] = found
        }
        lastUpdate = (places, found)
        return found
    }

    private func bindUpdate(
        _ change: ChangeSet.Change, _ places: [Int], to statement: Statement
    ) throws(StoreError) {
        for (index, place) in places.enumerated() { try bind(change.new(place), at: index + 1, to: statement) }
        for (index, key) in shape.keys.enumerated() {
            try bind(change.key(key), at: places.count + index + 1, to: statement)
        }
    }

    private func insertion(_ places: [Int]) throws(StoreError) -> Statement {
        if let known = insertions[places] { return known }
        let columns = places.map { shape.columns[$0] }
        let statement = try connection.prepare(
            "INSERT INTO \(name: name) (\(names: columns)) VALUES (\(placeholders: places.count))")
        insertions[places] = statement
        return statement
    }

    func bindKey(_ change: ChangeSet.Change, to statement: Statement) throws(StoreError) {
        for (index, key) in shape.keys.enumerated() { try bind(change.key(key), at: index + 1, to: statement) }
    }

    func bind(_ value: OpaquePointer?, at index: Int, to statement: Statement) throws(StoreError) {
        let code =
            value.map { sqlite3_bind_value(statement.handle, Int32(index), $0) }
            ?? sqlite3_bind_null(statement.handle, Int32(index))
        guard code == SQLITE_OK else { throw .engine(code, message: "A recorded value cannot be bound") }
    }
}
