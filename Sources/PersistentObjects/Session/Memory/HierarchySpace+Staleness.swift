internal import StoreEngine

// The objects of a hierarchy that writes of other sessions may affect.
extension HierarchySpace {
    func liveObjects() -> [PersistentObject] { allIdentities.flatMap { $0.liveObjects() } }

    /// Whether any object of its classes may differ from the database.
    func isStale(after news: StaleRows.News, _ dialect: Dialect) -> Bool {
        guard liveCount > 0 else { return false }
        // The sources of views, and the triggers of existing tables, are unknown.
        if table == nil || classes.values.contains(where: { $0.foreign != nil }) { return true }
        if let table, news.wholeTables.contains(table) { return true }
        let links = classes.values.map(\.links)
        // The owners of collections that other sessions wrote are unknown, unless an object wrote the collection.
        let haveLists = links.contains { !$0.collections.isEmpty || !$0.inverses.isEmpty }
        if news.hasUnreportedRows, haveLists { return true }
        // An inverse changes with the rows of other classes.
        return !inverseTables(dialect).isDisjoint(with: news.tables)
    }
}
