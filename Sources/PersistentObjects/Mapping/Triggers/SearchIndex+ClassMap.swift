internal import StoreEngine

extension SearchIndex {
    /// The search index of a class; nil if no property is searched.
    init?(_ map: ClassMap) {
        guard !map.searchColumns.isEmpty else { return nil }
        self.init(of: map.table, columns: map.searchColumns)
    }
}
