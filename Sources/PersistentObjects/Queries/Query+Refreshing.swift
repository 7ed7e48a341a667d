extension Query {
    /// The same query, which reads the rows of all objects that it finds again, also of those that are up to date as far
    /// as the session knows.
    ///
    /// For what the session cannot know of, such as a trigger that has written
    /// another row. Unsaved edits stay, unless they are to be dropped: then each
    /// object that is found is what its row has.
    ///
    /// ```swift
    /// let people = try Person.where { $0.age > 30 }.refreshing(droppingEdits: true).all()
    /// ```
    ///
    /// - Complexity: a second statement, for the ids; with `droppingEdits` one more for each object that has edits.
    public func refreshing(droppingEdits: Bool = false) -> Query {
        changed { $0.refreshing = droppingEdits ? .droppingEdits : .keepingEdits }
    }
}
