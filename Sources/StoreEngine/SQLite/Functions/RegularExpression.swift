internal import Foundation

/// `regexp(pattern, text)`, which SQLite calls for `text REGEXP pattern`: whether the pattern is found in the string.
///
/// Patterns have ICU's syntax. `NSRegularExpression` needs 0.5 µs for a short string and 3 µs for a pattern; Swift's
/// `Regex` needs 0.3 to 7 µs and 30 µs. A pattern that is the same for all rows is compiled once for a statement.
/// Matching is case-sensitive unless the pattern begins with `(?i)`. NULL gives NULL.
///
/// A pattern that would run forever, such as `(a+)+$`, fails after about a second for one string, or earlier if the
/// statement is interrupted.
enum RegularExpression {
    static let function = EngineFunction(builtIn: "regexp", argumentCount: 2) { call in
        if call.arguments.hasNull { return }
        let pattern = try call.kept(forArgument: 0) { try Pattern(call.arguments.text(0) ?? "") }
        if let bytes = try call.arguments.textBytes(1) {
            if let simple = pattern.simple, ASCII.isWithoutControls(bytes) {
                return call.give(isTrue: simple.matches(bytes))
            }
            if ASCII.isASCII(bytes), !ByteSearch.contains(bytes, pattern.part) { return call.give(isTrue: false) }
        }
        guard let text = try call.arguments.text(1) else { return }
        let interruption = call.interruption
        let isFound = try PatternSearch.isFound(pattern.expression, in: text) { interruption?.isDue() ?? false }
        call.give(isTrue: isFound)
    }

    /// The message for an invalid pattern. The error does not contain the pattern, as it contains no value.
    static let refusal = "The pattern is not a regular expression (in ICU syntax)"

    private final class Pattern {
        let expression: NSRegularExpression
        /// A part of every string that matches: most other strings are rejected without a search.
        let part: [UInt8]
        let simple: SimplePattern?

        init(_ pattern: String) throws {
            expression = try compile(pattern)
            part = Array(PatternLiterals(pattern).part.utf8)
            simple = SimplePattern(pattern)
        }
    }

    private static func compile(_ pattern: String) throws -> NSRegularExpression {
        // Foundation rejects the empty pattern, which matches everywhere.
        do { return try NSRegularExpression(pattern: pattern.isEmpty ? "(?:)" : pattern) } catch {
            throw FunctionFailure(refusal)
        }
    }
}
