internal import Foundation

/// The `sqlite3` command line tool, which shares no code with the library.
public enum SQLiteTool {
    /// The tool's output on standard error.
    public struct Failure: Error, CustomStringConvertible {
        /// The output.
        public let description: String
    }

    /// Runs SQL on a file, and returns the output without the last line break.
    public static func run(_ path: String, _ sql: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // A connection that is being closed locks the file exclusively for a moment.
        process.arguments = ["sqlite3", "-batch", "-cmd", ".timeout 10000", path]
        return try answer(of: process, to: sql + "\n")
    }

    /// Runs a process with a string as its input, and returns the output without the last line break.
    static func answer(of process: Process, to text: String) throws -> String {
        let input = Pipe()
        let output = Pipe()
        let errors = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, complaint.isEmpty else { throw Failure(description: complaint) }
        return answer.hasSuffix("\n") ? String(answer.dropLast()) : answer
    }
}
