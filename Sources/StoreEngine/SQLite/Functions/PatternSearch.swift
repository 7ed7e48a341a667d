internal import Foundation

/// Looks for a regular expression in a text, with a bound: a pattern such as `(a+)+$` would take for ever.
enum PatternSearch {
    /// How many looks ICU may take, each after 10,000 steps: about a second. A number, not a time, so that the same text
    /// always gives the same answer. It may also take one for each place of the text.
    private static let mostLooks = 3000

    /// Whether it is found; `isDue` is asked every 10,000 steps whether the search is to end.
    static func isFound(_ expression: NSRegularExpression, in text: String, isDue: () -> Bool) throws -> Bool {
        try withoutActuallyEscaping(isDue) { isDue in
            var isFound = false
            var failure: (any Error)?
            var looks = 0
            let range = NSRange(location: 0, length: text.utf16.count)
            let mostLooks = PatternSearch.mostLooks + range.length
            // Without the report of completion, running out of memory would look like "not found".
            expression.enumerateMatches(in: text, options: [.reportCompletion, .reportProgress], range: range) {
                match, flags, stop in
                if match != nil {
                    isFound = true
                } else if flags.contains(.internalError) {
                    // Also told where the search was stopped.
                    failure = failure ?? FunctionFailure("The pattern needs too much memory for \(size(of: text))")
                } else if flags.contains(.progress) {
                    looks += 1
                    if isDue() {
                        failure = FunctionInterrupted()
                    } else if looks >= mostLooks {
                        failure = FunctionFailure(
                            "The pattern needs too many steps for \(size(of: text)). Rewrite it so that a string "
                                + "can match in one way only")
                    }
                }
                if isFound || failure != nil { stop.pointee = true }
            }
            if let failure, !isFound { throw failure }
            return isFound
        }
    }

    private static func size(of text: String) -> String { "a string of \(text.utf8.count) bytes" }
}
