internal import Foundation

/// `regexp(pattern, text)`, which SQLite calls for `text REGEXP pattern`: whether the pattern is found in the text.
///
/// Patterns are ICU's, as `NSRegularExpression` takes them: it needs 0.5 µs for a short text and 3 µs for a pattern
/// where Swift's `Regex` needs 0.3 to 7 µs and 30 µs. A pattern that is the same for all rows is compiled once for a
/// statement. Case counts, unless the pattern begins with `(?i)`. NULL gives NULL.
///
/// A pattern can be one that takes for ever, such as `(a+)+$`, and it holds the statement; do not take patterns from
/// strangers.
enum RegularExpression {
    static let function = EngineFunction(builtIn: "regexp", argumentCount: 2) { call in
        if call.arguments.hasNull { return }
        let expression = try call.kept(forArgument: 0) { try compile(call.arguments.text(0) ?? "") }
        guard let text = try call.arguments.text(1) else { return }
        try call.give(.integer(isFound(expression, in: text) ? 1 : 0))
    }

    /// The pattern is not part of the error, as no value is.
    private static func compile(_ pattern: String) throws -> NSRegularExpression {
        // Foundation refuses the empty pattern, which is found everywhere.
        do { return try NSRegularExpression(pattern: pattern.isEmpty ? "(?:)" : pattern) } catch {
            throw FunctionFailure("the pattern is not a regular expression (in the syntax of ICU)")
        }
    }

    private static func isFound(_ expression: NSRegularExpression, in text: String) throws -> Bool {
        var isFound = false
        var hasFailed = false
        let range = NSRange(location: 0, length: text.utf16.count)
        // Without the report of completion, running out of memory would look like "not found".
        expression.enumerateMatches(in: text, options: .reportCompletion, range: range) { match, flags, stop in
            if flags.contains(.internalError) { hasFailed = true }
            if match != nil { isFound = true }
            if isFound || hasFailed { stop.pointee = true }
        }
        guard isFound || !hasFailed else {
            throw FunctionFailure("the pattern needs too much memory for a text of \(text.utf8.count) bytes")
        }
        return isFound
    }
}
