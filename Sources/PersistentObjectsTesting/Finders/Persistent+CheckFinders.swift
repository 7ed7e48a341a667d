public import PersistentObjects

// Checks of the finder names in sources.
extension Persistent {
    /// Checks all finders of the class in Swift sources, so that a misspelled name fails a test.
    ///
    /// Add one line to your tests. The program that checks must contain the class, which a tool outside your package
    /// cannot.
    ///
    /// ```swift
    /// import PersistentObjectsTesting
    ///
    /// @Test func `finders are spelt right`() throws {
    ///     try Person.checkFinders(inSources: "Sources")
    /// }
    /// ```
    ///
    /// The call reads all `.swift` files in the folder and its subfolders, except hidden folders; the path may also
    /// name one file. It checks the names after `Person.`, and after `Self.` inside the class, in all branches of
    /// `#if`, but not in comments and strings. A member that the sources declare in the class, its superclasses and
    /// protocols, or `Persistent` is not a finder. Names after a variable that holds the class, and after `type(of:)`,
    /// are not found. For a generic class, uses with all arguments are checked; classes of the same name in two modules
    /// are not distinguished.
    ///
    /// - Parameters:
    ///   - folder: The folder; a relative path is relative to the current folder, which is the package's folder in
    ///     `swift test`.
    ///   - names: Names to ignore: static members that are declared elsewhere and look like finders.
    /// - Throws: `FinderProblems` with a `FinderSourceError` for each invalid name, with its file, line and column, and
    ///   for each file that cannot be read; also if there was no finder to check.
    public static func checkFinders(inSources folder: String, ignoring names: Set<String> = []) throws {
        try FinderSources(folder).check([FinderCheck(of: self)], ignoring: names)
    }
}

// Checks of several classes at once.
extension PersistentObject {
    /// Checks all finders of several classes in Swift sources.
    ///
    /// See `checkFinders(inSources:ignoring:)` for one class.
    ///
    /// ```swift
    /// try PersistentObject.checkFinders(of: [Person.self, Pet.self], inSources: "Sources")
    /// ```
    ///
    /// - Throws: `FinderProblems` as for one class; a missing finder is reported only if none of the classes has one.
    public static func checkFinders(
        of classes: [PersistentObject.Type], inSources folder: String, ignoring names: Set<String> = []
    ) throws {
        try FinderSources(folder).check(classes.map(FinderCheck.init), ignoring: names)
    }
}
