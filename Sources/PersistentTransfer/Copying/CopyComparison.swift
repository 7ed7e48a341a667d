internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// Compares all rows of a table in two stores.
struct CopyComparison {
    private let table: CopiedTable
    private let columns: [ComparedColumn]

    /// How the values of a column are compared.
    private enum ComparedColumn {
        case plain
        /// Decimal numbers, which one of the engines stores as strings of their digits.
        case decimal
    }

    init(_ table: CopiedTable, _ source: any Connection, _ target: any Connection) throws {
        self.table = table
        let others = try target.schema.table(table.name)?.columns ?? []
        columns = table.columns.map { column in
            let types = [column.type] + others.filter { $0.name == column.name }.map(\.type)
            return types.contains("NUMERIC") ? .decimal : .plain
        }
    }

    /// Throws `CopyError` at the first object whose rows differ.
    ///
    /// - Parameter report: Called with the number of compared rows, after each object.
    /// - Returns: The number of rows.
    func compare(
        _ source: any Connection, _ target: any Connection, _ report: (Int64) throws -> Void
    ) throws -> Int64 {
        let (first, second) = (try Reader(self, source), try Reader(self, target))
        defer {
            first.finish()
            second.finish()
        }
        while true {
            let (a, b) = (try first.next(), try second.next())
            guard a != nil || b != nil else { return first.count }
            guard let a, let b, a.key == b.key, a.rows == b.rows else {
                let id = [a?.key, b?.key].compactMap(\.self).min()
                throw CopyError([
                    table.problem(
                        "The object differs in the two stores. The source was written to after this part was copied, or "
                            + "the target was. Empty the target and copy again", id: id)
                ])
            }
            try report(first.count)
        }
    }

    private func compared(_ value: DatabaseValue, _ column: Int) -> DatabaseValue {
        switch (value, columns[column]) {
        // SQLite stores -0.0 as 0.0.
        case (.real(let number), _) where number == 0: .real(0)
        case (.text(let text), .decimal): Decimal(string: text, locale: nil).map { .text("\($0)") } ?? value
        default: value
        }
    }

    /// The rows of one key after the other.
    private final class Reader {
        private let comparison: CopyComparison
        private let statement: Statement
        private var isOnRow: Bool
        private(set) var count: Int64 = 0

        init(_ comparison: CopyComparison, _ connection: any Connection) throws {
            self.comparison = comparison
            statement = try connection.prepare(comparison.table.select(from: nil))
            isOnRow = try statement.step()
        }

        func finish() { statement.finish() }

        /// The rows of the next object; nil at the end. Engines sort the elements of a set differently.
        func next() throws -> (key: Int64, rows: [[DatabaseValue]])? {
            guard isOnRow else { return nil }
            let (table, place) = (comparison.table, Int32(comparison.table.keyIndex))
            let key = statement.integer(place)
            var rows: [[DatabaseValue]] = []
            while isOnRow, statement.integer(place) == key {
                rows.append(
                    try table.columns.indices.map { index in
                        comparison.compared(try statement.column(Int32(index)).value(), index)
                    })
                count += 1
                isOnRow = try statement.step()
            }
            guard rows.count > 1 else { return (key, rows) }
            let sorted = rows.map { (text: "\($0)", row: $0) }.sorted { $0.text < $1.text }
            return (key, sorted.map(\.row))
        }
    }
}
