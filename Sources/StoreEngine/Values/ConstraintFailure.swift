/// Which constraint a statement would have broken, as the engine tells it.
package struct ConstraintFailure: Sendable, Equatable {
    /// The kinds of constraint.
    package enum Kind: Sendable {
        case unique, notNull, foreignKey, check
        /// A delete rule, whose trigger denies the deletion.
        case deniedDeletion
        /// A trigger of somebody else's.
        case trigger
        /// What the engine has besides, a column's type for one.
        case other
    }

    /// Which kind it is of.
    package let kind: Kind
    /// The table, where the engine tells it.
    package let table: String?
    /// The columns, where the engine tells them.
    package let columns: [String]
    /// The name or the expression of a CHECK constraint, where the engine tells it.
    package let check: String?

    package init(kind: Kind, table: String? = nil, columns: [String] = [], check: String? = nil) {
        self.kind = kind
        self.table = table
        self.columns = columns
        self.check = check
    }

    /// What an index on an expression is about: the library names its own `table.column,column.hash.unique`.
    package static func place(ofIndex name: Substring) -> (table: String?, columns: [String]) {
        let parts = name.split(separator: ".")
        guard parts.count >= 4, parts[3] == "unique" else { return (nil, []) }
        return (String(parts[0]), parts[1].split(separator: ",").map(String.init))
    }
}
