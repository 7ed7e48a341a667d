internal import PersistentObjects

/// An object that is filled from the file, but not yet written as a row.
///
/// It refers to stand-ins: new objects that have only the ids of their rows, which may appear later in the file. The
/// stand-ins are kept until the row is written, because weak references do not keep them alive.
struct ImportedRow {
    let object: PersistentObject
    let space: ClassSpace
    /// The properties that the file has a value for.
    let ordinals: [Int]
    let placeholders: [PersistentObject]
    /// Whether a row with this id exists and is to be updated.
    let isUpdate: Bool
    /// The place of the row in the file.
    let origin: RowOrigin
}

/// The place of an imported row in its file.
struct RowOrigin {
    var line: Int?
    var table: String?
    /// The id in the file.
    var rowID: Int64?

    func locate(_ error: TransferError) -> TransferError { error.at(line: line, table: table, rowID: rowID) }
}
