import Foundation

/// Standard output through one object, so that the output is in order.
struct Console {
    /// Whether a person is likely to be watching.
    let isTerminal = isatty(STDOUT_FILENO) == 1

    func write(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            throw AtlasError.outputFailed(reason: error.localizedDescription)
        }
    }

    func line(_ text: String = "") throws {
        try write(text + "\n")
    }

    /// Writes one line to standard error, prefixed with the program's name.
    static func complain(_ error: any Error) {
        let line = "atlas: \(String(describing: error).onOneLine)\n"
        // This failure cannot be reported anywhere; the exit code still shows it.
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
