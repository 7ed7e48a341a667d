/// Prints the tour in aligned columns: the call, its result, its duration.
struct TourTable {
    let console: Console

    private static let callWidth = 62
    private static let answerWidth = 46
    private static let timeWidth = 8

    func title(_ text: String) throws {
        try console.line("\n\(text)")
    }

    /// Runs the call and prints its row. Only the call is timed, not the formatting of its result.
    ///
    /// - Parameters:
    ///   - call: The call as a user would type it.
    ///   - put: Formats the result.
    func row<Answer>(_ call: String, _ put: (Answer) -> String, _ run: () throws -> Answer) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let answer = try run()
        let time = clock.now - start
        try row(call, put(answer), time)
    }

    /// Runs a call without a result, and prints its effect.
    func row(_ call: String, did text: String, _ run: () throws -> Void) throws {
        try row(call, { _ in text }, run)
    }

    /// Prints a line without a call.
    func note(_ text: String) throws {
        try console.line("  " + text)
    }

    private func row(_ call: String, _ answer: String, _ time: Duration) throws {
        let answer = answer.onOneLine.shortened(to: Self.answerWidth).padded(to: Self.answerWidth)
        let time = time.short.rightAligned(to: Self.timeWidth)
        // A call that is too long for its column gets its own line.
        if call.count > Self.callWidth { try note(call) }
        let shownCall = call.count > Self.callWidth ? "" : call
        try note("\(shownCall.padded(to: Self.callWidth))  \(answer)  \(time)")
    }
}
