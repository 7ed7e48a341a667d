import Foundation

/// Standard output, through one door, so that what is written arrives in order.
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

    /// One line on standard error, led by the program's name.
    static func complain(_ error: any Error) {
        let line = "atlas: \(String(describing: error).onOneLine)\n"
        // Nowhere is left to report that this failed; the exit code still tells.
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
