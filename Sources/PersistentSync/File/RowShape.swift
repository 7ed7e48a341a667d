internal import PersistentObjects
internal import StoreEngine

/// What reading the rows of a class needs, determined once for all rows.
final class RowShape {
    let shape: SyncedShape
    /// The name of the class, which all of its keys share.
    let type: Text
    /// The names of the properties with a column, in the order of the fields.
    let names: [Text]
    /// Their columns, in lowercase.
    let columns: [String]
    /// The fields whose last write counts, in the order of their names.
    let plain: [Int]
    let plainNames: [Text]
    /// All other fields.
    let merged: [Int]
    /// The fields that need a value that the column can store.
    let necessary: [Int]
    /// Reads the columns of the row with an id; nil if the class has none.
    let select: SQL?
    /// Reads the id of the row with a key.
    let selectID: SQL
    /// Reads the id and the columns of the row with a key.
    let selectRow: SQL
    /// Whether the class has no references and no collections.
    let isPlain: Bool

    init(_ shape: SyncedShape) {
        self.shape = shape
        type = Text(shape.name)
        let names = shape.fields.map { Text($0.name) }
        self.names = names
        columns = shape.fields.map { $0.column.lowercased() }
        plain = shape.fields.indices.filter { shape.fields[$0].kind == .value }.sorted { names[$0] < names[$1] }
        plainNames = plain.map { names[$0] }
        merged = shape.fields.indices.filter { shape.fields[$0].kind != .value }
        necessary = shape.fields.indices.filter { shape.fields[$0].initial == .null && !shape.fields[$0].acceptsNull }
        select =
            shape.fields.isEmpty
            ? nil : "SELECT \(names: shape.fields.map(\.column)) FROM \(name: shape.table) WHERE \"id\" = ?" as SQL
        let place: SQL =
            shape.hasClassColumn
            ? "FROM \(name: shape.table) WHERE \"key\" = ? AND \"class\" = ?"
            : "FROM \(name: shape.table) WHERE \"key\" = ?"
        selectID = "SELECT \"id\" \(place)"
        selectRow = "SELECT \(names: ["id"] + shape.fields.map(\.column)) \(place)"
        isPlain = shape.collections.isEmpty && shape.fields.allSatisfy { $0.target == nil }
    }
}

/// The rows of a table whose keys are known.
final class KeyedTable {
    /// The first class whose rows the table has, by name.
    let first: RowShape
    /// Reads the key of the row with an id, and its class if the table has several.
    let selectKey: SQL
    /// By id; nil for a row that does not exist, or whose class is not known.
    var keys: [Int64: ObjectKey?] = [:]

    init(_ first: RowShape) {
        self.first = first
        selectKey =
            first.shape.hasClassColumn
            ? "SELECT \"key\", \"class\" FROM \(name: first.shape.table) WHERE \"id\" = ?"
            : "SELECT \"key\" FROM \(name: first.shape.table) WHERE \"id\" = ?"
    }
}
