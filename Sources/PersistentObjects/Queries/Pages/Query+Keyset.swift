// Pages that start after or before a given object.
extension Query {
    /// Returns the objects that follow an object in the order of the query.
    ///
    /// ```swift
    /// let people = Person.query.order(by: \.lastName).order(by: \.age, .descending)
    /// var page = try people.limit(20).all()
    /// while let last = page.last { page = try people.after(last, limit: 20) }
    /// ```
    ///
    /// The object's values are compared with those of the rows, so the pages before are not read again, and rows that
    /// are added or deleted do not shift the next page. The object may have been deleted since, and the query need not
    /// find it. Objects that are equal in everything that the query orders by are ordered by their ids.
    ///
    /// - Throws: `QueryError` if the query has a limit or an offset, or is ordered by anything but stored properties.
    ///   `StoreError` with the code `misuse` for an object that was never saved.
    public func after(
        _ last: T, limit: Int, isolation: isolated (any Actor)? = #isolation
    ) throws -> [T] {
        try first(limit, of: Keyset(definition).definitions(after: last.object), isolation)
    }

    /// Returns the objects directly before an object in the order of the query: the previous page.
    ///
    /// - Throws: The errors of `after(_:limit:)`.
    public func before(
        _ first: T, limit: Int, isolation: isolated (any Actor)? = #isolation
    ) throws -> [T] {
        try self.first(limit, of: Keyset(definition).reversed().definitions(after: first.object), isolation)
            .reversed()
    }

    /// The first objects that several queries find, run in sequence.
    private func first(_ limit: Int, of parts: [QueryDefinition], _ isolation: isolated (any Actor)?) throws -> [T] {
        guard parts.count > 1 else {
            return try parts.flatMap { try Query($0).limit(limit).all(isolation: isolation) }
        }
        let session = try CurrentSession.session(for: definition.home)
        return try session.enter("") {
            // All parts read one state of the database, so that no row is found twice or missed.
            try session.readTransaction.inOneState {
                var found: [T] = []
                for part in parts where found.count < limit {
                    found += try Query(part).limit(limit - found.count).all(isolation: isolation)
                }
                return found
            }
        }
    }
}
