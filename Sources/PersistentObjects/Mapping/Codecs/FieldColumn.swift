@_spi(Columns) internal import StoreEngine

/// One column of a row, as codecs read it: a `RowColumn` of the seam.
///
/// Declared again in this module, because the optimizer cannot inline calls through conformances of another module
/// (measured: a fetch took 1.2 times as long).
protocol FieldColumn {
    var storageClass: StorageClass { get }
    var isNull: Bool { get }
    var integer: Int64? { get }
    var real: Double? { get }
    func text() throws(ValueFault) -> String
    func mismatch(expected: String) -> ValueFault
    var cell: Cell { get }
}

extension ColumnValue: FieldColumn {}
extension Cell: FieldColumn {}

/// The columns of a row, by position from 0.
protocol FieldColumns {
    associatedtype Column: FieldColumn
    subscript(_ index: Int32) -> Column { get }
}

extension ColumnValues: FieldColumns {}
extension Cells: FieldColumns {}
