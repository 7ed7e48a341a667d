/// One row to update. It does not retain the object, because the caller of the save does.
struct RowUpdate {
    private let borrowed: Borrowed<PersistentObject>
    var object: PersistentObject { borrowed.object }
    let rowID: Int64
    /// All properties that differ from the database.
    let changed: ColumnSet
    /// The changed properties for which the row has columns.
    let columns: ColumnSet

    init(object: PersistentObject, changed: ColumnSet, _ map: ClassMap) {
        borrowed = Borrowed(object)
        rowID = object.rowID
        self.changed = changed
        columns = map.links.isEmpty ? changed : map.columns(of: changed, object)
    }
}
