extension Session {
    /// Rows of some classes were written: what other classes over the same tables have in memory may differ from them.
    func noteSharedTables(_ maps: [ClassMap]) {
        let isShared = maps.contains { $0.foreign != nil && store.classes.classes(sharing: $0.table).count > 1 }
        if isShared { noteAllStale() }
    }
}
