extension ClassMap {
    /// The properties that differ from the baseline, where a save has anything to write: a change of `updatedAt` alone
    /// is none.
    func changesToSave(_ object: Address, _ block: Address) -> ColumnSet {
        let changed = baseline.changes(object, block)
        guard let updated = timestamps?.updated, changed.contains(updated.place) else { return changed }
        return changed == ColumnSet([updated.place]) ? ColumnSet() : changed
    }
}
