extension StoreError {
    /// One problem of one object of a save.
    ///
    /// ```swift
    /// do { try joe.save() } catch let error as StoreError {
    ///     for problem in error.problems { print(problem) }     // Person.lastName: must not be empty
    ///     form.mark("email", with: error.problems(of: "email"))
    /// }
    /// ```
    ///
    /// An error with the code `invalid` has all problems of the save; an error with `notUnique` has one, for the
    /// property whose value another row has.
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The object's class.
        public var className: String
        /// The id of the object's row; nil if it has no row yet.
        public var rowID: Int64?
        /// The properties concerned; empty if the problem concerns the object as a whole.
        public var properties: [String]
        /// The problem, as a message that follows the property's name: "must not be empty".
        public var message: String
        /// The object, to distinguish new objects of one class; see `isAbout(_:)`.
        public var object: ObjectIdentifier?

        /// Creates a problem.
        public init(
            className: String, rowID: Int64? = nil, properties: [String] = [], message: String,
            object: ObjectIdentifier? = nil
        ) {
            self.className = className
            self.rowID = rowID
            self.properties = properties
            self.message = message
            self.object = object
        }

        /// The first of the properties concerned; nil if the problem concerns the object as a whole.
        public var property: String? { properties.first }

        /// Returns whether the problem concerns this object, which must not have been released meanwhile.
        public func isAbout(_ object: AnyObject) -> Bool { self.object == ObjectIdentifier(object) }

        /// One line with the class, properties, row and problem.
        public var description: String {
            let names = properties.isEmpty ? "" : ".\(properties.joined(separator: ", "))"
            return "\(className)\(names)\(rowID.map { " #\($0)" } ?? ""): \(message)"
        }
    }

    /// Returns the problems of one property of any object, as messages that follow its name.
    public func problems(of property: String) -> [String] {
        problems.filter { $0.properties.contains(property) }.map(\.message)
    }

    /// The error for all problems of the objects of a save.
    package static func invalid(_ problems: [Problem]) -> StoreError {
        // A list of a hundred thousand problems would not fit in a line.
        let shown = problems.prefix(10).map(\.description).joined(separator: "; ")
        let more = problems.count > 10 ? "; and \(problems.count - 10) more" : ""
        var error = StoreError(.invalid, problems.count == 1 ? problems[0].message : shown + more)
        error.problems = problems
        guard problems.count == 1 else { return error }
        error.className = problems[0].className
        error.rowID = problems[0].rowID
        error.property = problems[0].properties.isEmpty ? nil : problems[0].properties.joined(separator: ", ")
        return error
    }
}
