public import PersistentObjects

// Finder names of sources, checked before they run.
extension Persistent {
    /// Checks all finders of the class that Swift sources use, so that a misspelt one fails a test and not a user.
    ///
    /// Make it a line of your tests: the class must be known to the program that checks, which a tool apart from your
    /// package could not be.
    ///
    /// ```swift
    /// import PersistentObjectsTesting
    ///
    /// @Test func `finders are spelt right`() throws {
    ///     try Person.checkFinders(inSources: "Sources")
    /// }
    /// ```
    ///
    /// All `.swift` files in the folder and below are read, without those in hidden folders; the path may also be that
    /// of one file. What is checked is the name behind `Person.`, and behind `Self.` inside the class, in all branches
    /// of `#if`; not in comments and texts. A member that the sources declare is no finder: one of the class, of its
    /// superclasses and protocols, of `Persistent`. Not seen are names behind a variable that holds the class, and behind
    /// `type(of:)`. Of a generic class the uses with all arguments are checked; classes of the same name in
    /// two modules are not told apart.
    ///
    /// - Parameters:
    ///   - folder: The folder; a relative path is one from the current folder, which is the package's in `swift test`.
    ///   - names: Names to leave alone: static members that are declared elsewhere and look like finders.
    /// - Throws: `FinderProblems` with a `FinderSourceError` for each name at fault, with its file, line and column,
    ///   and for what cannot be read; also where no finder was found to check.
    public static func checkFinders(inSources folder: String, ignoring names: Set<String> = []) throws {
        try FinderSources(folder).check([FinderCheck(of: self)], ignoring: names)
    }
}

// The same for several classes at once.
extension PersistentObject {
    /// Checks all finders of some classes that Swift sources use; see `checkFinders(inSources:ignoring:)` of one.
    ///
    /// ```swift
    /// try PersistentObject.checkFinders(of: [Person.self, Pet.self], inSources: "Sources")
    /// ```
    ///
    /// - Throws: `FinderProblems` as for one class; that no finder is used only where none of any class is.
    public static func checkFinders(
        of classes: [PersistentObject.Type], inSources folder: String, ignoring names: Set<String> = []
    ) throws {
        try FinderSources(folder).check(classes.map(FinderCheck.init), ignoring: names)
    }
}
