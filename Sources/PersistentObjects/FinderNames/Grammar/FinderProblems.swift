public import Foundation

/// All problems of finder names that were checked before running them, not only the first one.
///
/// ```swift
/// do {
///     try Person.checkFinders(["findByLastNme", "countByAeg"])
/// } catch let error as FinderProblems {
///     print(error.problems.count)     // 2
/// }
/// ```
public struct FinderProblems: Error, CustomStringConvertible {
    /// One error for each invalid name, in the order of the names.
    ///
    /// It is a `FinderError`, a `QueryError`, or a `FinderSourceError` of `PersistentObjectsTesting`, which wraps one
    /// of these and states where the name is in the sources. A class that cannot be stored is a `SchemaError`, once.
    public let problems: [any Error]

    package init(_ problems: [any Error]) { self.problems = problems }

    /// The problems, one per line.
    public var description: String { problems.map { "\($0)" }.joined(separator: "\n") }

    /// Throws the problems, if there are any.
    package static func report(_ problems: [any Error]) throws {
        if !problems.isEmpty { throw FinderProblems(problems) }
    }
}

extension FinderProblems: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
