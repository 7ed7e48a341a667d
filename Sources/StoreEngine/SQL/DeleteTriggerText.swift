/// An engine-independent trigger that fires when a row of a table is deleted.
package struct DeleteTriggerText {
    /// The action of a trigger.
    package enum Action {
        /// Refuses the deletion by a rule; the error has `ConstraintFailure.Kind.deniedDeletion`.
        case deny(rule: String)
        /// Runs a statement.
        case run(SQL)
    }

    /// The trigger's name.
    package let name: String
    /// The table whose rows are deleted.
    package let table: String
    /// Whether it fires after the row was deleted.
    package let actsAfterwards: Bool
    /// The condition of the action; nil for always.
    package let condition: SQL?
    /// The action.
    package let action: Action

    package init(name: String, table: String, actsAfterwards: Bool, condition: SQL?, action: Action) {
        self.name = name
        self.table = table
        self.actsAfterwards = actsAfterwards
        self.condition = condition
        self.action = action
    }

    /// The suffix of a denying rule's message, which identifies the refusal.
    package static let denial = " denies the deletion"
}
