extension StoreError {
    /// This error with what the caller knows of its place; what is known already stays.
    package func at(
        className: String? = nil, property: String? = nil, rowID: Int64? = nil, sql: String? = nil
    ) -> StoreError {
        var error = self
        error.className = error.className ?? className
        error.property = error.property ?? property
        error.rowID = error.rowID ?? rowID
        error.sql = error.sql ?? sql
        return error
    }
}
