internal import PersistentObjects

/// An object that is to become a row: made, filled, and not yet written.
///
/// What it refers to are stand-ins: new objects with nothing but the ids of
/// their rows, which may come later in the file. They are there until the row
/// is written, since weak references do not hold them.
struct ImportedRow {
    let object: PersistentObject
    let space: ClassSpace
    /// The properties that the file has a value for.
    let places: [Int]
    let standIns: [PersistentObject]
    /// Whether there is a row with this id already, which is updated.
    let isUpdate: Bool
    /// Where it stands in the file.
    let origin: RowOrigin
}

/// Where a row of an import stands in its file.
struct RowOrigin {
    var line: Int?
    var table: String?
    /// As the file has it.
    var rowID: Int64?

    func locate(_ error: TransferError) -> TransferError { error.at(line: line, table: table, rowID: rowID) }
}
