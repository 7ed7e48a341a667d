public import Foundation

/// What is wrong with finder names that were checked before they run: all of it, not the first only.
///
/// ```swift
/// do {
///     try Person.checkFinders(["findByLastNme", "countByAeg"])
/// } catch let error as FinderProblems {
///     print(error.problems.count)     // 2
/// }
/// ```
public struct FinderProblems: Error, CustomStringConvertible {
    /// One error for each name at fault, in the order of the names: a `FinderError`, a `QueryError`, or a
    /// `FinderSourceError` of `PersistentObjectsTesting`, which has one
    /// and says where the name stands. A class that cannot be stored is a
    /// `SchemaError`, once.
    public let problems: [any Error]

    package init(_ problems: [any Error]) { self.problems = problems }

    /// The problems, one below the other.
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
