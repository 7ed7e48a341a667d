internal import Foundation

/// Searches a string for a regular expression, with a limit: a pattern such as `(a+)+$` would run forever.
enum PatternSearch {
    /// The maximum number of progress callbacks from ICU, each after 10,000 steps: about a second.
    ///
    /// It is not a duration, so that the same string always gives the same result. ICU may also call once for each
    /// position of the string.
    private static let mostLooks = 3000

    /// Whether it is found; `isDue` is called every 10,000 steps and returns whether the search must end.
    static func isFound(_ expression: NSRegularExpression, in text: String, isDue: () -> Bool) throws -> Bool {
        try withoutActuallyEscaping(isDue) { isDue in
            var isFound = false
            var failure: (any Error)?
            var looks = 0
            let range = NSRange(location: 0, length: text.utf16.count)
            let mostLooks = PatternSearch.mostLooks + range.length
            // Without the completion report, running out of memory would appear as "not found".
            expression.enumerateMatches(in: text, options: [.reportCompletion, .reportProgress], range: range) {
                match, flags, stop in
                if match != nil {
                    isFound = true
                } else if flags.contains(.internalError) {
                    // Also reported if the search was stopped.
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
