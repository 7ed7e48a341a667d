/// What ``Store/checkIntegrity(limit:progress:)`` has found.
///
/// ```swift
/// let report = try store.checkIntegrity()
/// if !report.isSound { print(report) }
/// ```
public struct IntegrityReport: Sendable, CustomStringConvertible {
    /// All problems, in the order in which they were found.
    public let problems: [Problem]
    /// Whether all was checked; false if there are more problems than the limit, and what comes after them was not
    /// looked at.
    public let isComplete: Bool
    /// How many rows had their values read, elements of collections included.
    public let checkedRowCount: Int
    /// What could not be checked, and why: a line for each.
    public let notChecked: [String]

    /// Whether nothing was found.
    public var isSound: Bool { problems.isEmpty && isComplete }

    /// For people: a line for the whole, and one for each problem.
    public var description: String {
        let rows = "\(checkedRowCount) row\(checkedRowCount == 1 ? "" : "s") read"
        let count = "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
        // What was left out is no all-clear.
        let found = notChecked.isEmpty ? "no problem found" : "no problem found in the checked parts"
        let first =
            problems.isEmpty
            ? "\(found), \(rows)" : "\(count) found\(isComplete ? "" : ", and there are more"), \(rows)"
        return ([first] + problems.map(\.description) + notChecked.map { "not checked: \($0)" })
            .joined(separator: "\n")
    }

    /// One thing that is wrong.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// What kind of problem it is.
        public let kind: Kind
        /// The class concerned, where it is known.
        public let className: String?
        /// The property concerned, where it is known.
        public let property: String?
        /// The table concerned, where it is known.
        public let table: String?
        /// The id of the row concerned: of a collection's element, its owner's.
        public let rowID: Int64?
        /// What is wrong, without values.
        public let message: String

        /// One line: class, property and row, or the table, and what is wrong.
        public var description: String {
            var place = className ?? table.map { "table \($0)" } ?? ""
            if className != nil, let property { place += ".\(property)" }
            if let rowID { place += " #\(rowID)" }
            return place.isEmpty ? message : "\(place): \(message)"
        }
    }

    /// A kind of problem. Compare it; new kinds may come with new versions.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        private init(_ name: String) { description = name }

        /// SQLite finds the file damaged: pages, indexes, constraints.
        public static let fileStructure = Kind("fileStructure")
        /// The table of a class or of a collection is not there.
        public static let missingTable = Kind("missingTable")
        /// A property has no column.
        public static let missingColumn = Kind("missingColumn")
        /// A value does not fit its property.
        public static let value = Kind("value")
        /// A row has no key, or one that can be none.
        public static let key = Kind("key")
        /// A row refers to one that is not there, or is of another class.
        public static let reference = Kind("reference")
        /// An element of a collection has no owner.
        public static let orphan = Kind("orphan")
        /// The elements of a collection contradict each other or their owner.
        public static let collection = Kind("collection")
        /// A row is of a class that the program does not have.
        public static let unknownClass = Kind("unknownClass")
        /// An id could be given to a second row.
        public static let idSequence = Kind("idSequence")
        /// The index of words does not fit the texts.
        public static let search = Kind("search")
    }
}

/// How far a check is.
public struct IntegrityProgress: Sendable, Hashable {
    /// What is being checked, in words.
    public let step: String
    /// From 0 to 1: how many steps are done.
    public let fractionCompleted: Double
    /// How many rows have had their values read.
    public let checkedRowCount: Int
    /// How many problems were found.
    public let problemCount: Int
}
