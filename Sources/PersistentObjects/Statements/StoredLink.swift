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

    /// A statement for one id, and for a JSON array of them.
    struct Texts {
        let one: String
        let list: String

        init(_ start: SQL, _ column: String) {
            var sql = start
            sql.append(" WHERE ")
            sql.append(identifier: column)
            one = sql.text + " = ?"
            list = sql.text + " IN (SELECT value FROM json_each(?))"
        }
    }

    /// Which side the ids are of.
    enum Direction {
        case fromOwners
        case fromTargets
    }

    init(_ property: Property, of map: ClassMap, from owner: Int, to target: Int) {
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
        var select = SQL("SELECT ")
        select.append(identifier: ownerColumn)
        select.append(", ")
        select.append(identifier: targetColumn)
        select.append(" FROM ")
        select.append(identifier: table)
        forward = Texts(select, ownerColumn)
        backward = Texts(select, targetColumn)
        var clear = SQL(child == nil ? "UPDATE " : "DELETE FROM ")
        clear.append(identifier: table)
        if child == nil {
            clear.append(" SET ")
            clear.append(identifier: targetColumn)
            clear.append(" = NULL")
        }
        clearForward = Texts(clear, ownerColumn)
        clearBackward = Texts(clear, targetColumn)
    }

    /// The column or table.
    var name: String { isCollection ? "\(map.table)_\(property.column)" : "\(map.table).\(property.column)" }
}
