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
        while first.key != nil || second.key != nil {
            let id = min(first.key ?? .max, second.key ?? .max)
            guard try first.passesObject(with: second) else {
                throw CopyError([
                    table.problem(
                        "The object differs in the two stores. The source was written to after this part was copied, or "
                            + "the target was. Empty the target and copy again", id: id)
                ])
            }
            try report(first.count)
        }
        return first.count
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
        private let row = CellRow()
        private let keyIndex: Int32
        private var isOnRow: Bool
        private(set) var count: Int64 = 0

        init(_ comparison: CopyComparison, _ connection: any Connection) throws {
            self.comparison = comparison
            statement = try connection.prepare(comparison.table.select(from: nil))
            keyIndex = Int32(comparison.table.keyIndex)
            isOnRow = try statement.step()
        }

        func finish() { statement.finish() }

        /// The key of the current row; nil at the end.
        var key: Int64? { isOnRow ? statement.integer(keyIndex) : nil }

        /// Advances both readers past the rows of one object, and returns whether these are equal.
        func passesObject(with other: Reader) throws -> Bool {
            guard key == other.key else { return false }
            guard comparison.table.hasUniqueKeys else { return try rows() == other.rows() }
            row.take(statement)
            other.row.take(other.statement)
            let (mine, theirs) = (row.row, other.row.row)
            for index in comparison.columns.indices {
                // Almost all values have the same bytes, and are compared without creating strings.
                if mine[index].holds(theirs[index]) { continue }
                guard try value(index) == other.value(index) else { return false }
            }
            try advance()
            try other.advance()
            return true
        }

        /// The rows of the current object. Engines sort the elements of a set differently.
        private func rows() throws -> [[DatabaseValue]] {
            let object = key
            var rows: [[DatabaseValue]] = []
            while isOnRow, key == object {
                rows.append(try comparison.columns.indices.map(value))
                try advance()
            }
            guard rows.count > 1 else { return rows }
            return rows.map { (text: "\($0)", row: $0) }.sorted { $0.text < $1.text }.map(\.row)
        }

        private func value(_ index: Int) throws -> DatabaseValue {
            comparison.compared(try statement.column(Int32(index)).value(), index)
        }

        private func advance() throws {
            count += 1
            isOnRow = try statement.step()
        }
    }
}
