extension StoreError {
    /// Returns this error with the caller's information about its location; existing information is kept.
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
