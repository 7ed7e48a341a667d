// Checking finder names before they run.
extension Persistent {
    /// Checks that each finder name can be parsed and that its operators fit the properties.
    ///
    /// Nothing is found, and no store is needed.
    ///
    /// ```swift
    /// try Person.checkFinders(["findByLastName", "countByAgeGreaterThan"])
    /// ```
    ///
    /// The number and the types of arguments belong to calls, and are not checked. `PersistentObjectsTesting` collects
    /// the names in your sources: `checkFinders(inSources:)`.
    ///
    /// - Throws: `FinderProblems` with all problems.
    public static func checkFinders(_ names: [String]) throws {
        try FinderProblems.report(FinderCheck(of: self).problems(names))
    }
}

// Checks for several classes at once.
extension PersistentObject {
    /// Checks finder names of several classes; see ``Persistent/checkFinders(_:)``.
    ///
    /// ```swift
    /// try PersistentObject.checkFinders([
    ///     (Person.self, ["findByLastName", "countByAgeGreaterThan"]),
    ///     (Pet.self, ["findByOwnerLastName"]),
    /// ])
    /// ```
    ///
    /// - Throws: `FinderProblems` with all problems.
    public static func checkFinders(_ names: [(PersistentObject.Type, [String])]) throws {
        try FinderProblems.report(names.flatMap { FinderCheck($0).problems($1) })
    }
}
