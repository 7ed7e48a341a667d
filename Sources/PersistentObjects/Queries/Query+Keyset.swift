// Pages that begin where another ended.
extension Query {
    /// The objects that come next after one, in the order of the query.
    ///
    /// ```swift
    /// let people = Person.query.order(by: \.lastName).order(by: \.age, .descending)
    /// var page = try people.limit(20).all()
    /// while let last = page.last { page = try people.after(last, limit: 20) }
    /// ```
    ///
    /// It compares the values that the object has with those of the rows, so
    /// the pages before are not read again, and rows that come or go do not
    /// shift the next page. The object need not be there any more, nor be one
    /// that the query finds. Objects that are equal in all that the query
    /// orders by are in the order of their ids.
    ///
    /// - Throws: `QueryError` where the query has a limit or an offset, or an
    ///   order by anything but stored properties. `StoreError` with the code
    ///   `misuse` for an object that was never saved.
    public func after(
        _ last: T, limit: Int, isolation: isolated (any Actor)? = #isolation
    ) throws -> [T] {
        try Query(Keyset(definition).definition(after: last.object)).limit(limit).all(isolation: isolation)
    }

    /// The objects that come last before one, in the order of the query: the page before.
    ///
    /// - Throws: As `after(_:limit:)`.
    public func before(
        _ first: T, limit: Int, isolation: isolated (any Actor)? = #isolation
    ) throws -> [T] {
        let definition = try Keyset(definition).reversed().definition(after: first.object)
        return try Query(definition).limit(limit).all(isolation: isolation).reversed()
    }
}
