// Foreign: files of Core Data and of SQLitePersistentObject, and how their rows become rows of a store. It knows how
// these programs name and keep things; it must write nothing by itself: `ImportWriter` does.

internal import PersistentObjects
internal import StoreEngine

/// The rows of one class in a table of another program, and where each property's value is.
struct ForeignSource {
    /// Where the value of a property is.
    enum Place {
        /// A column of the statement: a value.
        case value(Int)
        /// A column of the statement: what names an object.
        case reference(Int)
        /// Rows of another table, read for each owner by its id: key, target's id, target's table, value.
        case children(SQL)
    }

    let space: ClassSpace
    let table: String
    /// The id first, then what the places say; ordered by the id.
    let select: SQL
    let arguments: [DatabaseValue]
    let places: [(place: Int, source: Place)]
    /// How far its ids are above those of the first table that shares the class's table.
    let shift: Int64
}

/// What a file of another program has for some classes.
protocol ForeignModel {
    var sources: [ForeignSource] { get }
    /// Rows that no class is there for: how to read their ids, and why they are left out.
    var strangers: [(table: String, ids: SQL, arguments: [DatabaseValue], reason: String)] { get }
    var unusedColumns: [String] { get }
    var unfilledProperties: [String] { get }
    /// Turns a value into what JSON has for it.
    func json(_ stored: DatabaseValue, _ property: Property, _ form: JSONShape, _ map: ClassMap) throws -> JSONValue
    /// The source and the id in it that a reference means.
    func target(
        _ id: DatabaseValue, table: DatabaseValue, _ property: Property
    ) throws -> (space: ClassSpace, id: Int64, shift: Int64)
}

/// Names as other programs spell them: the case of letters and underscores say nothing.
enum ForeignName {
    static func folded(_ name: String) -> String { name.lowercased().replacing("_", with: "") }
}
