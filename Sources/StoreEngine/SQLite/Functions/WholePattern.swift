internal import Foundation

/// Regular expressions in the syntax of `REGEXP`, which must match a whole string.
package final class WholePattern: Sendable {
    private let expression: NSRegularExpression

    /// - Throws: An error if the pattern is invalid; the error does not contain the pattern.
    package init(_ pattern: String) throws {
        // The pattern alone first: the added parentheses could make an invalid pattern such as `a)|(b` valid.
        _ = try NSRegularExpression(pattern: pattern.isEmpty ? "(?:)" : pattern)
        expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    }

    /// Returns whether the whole string matches the pattern.
    ///
    /// - Throws: An error if that takes too long or too much memory, or if the task was cancelled.
    package func matches(_ text: String) throws -> Bool {
        do { return try PatternSearch.isFound(expression, in: text) { Task.isCancelled } } catch is FunctionInterrupted
        {
            throw CancellationError()
        }
    }
}
