/// Times a stretch of work on the continuous clock.
enum Stopwatch {
    /// Runs `body` once, and returns its result with the nanoseconds that it took.
    ///
    /// The result is returned, so that releasing it is not timed.
    static func time<Answer>(_ body: () throws -> Answer) rethrows -> (answer: Answer, nanoseconds: Double) {
        StatementCount.stretchBegins()
        defer { StatementCount.stretchEnds() }
        let clock = ContinuousClock()
        let start = clock.now
        let answer = try body()
        let (seconds, attoseconds) = start.duration(to: clock.now).components
        return (answer, Double(seconds) * 1e9 + Double(attoseconds) / 1e9)
    }
}

extension [Double] {
    /// The middle value, or the mean of the middle two; 0 if the array is empty.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
