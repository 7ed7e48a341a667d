// Foreign: reads files of Core Data and SQLitePersistentObject, and converts their rows into rows of a store. It knows
// how these programs name and store data. It must not write to the database, because `ImportWriter` does that.

internal import PersistentObjects
internal import StoreEngine

/// The rows of a class in another program's table, and the source of each property's value.
struct ForeignSource {
    /// The source of a property's value.
    enum Place {
        /// A column of the statement that contains a value.
        case value(Int)
        /// A column of the statement that contains a reference.
        case reference(Int)
        /// Rows of another table, read for each owner by its id: key, target's id, target's table, value.
        case children(SQL)
    }

    let space: ClassSpace
    let table: String
    /// Selects the id, then the columns of `ordinals`, sorted by id.
    let select: SQL
    let arguments: [DatabaseValue]
    let ordinals: [(ordinal: Int, source: Place)]
    /// The offset of its ids if several tables of the file become one table of the store.
    let shift: Int64
}

/// The data of some classes in another program's file.
protocol ForeignModel {
    var sources: [ForeignSource] { get }
    /// Rows without a class: the statement that reads their ids, and the reason why they are skipped.
    var strangers: [(table: String, ids: SQL, arguments: [DatabaseValue], reason: String)] { get }
    var unusedColumns: [String] { get }
    var unfilledProperties: [String] { get }
    /// Converts a stored value to JSON.
    func json(_ stored: DatabaseValue, _ property: Property, _ form: JSONShape, _ map: ClassMap) throws -> JSONValue
    /// The class that a reference refers to, the id in its source, and the offset of that source.
    func target(
        _ id: DatabaseValue, table: DatabaseValue, _ property: Property
    ) throws -> (space: ClassSpace, id: Int64, shift: Int64)
}

/// Comparison of names that ignores case and underscores, which other programs use differently.
enum ForeignName {
    static func folded(_ name: String) -> String { name.lowercased().replacing("_", with: "") }
}
