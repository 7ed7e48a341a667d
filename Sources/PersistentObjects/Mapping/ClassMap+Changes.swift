extension ClassMap {
    /// The properties that differ from the baseline, if a save has something to write: a change of `updatedAt` alone
    /// does not count.
    func changesToSave(_ object: Address, _ block: Address) -> ColumnSet {
        let changed = baseline.changes(object, block)
        guard let updated = timestamps?.updated, changed.contains(updated.ordinal) else { return changed }
        return changed == ColumnSet([updated.ordinal]) ? ColumnSet() : changed
    }
}
