/// The constraint that a statement would have violated, as reported by the engine.
package struct ConstraintFailure: Sendable, Equatable {
    /// The kinds of constraint.
    package enum Kind: Sendable {
        case unique, notNull, foreignKey, check
        /// A delete rule whose trigger denies the deletion.
        case deniedDeletion
        /// Another program's trigger.
        case trigger
        /// Other constraints of the engine, such as a column's type.
        case other
    }

    /// The kind of constraint.
    package let kind: Kind
    /// The table, if the engine reports it.
    package let table: String?
    /// The columns, if the engine reports them.
    package let columns: [String]
    /// The name or the expression of a CHECK constraint, if the engine reports it.
    package let check: String?

    package init(kind: Kind, table: String? = nil, columns: [String] = [], check: String? = nil) {
        self.kind = kind
        self.table = table
        self.columns = columns
        self.check = check
    }

    /// The table and columns of an expression index: the library's own names are `table.column,column.hash.unique`, and
    /// `table.column.unique` for the hashes of an encrypted column.
    package static func place(ofIndex name: Substring) -> (table: String?, columns: [String]) {
        let parts = name.split(separator: ".")
        guard parts.count >= 4 && parts[3] == "unique" || parts.count == 3 && parts[2] == "unique" else {
            return (nil, [])
        }
        return (String(parts[0]), parts[1].split(separator: ",").map(String.init))
    }
}
