internal import PersistentObjects
internal import StoreEngine

/// A batch of rows for the target.
final class CopiedRows: RowInsertion {
    private let table: CopiedTable
    private let connection: any Connection
    private var values: [DatabaseValue] = []
    private(set) var byteCount = 0

    init(_ table: CopiedTable, _ connection: any Connection) {
        self.table = table
        self.connection = connection
    }

    /// Adds the row that a statement is on.
    func append(_ statement: Statement) throws {
        for index in table.columns.indices {
            let value = try statement.column(Int32(index)).value()
            switch value {
            case .text(let text): byteCount += text.utf8.count
            case .blob(let bytes): byteCount += bytes.count
            default: break
            }
            values.append(value)
        }
        byteCount += 16 * table.columns.count
    }

    func removeAll() {
        values.removeAll(keepingCapacity: true)
        byteCount = 0
    }

    var rowCount: Int { values.count / table.columns.count }
    var valueCount: Int { table.columns.count }
    var target: InsertionTarget? {
        InsertionTarget(table: table.name, columns: table.columns.map(\.name), constant: nil)
    }

    func statement(rows: Int) throws -> Statement? { try connection.batchStatement(table.insert(rows: rows)) }

    func bind(_ row: Int, to statement: Statement, at index: inout Int32) throws {
        let start = row * table.columns.count
        for place in table.columns.indices {
            do throws(ValueFault) { try statement.bind(values[start + place], at: index) } catch {
                var id: Int64?
                if case .integer(let key) = values[start + table.keyIndex] { id = key }
                throw StoreError.value(error).at(
                    className: table.className, property: table.columns[place].property, rowID: id)
            }
            index += 1
        }
    }

    func located(_ error: StoreError) -> any Error { error.at(className: table.className) }
}
