internal import Foundation

/// Regular expressions as `REGEXP` knows them, which a text must match from its beginning to its end.
package final class WholePattern: Sendable {
    private let expression: NSRegularExpression

    /// - Throws: where the pattern is none; what it says is not part of the error.
    package init(_ pattern: String) throws {
        // By itself first: the brackets around it could make one of what is none, `a)|(b`.
        _ = try NSRegularExpression(pattern: pattern.isEmpty ? "(?:)" : pattern)
        expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    }

    /// Whether all of the text is what the pattern says.
    ///
    /// - Throws: where that takes too long or too much memory, and where the task was cancelled.
    package func matches(_ text: String) throws -> Bool {
        do { return try PatternSearch.isFound(expression, in: text) { Task.isCancelled } } catch is FunctionInterrupted
        {
            throw CancellationError()
        }
    }
}
