/// A bar that fills on the last line of a terminal. For files and pipes it draws nothing.
struct ProgressBar {
    private let title: String
    private let total: Int
    private let console: Console
    private var drawnPercent = -1

    private static let cells = 30

    init(_ title: String, total: Int, console: Console) {
        self.title = title
        self.total = max(total, 1)
        self.console = console
    }

    /// Shows that `done` of the total are complete. Draws only if the percentage has changed.
    mutating func show(_ done: Int) throws {
        guard console.isTerminal else { return }
        let percent = min(done, total) * 100 / total
        guard percent != drawnPercent else { return }
        drawnPercent = percent
        let full = Self.cells * percent / 100
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.cells - full)
        try console.write("\r\(title.padded(to: 9)) \(bar) \("\(percent)".rightAligned(to: 3)) %")
    }

    /// Leaves the bar's line, so that the following output starts on a new line.
    mutating func finish() {
        guard drawnPercent >= 0 else { return }
        drawnPercent = -1
        // The next written line reports a failure to write.
        try? console.line()
    }
}
