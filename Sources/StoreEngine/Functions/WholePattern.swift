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
    package func matches(_ text: String) -> Bool {
        expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }
}
