internal import StoreEngine

extension SearchIndex {
    /// The index of a class's texts; nil where nothing is searched.
    init?(_ map: ClassMap) {
        guard !map.searchColumns.isEmpty else { return nil }
        self.init(of: map.table, columns: map.searchColumns)
    }
}
