/// One row to be updated. The caller of the save holds the object, so that 100,000 of these retain nothing.
struct RowUpdate {
    private let borrowed: Borrowed<PersistentObject>
    var object: PersistentObject { borrowed.object }
    let rowID: Int64
    /// All properties that differ from the database.
    let changed: ColumnSet
    /// Those of them that the row has columns for.
    let columns: ColumnSet

    init(object: PersistentObject, changed: ColumnSet, _ map: ClassMap) {
        borrowed = Borrowed(object)
        rowID = object.rowID
        self.changed = changed
        columns = map.links.isEmpty ? changed : map.columns(of: changed, object)
    }
}
