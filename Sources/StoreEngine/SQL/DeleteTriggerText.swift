/// A trigger that acts where a row of a table is deleted, without the words of an engine.
package struct DeleteTriggerText {
    /// What it does.
    package enum Action {
        /// Refuses the deletion in the name of a rule: what is thrown has `ConstraintFailure.Kind.deniedDeletion`.
        case deny(rule: String)
        /// Runs a statement.
        case run(SQL)
    }

    /// The trigger's name.
    package let name: String
    /// The table whose rows are deleted.
    package let table: String
    /// Whether it acts when the row is gone already.
    package let actsAfterwards: Bool
    /// Where it acts; nil for always.
    package let condition: SQL?
    /// What it does.
    package let action: Action

    package init(name: String, table: String, actsAfterwards: Bool, condition: SQL?, action: Action) {
        self.name = name
        self.table = table
        self.actsAfterwards = actsAfterwards
        self.condition = condition
        self.action = action
    }

    /// What the refusal of a rule that denies ends in: by it such a refusal is known.
    package static let denial = " denies the deletion"
}
