internal import PersistentObjects
internal import StoreEngine

/// Rows of a statement.
struct RowSet {
    var columns: [String] = []
    var rows: [[DatabaseValue]] = []
    /// Whether there are more rows than were read.
    var isCut = false
}

extension InspectedFile {
    /// Calls `body` with a statement that reads.
    func withStatement<R>(_ sql: SQL, _ values: [DatabaseValue] = [], _ body: (Statement) throws -> R) throws -> R {
        do {
            let statement = try connection.userStatement(sql)
            defer { statement.finish() }
            guard statement.isReadOnly else {
                throw InspectorError("The statement writes, and files are only read here. Nothing was changed.")
            }
            statement.beginBinding()
            for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
            return try body(statement)
        } catch let error as StoreError { throw InspectorError(error, path: path) }
    }

    /// The first rows of a statement.
    func rows(_ sql: SQL, _ values: [DatabaseValue] = [], limit: Int = Bounds.statementRows) throws -> RowSet {
        try withStatement(sql, values) { statement in
            let columns = (0..<Int32(statement.columnCount)).map { statement.columnName($0) }
            var set = RowSet(columns: columns)
            while try statement.step() {
                guard set.rows.count < limit else {
                    set.isCut = true
                    break
                }
                set.rows.append(InspectedFile.row(statement))
            }
            return set
        }
    }

    /// The values of a statement's current row.
    static func row(_ statement: Statement) -> [DatabaseValue] {
        (0..<Int32(statement.columnCount)).map { index in
            // A string that is not valid UTF-8 is shown as its bytes.
            do throws(ValueFault) { return try statement.column(index).value() } catch {
                return .text("(\(error))")
            }
        }
    }

    /// The number of rows that a part of a statement after `FROM` selects, up to the limit and one more.
    func count(_ source: SQL, _ values: [DatabaseValue] = []) throws -> Int {
        let limit: SQL = "\(number: Bounds.count + 1)"
        return try count(sql: "SELECT count(*) FROM (SELECT 1 FROM \(source) LIMIT \(limit)) AS \"counted\"", values)
    }

    private func count(sql: SQL, _ values: [DatabaseValue]) throws -> Int {
        guard case .integer(let count)? = try rows(sql, values).rows.first?.first else { return 0 }
        return Int(count)
    }

    /// The number of objects of a class and its subclasses, up to the limit and one more.
    func count(of description: ClassDescription) throws -> Int {
        guard classNames(of: description).isEmpty else { return try count(source(of: description)) }
        let table: SQL = "\(name: description.table)"
        // Skipping rows takes half of the time of counting them, and SQLite counts a whole table without reading rows.
        let sql: SQL = """
            SELECT CASE WHEN EXISTS (SELECT 1 FROM \(table) LIMIT 1 OFFSET \(number: Bounds.count)) \
            THEN \(number: Bounds.count + 1) ELSE (SELECT count(*) FROM \(table)) END
            """
        return try count(sql: sql, [])
    }

    /// The rows of a class and its subclasses, for a `FROM` clause.
    func source(of description: ClassDescription) throws -> SQL {
        let names = classNames(of: description)
        guard !names.isEmpty else { return "\(name: description.table)" }
        let literals = names.compactMap { SQLLiteral(.text($0)) }.map { "\(literal: $0)" as SQL }
        return """
            (SELECT * FROM \(name: description.table) WHERE "class" IN (\(list: literals))) AS \(name: description.table)
            """
    }

    /// The values of the class column for the rows of a class; empty if all rows of the table are its rows.
    func classNames(of description: ClassDescription) -> [String] {
        let isRoot = description.superclass.flatMap { classes.descriptions[$0] }?.table != description.table
        guard description.hasClassColumn, !isRoot else { return [] }
        return sortedClasses.map(\.name).filter { classes.isClass($0, description.name) }
    }
}
