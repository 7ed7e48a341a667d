/// The result of ``Store/checkIntegrity(limit:progress:)``.
///
/// ```swift
/// let report = try store.checkIntegrity()
/// if !report.isSound { print(report) }
/// ```
public struct IntegrityReport: Sendable, CustomStringConvertible {
    /// All problems, in the order in which they were found.
    public let problems: [Problem]
    /// Whether everything was checked.
    ///
    /// It is false if there are more problems than the limit; the rest of the file was not checked.
    public let isComplete: Bool
    /// The number of rows whose values were read, including elements of collections.
    public let checkedRowCount: Int
    /// The number of encrypted values that could not be checked, because the keyring lacks their keys.
    ///
    /// They are not problems: a program with the keys can read them.
    public let lockedValueCount: Int
    /// The parts that could not be checked and the reasons, one line each.
    public let notChecked: [String]

    /// Whether the check was complete and found no problems.
    public var isSound: Bool { problems.isEmpty && isComplete }

    /// A readable summary: a line for the whole, and one line for each problem.
    public var description: String {
        let rows = "\(checkedRowCount) row\(checkedRowCount == 1 ? "" : "s") read"
        let count = "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
        // An incomplete check is not a positive result.
        let found = notChecked.isEmpty ? "no problem found" : "no problem found in the checked parts"
        let first =
            problems.isEmpty
            ? "\(found), \(rows)" : "\(count) found\(isComplete ? "" : ", and there are more"), \(rows)"
        return ([first] + problems.map(\.description) + notChecked.map { "not checked: \($0)" })
            .joined(separator: "\n")
    }

    /// One problem in the file.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The kind of problem.
        public let kind: Kind
        /// The class concerned, if it is known.
        public let className: String?
        /// The property concerned, if it is known.
        public let property: String?
        /// The table concerned, if it is known.
        public let table: String?
        /// The id of the row concerned; for an element of a collection, the id of its owner.
        public let rowID: Int64?
        /// The problem, without values.
        public let message: String

        /// One line with the class, property and row, or the table, and the problem.
        public var description: String {
            var place = className ?? table.map { "table \($0)" } ?? ""
            if className != nil, let property { place += ".\(property)" }
            if let rowID { place += " #\(rowID)" }
            return place.isEmpty ? message : "\(place): \(message)"
        }
    }

    /// A kind of problem; new versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        private init(_ name: String) { description = name }

        /// SQLite reports that pages, indexes or constraints of the file are damaged.
        public static let fileStructure = Kind("fileStructure")
        /// The table of a class or of a collection does not exist.
        public static let missingTable = Kind("missingTable")
        /// A property has no column.
        public static let missingColumn = Kind("missingColumn")
        /// A value does not fit its property.
        public static let value = Kind("value")
        /// A row has no key, or an invalid key.
        public static let key = Kind("key")
        /// A row refers to a row that does not exist, or to a row of another class.
        public static let reference = Kind("reference")
        /// An element of a collection has no owner.
        public static let orphan = Kind("orphan")
        /// The elements of a collection contradict each other or their owner.
        public static let collection = Kind("collection")
        /// The class of a row does not exist in the program.
        public static let unknownClass = Kind("unknownClass")
        /// An id could be assigned to a second row.
        public static let idSequence = Kind("idSequence")
        /// The search index does not match the strings.
        public static let search = Kind("search")
    }
}

/// The progress of an integrity check.
public struct IntegrityProgress: Sendable, Hashable {
    /// A description of the current step.
    public let step: String
    /// The completed fraction of the steps, from 0 to 1.
    public let fractionCompleted: Double
    /// The number of rows whose values were read.
    public let checkedRowCount: Int
    /// The number of problems found.
    public let problemCount: Int
}
