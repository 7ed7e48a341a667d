public import Foundation

/// The reasons that a store cannot be copied, or the difference between a store and its copy.
///
/// ```swift
/// do { try file.copy([Person.self], to: server) } catch let error as CopyError {
///     for problem in error.problems { print(problem) }    // Person.name #7: The string contains a NUL …
/// }
/// ```
public struct CopyError: Error, Sendable {
    /// The problems, with class, property and id if there are any.
    public let problems: [TransferError]

    init(_ problems: [TransferError]) { self.problems = problems }
}

extension CopyError: CustomStringConvertible {
    /// A line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension CopyError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
