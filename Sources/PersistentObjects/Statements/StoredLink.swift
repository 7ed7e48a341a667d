internal import StoreEngine

/// One kind of link as the file has it: a reference's column, or the table of a collection of objects.
final class StoredLink: Sendable {
    /// The topmost prepared class that has the property.
    let map: ClassMap
    let property: Property
    let isCollection: Bool
    /// Whose property it is: that class, not the one that inherits it.
    let declarer: PersistentObject.Type
    /// The hierarchy whose rows refer, by its place among those that have links.
    let owner: Int
    /// The hierarchy that is referred to.
    let target: Int
    let forward: Texts
    let backward: Texts
    let clearForward: Texts
    let clearBackward: Texts

    /// A statement for one id, and for a list of them.
    struct Texts {
        let one: SQL
        let list: SQL

        init(_ start: SQL, _ column: String, _ dialect: Dialect) {
            one = "\(start) WHERE \(name: column) = ?"
            list = "\(start) WHERE \(name: column) \(dialect.isInList("?", .plain))"
        }
    }

    /// Which side the ids are of.
    enum Direction {
        case fromOwners
        case fromTargets
    }

    init(_ property: Property, of map: ClassMap, from owner: Int, to target: Int, _ dialect: Dialect) {
        self.map = map
        self.property = property
        self.owner = owner
        self.target = target
        declarer = ClassLineage.declarer(of: property, in: map)
        let child = ChildTable(property, of: map)
        isCollection = child != nil
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

    /// The column or table.
    var name: String { isCollection ? "\(map.table)_\(property.column)" : "\(map.table).\(property.column)" }
}
