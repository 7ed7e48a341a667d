internal import StoreEngine

// Which objects of a hierarchy what others have written may concern.
extension HierarchySpace {
    func liveObjects() -> [PersistentObject] { allIdentities.flatMap { $0.liveObjects() } }

    /// Whether any object of its classes may differ from what is stored of it.
    func isStale(after news: StaleRows.News, _ dialect: Dialect) -> Bool {
        guard liveCount > 0 else { return false }
        // What is behind existing tables and views is not known.
        if table == nil || classes.values.contains(where: { $0.foreign != nil }) { return true }
        if let table, news.wholeTables.contains(table) { return true }
        let links = classes.values.map(\.links)
        // Whose collections they were that others have written is not known, where no object did it.
        let haveLists = links.contains { !$0.collections.isEmpty || !$0.inverses.isEmpty }
        if news.hasUntoldRows, haveLists { return true }
        // An inverse changes with the rows of others.
        return !inverseTables(dialect).isDisjoint(with: news.tables)
    }
}
