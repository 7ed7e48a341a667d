internal import Foundation
package import StoreEngine

extension ClassSpace {
    /// Runs a statement about the class and calls `body` for each row; errors name the class.
    func forEachRow(
        of sql: SQL, bind: (Statement) throws -> Void = { _ in }, _ body: (Statement) throws -> Void
    ) throws {
        try run(sql, bind: bind) { statement in while try statement.step() { try body(statement) } }
    }

    /// Calls `body` with a statement about the class whose values are bound; errors name the class.
    func run<R>(
        _ sql: SQL, bind: (Statement) throws -> Void = { _ in }, _ body: (Statement) throws -> R
    ) throws -> R {
        let statement = try prepared(sql)
        defer { statement.finish() }
        do {
            statement.beginBinding()
            try bind(statement)
            return try body(statement)
        } catch { throw located(error, sql: sql.text) }
    }

    /// The class, and its known subclasses if its table has a class column.
    package var family: [ClassMap] { hasClassColumn ? sql.family : [map] }

    /// Whether the table has a class column.
    package var hasClassColumn: Bool { !sql.family.isEmpty }

    /// The rows of the class and its subclasses, with the name of the table, for a `FROM` clause.
    package var rows: SQL { sql.source }

    /// The number of rows of the class and its subclasses.
    package func rowCount() throws -> Int64 { try integers(text(.count)).first ?? 0 }

    /// The integers in a statement's first column.
    func integers(_ sql: SQL, bind: (Statement) throws -> Void = { _ in }) throws -> [Int64] {
        var numbers: [Int64] = []
        try forEachRow(of: sql, bind: bind) { statement in
            if map.foreign != nil { try checkID(statement) }
            numbers.append(statement.integer(0))
        }
        return numbers
    }

    /// Throws if the first column of a row, its id, is not an integer: only the creator of an existing table or view
    /// ensures that the column is one.
    func checkID(_ statement: Statement) throws {
        let id = statement.column(0)
        guard let name = map.foreign?.idColumn, id.storageClass != .integer, !isIntegral(statement) else { return }
        throw StoreError(
            .typeMismatch,
            "A row of \(map.table) has \((try? id.value()).map { "\($0)" } ?? "an invalid string") in \(name), the column "
                + "of the ids, which must be an integer. Fix the row, or name another column in origin"
        ).at(className: map.name)
    }

    /// Whether the first column of a row is an integer. A server returns the numbers of a column `NUMERIC` as text.
    private func isIntegral(_ statement: Statement) -> Bool {
        guard session.store.engine.isServer, case .text(let digits)? = try? statement.column(0).value() else {
            return false
        }
        return Decimal(string: digits) == Decimal(statement.integer(0))
    }
}
