internal import PersistentObjects
internal import StoreEngine

/// A batch of rows for the target.
final class CopiedRows: RowInsertion {
    private let table: CopiedTable
    private let connection: any Connection
    private let row = CellRow()
    private var values = CellList()

    init(_ table: CopiedTable, _ connection: any Connection) {
        self.table = table
        self.connection = connection
    }

    /// Adds the row that a statement is on.
    func append(_ statement: Statement) throws {
        row.take(statement)
        for (column, cell) in row.row.enumerated() {
            if cell.storageClass == .text { try check(cell, column) }
            values.append(cell)
        }
    }

    /// Throws if a string is not valid UTF-8.
    private func check(_ cell: Cell, _ column: Int) throws {
        // Most strings consist of ASCII characters, which need no further test.
        guard !cell.isASCII else { return }
        do throws(ValueFault) { _ = try cell.text() } catch {
            throw located(error, column, id: row.row[table.keyIndex].integer)
        }
    }

    private func located(_ fault: ValueFault, _ column: Int, id: Int64?) -> StoreError {
        StoreError.value(fault).at(
            className: table.className, property: table.columns[column].property, rowID: id)
    }

    func removeAll() { values.removeAll() }

    var byteCount: Int { values.byteCount }
    var rowCount: Int { values.count / table.columns.count }
    var valueCount: Int { table.columns.count }
    var isOfExistingTable: Bool { false }
    var target: InsertionTarget? {
        InsertionTarget(table: table.name, columns: table.columns.map(\.name), constant: nil)
    }

    func statement(rows: Int) throws -> Statement? { try connection.batchStatement(table.insert(rows: rows)) }

    func bind(_ row: Int, to statement: Statement, at index: inout Int32) throws {
        let start = row * table.columns.count
        for column in table.columns.indices {
            do { try values.bind(start + column, to: statement, at: index) } catch let fault as ValueFault {
                throw located(fault, column, id: values.integer(at: start + table.keyIndex))
            }
            index += 1
        }
    }

    func located(_ error: StoreError) -> any Error { error.at(className: table.className) }

    func checkInserted(_ rows: Range<Int>) throws {
        throw StoreError(
            .constraint,
            "A trigger of the table \(table.name) left out a row (RAISE(IGNORE), or RETURN NULL on a server). Nothing "
                + "was copied. Drop or fix the trigger"
        ).at(
            className: table.className, property: nil,
            rowID: values.integer(at: (rows.upperBound - 1) * valueCount + table.keyIndex))
    }
}
