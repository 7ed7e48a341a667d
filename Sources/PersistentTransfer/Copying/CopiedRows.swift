internal import PersistentObjects
internal import StoreEngine

/// A batch of rows for the target.
final class CopiedRows: RowInsertion {
    private let table: CopiedTable
    private let connection: any Connection
    private let row = CellRow()
    private var values: [Value] = []
    /// The bytes of all strings and blobs, each string with a NUL after the last byte.
    private var bytes: [UInt8] = []

    /// A value without its bytes, so that no string is created for it.
    private struct Value {
        /// The cell of the row from which it was read; its address is no longer valid.
        let cell: Cell
        /// The place of its bytes.
        let place: Int

        func cell(in bytes: UnsafeRawBufferPointer) -> Cell {
            guard let start = bytes.baseAddress else { return cell }
            return switch cell.storageClass {
            case .text: Cell(text: (start + place).assumingMemoryBound(to: UInt8.self), count: cell.byteCount)
            case .blob: Cell(blob: start + place, count: cell.byteCount)
            case .null, .integer, .real: cell
            }
        }
    }

    init(_ table: CopiedTable, _ connection: any Connection) {
        self.table = table
        self.connection = connection
    }

    /// Adds the row that a statement is on.
    func append(_ statement: Statement) throws {
        row.take(statement)
        for (column, cell) in row.row.enumerated() {
            values.append(Value(cell: cell, place: bytes.count))
            guard cell.byteCount > 0 || cell.storageClass == .text else { continue }
            let content = UnsafeRawBufferPointer(start: cell.start, count: cell.byteCount)
            if cell.storageClass == .text { try check(cell, content, column) }
            bytes.append(contentsOf: content)
            if cell.storageClass == .text { bytes.append(0) }
        }
    }

    /// Throws if a string is not valid UTF-8.
    private func check(_ cell: Cell, _ content: UnsafeRawBufferPointer, _ column: Int) throws {
        // Most strings consist of ASCII characters, which need no further test.
        guard cell.start == nil || content.reduce(0, |) > 0x7F else { return }
        do throws(ValueFault) { _ = try cell.text() } catch {
            throw located(error, column, id: row.row[table.keyIndex].integer)
        }
    }

    private func located(_ fault: ValueFault, _ column: Int, id: Int64?) -> StoreError {
        StoreError.value(fault).at(
            className: table.className, property: table.columns[column].property, rowID: id)
    }

    func removeAll() {
        values.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// The number of bytes in memory, without those that are reserved.
    var byteCount: Int { bytes.count + MemoryLayout<Value>.stride * values.count }
    var rowCount: Int { values.count / table.columns.count }
    var valueCount: Int { table.columns.count }
    var target: InsertionTarget? {
        InsertionTarget(table: table.name, columns: table.columns.map(\.name), constant: nil)
    }

    func statement(rows: Int) throws -> Statement? { try connection.batchStatement(table.insert(rows: rows)) }

    func bind(_ row: Int, to statement: Statement, at index: inout Int32) throws {
        let start = row * table.columns.count
        // The standard library's closures do not throw typed errors.
        try bytes.withUnsafeBytes { bytes in
            for column in table.columns.indices {
                do throws(ValueFault) { try statement.bind(values[start + column].cell(in: bytes), at: index) } catch {
                    throw located(error, column, id: values[start + table.keyIndex].cell.integer)
                }
                index += 1
            }
        }
    }

    func located(_ error: StoreError) -> any Error { error.at(className: table.className) }
}
