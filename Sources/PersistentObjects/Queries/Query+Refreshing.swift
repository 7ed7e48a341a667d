extension Query {
    /// Returns the same query, which reads the rows of all the objects it finds again.
    ///
    /// It also reads the rows of objects that the session considers up to date. Use it for changes that the session
    /// cannot detect, such as those of a trigger that wrote another row. Unsaved edits are kept, unless `droppingEdits`
    /// is true: then each object that is found gets the values of its row.
    ///
    /// ```swift
    /// let people = try Person.where { $0.age > 30 }.refreshing(droppingEdits: true).all()
    /// ```
    ///
    /// - Complexity: A second statement for the ids; with `droppingEdits`, one more for each object that has edits.
    public func refreshing(droppingEdits: Bool = false) -> Query {
        changed { $0.refreshing = droppingEdits ? .droppingEdits : .keepingEdits }
    }
}
