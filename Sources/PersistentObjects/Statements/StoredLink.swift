internal import StoreEngine

/// One kind of link as the file stores it: a reference's column, or the table of a collection of objects.
final class StoredLink: Sendable {
    /// The topmost prepared class that has the property.
    let map: ClassMap
    let property: Property
    let isCollection: Bool
    /// The class that declares the property, not a class that inherits it.
    let declarer: PersistentObject.Type
    /// The index in `DeletionRules.nodes` of the hierarchy whose rows refer.
    let owner: Int
    /// The index in `DeletionRules.nodes` of the hierarchy that is referred to.
    let target: Int
    let forward: Texts
    let backward: Texts
    let clearForward: Texts
    let clearBackward: Texts

    /// A statement for one id, and one for a list of ids.
    struct Texts {
        let one: SQL
        let list: SQL

        init(_ start: SQL, _ column: String, _ dialect: Dialect) {
            one = "\(start) WHERE \(name: column) = ?"
            list = "\(start) WHERE \(name: column) \(dialect.isInList("?", .plain))"
        }

        /// - Parameter condition: Creates a condition from the SQL that follows an id.
        init(_ start: SQL, _ dialect: Dialect, _ condition: (SQL) -> SQL) {
            one = "\(start) WHERE \(condition("= ?"))"
            list = "\(start) WHERE \(condition(dialect.isInList("?", .plain)))"
        }
    }

    /// The side that the given ids are on.
    enum Direction {
        case fromOwners
        case fromTargets
    }

    init(_ property: Property, of map: ClassMap, from owner: Int, to target: Int, _ dialect: Dialect) throws {
        self.map = map
        self.property = property
        self.owner = owner
        self.target = target
        declarer = ClassLineage.declarer(of: property, in: map)
        let child = ChildTable(property, of: map)
        isCollection = child != nil
        if child == nil, let foreign = try ForeignSQL(map, dialect) {
            let keyed = try KeyedReference(property, of: map, dialect)
            let column: SQL = "\(name: property.column)"
            let select: SQL = "SELECT \"id\", \(column) FROM \(foreign.rows(as: StoredLink.alias))"
            forward = Texts(select, dialect) { "\"id\" \($0)" }
            backward = Texts(select, dialect) { ids in
                keyed?.refers(StoredLink.alias) { "\($0) \(ids)" } ?? "\(column) \(ids)"
            }
            let cleared = property.columns.map { "\(name: $0) = NULL" as SQL }
            let clear: SQL = "UPDATE \(name: map.table) SET \(list: cleared)"
            clearForward = Texts(clear, dialect) { "\(foreign.id) \($0)" }
            clearBackward = Texts(clear, dialect) { ids in
                keyed?.refers(nil) { "\($0) \(ids)" } ?? "\(name: property.columns[0]) \(ids)"
            }
            return
        }
        let table = child?.name ?? map.table
        let ownerColumn = child == nil ? "id" : ChildTable.ownerColumn
        let targetColumn = child?.valueColumn ?? property.column
        let select: SQL = "SELECT \(names: [ownerColumn, targetColumn]) FROM \(name: table)"
        forward = Texts(select, ownerColumn, dialect)
        backward = Texts(select, targetColumn, dialect)
        let clear: SQL =
            child == nil
            ? "UPDATE \(name: table) SET \(name: targetColumn) = NULL" : "DELETE FROM \(name: table)"
        clearForward = Texts(clear, ownerColumn, dialect)
        clearBackward = Texts(clear, targetColumn, dialect)
    }

    private static let alias = "link"

    /// Whether no foreign key or trigger of the library covers the link, because one side uses an existing table.
    var isRuledHereOnly: Bool { map.foreign != nil || property.linkedClass?.origin.isOwn == false }

    /// Whether the link can be removed from a row that stays.
    var isWritable: Bool { !map.isReadOnly && !property.isReadOnly }

    /// The column or table that stores the link.
    var name: String { isCollection ? "\(map.table)_\(property.column)" : "\(map.table).\(property.column)" }
}
