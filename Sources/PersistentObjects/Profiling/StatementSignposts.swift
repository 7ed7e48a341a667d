#if canImport(os)
    internal import os

    /// Statements as intervals in Instruments, on Apple's systems.
    final class StatementSignposts {
        private let signposter = OSSignposter(subsystem: "PersistentObjects", category: "SQL")
        /// Nested statements: one reads while another is written.
        private var open: [OSSignpostIntervalState] = []

        /// A statement begins.
        func begin() {
            guard signposter.isEnabled else { return }
            open.append(signposter.beginInterval("statement", id: signposter.makeSignpostID()))
        }

        /// The statement that began last ends.
        func end(_ sql: String, _ call: @autoclosure () -> String?) {
            guard let state = open.popLast() else { return }
            let call = call() ?? ""
            signposter.endInterval("statement", state, "\(call, privacy: .public): \(sql, privacy: .public)")
        }
    }
#endif
