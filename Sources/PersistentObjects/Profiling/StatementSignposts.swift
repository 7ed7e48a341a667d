#if canImport(os)
    internal import os

    /// Statements as intervals in Instruments, on Apple's systems.
    final class StatementSignposts {
        private let signposter = OSSignposter(subsystem: "PersistentObjects", category: "SQL")
        /// The open statements. They nest, because a statement can run while another statement is read.
        private var open: [OSSignpostIntervalState] = []

        /// Begins the interval of a statement.
        func begin() {
            guard signposter.isEnabled else { return }
            open.append(signposter.beginInterval("statement", id: signposter.makeSignpostID()))
        }

        /// Ends the interval of the statement that began last.
        func end(_ sql: String, _ call: @autoclosure () -> String?) {
            guard let state = open.popLast() else { return }
            let call = call() ?? ""
            signposter.endInterval("statement", state, "\(call, privacy: .public): \(sql, privacy: .public)")
        }
    }
#endif
