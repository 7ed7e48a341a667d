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
        process.arguments = try SealedTool.arguments(path, commands: [".timeout 60000"])
        return try answer(of: process, to: sql + "\n")
    }

    /// Runs a process with a string as its input, and returns the output without the last line break.
    static func answer(of process: Process, to text: String) throws -> String {
        // Input and errors are files, because a process that waits for one full pipe never empties another.
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, errors) = (folder.appending(path: "input"), folder.appending(path: "errors"))
        try Data(text.utf8).write(to: input)
        try Data().write(to: errors)
        let output = Pipe()
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let complaint = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        guard process.terminationStatus == 0, complaint.isEmpty else { throw Failure(description: complaint) }
        return answer.hasSuffix("\n") ? String(answer.dropLast()) : answer
    }
}
