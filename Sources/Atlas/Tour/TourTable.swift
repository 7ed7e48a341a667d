/// Prints the tour in aligned columns: the call, its answer, the time it took.
struct TourTable {
    let console: Console

    private static let callWidth = 62
    private static let answerWidth = 46
    private static let timeWidth = 8

    func title(_ text: String) throws {
        try console.line("\n\(text)")
    }

    /// Runs the call and prints its row. Only the call is timed, not how its answer is put.
    ///
    /// - Parameters:
    ///   - call: the call as a user would type it.
    ///   - put: how the answer is told.
    func row<Answer>(_ call: String, _ put: (Answer) -> String, _ run: () throws -> Answer) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let answer = try run()
        let time = clock.now - start
        try row(call, put(answer), time)
    }

    /// Runs a call that has no answer, and prints what it did.
    func row(_ call: String, did text: String, _ run: () throws -> Void) throws {
        try row(call, { _ in text }, run)
    }

    /// A line that stands for no call.
    func note(_ text: String) throws {
        try console.line("  " + text)
    }

    private func row(_ call: String, _ answer: String, _ time: Duration) throws {
        let answer = answer.onOneLine.shortened(to: Self.answerWidth).padded(to: Self.answerWidth)
        let time = time.short.rightAligned(to: Self.timeWidth)
        // A call that is too long for its column has a line to itself.
        if call.count > Self.callWidth { try note(call) }
        let shownCall = call.count > Self.callWidth ? "" : call
        try note("\(shownCall.padded(to: Self.callWidth))  \(answer)  \(time)")
    }
}
