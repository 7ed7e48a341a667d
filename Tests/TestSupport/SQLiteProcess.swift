internal import Foundation

/// A running `sqlite3` command line tool, as another process that holds locks as long as a test needs.
public final class SQLiteProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the tool on a file.
    public init(_ path: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = try SealedTool.arguments(path)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        // The tool is killed, because it inherits the tests' blocked signals and would not receive SIGTERM.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Runs SQL, waits for its end, and returns the tool's output.
    @discardableResult
    public func run(_ sql: String) throws -> String {
        let end = "done-\(UUID().uuidString)"
        try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\nSELECT '\(end)';\n".utf8))
        var answer = ""
        while !answer.contains(end) {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            answer += String(decoding: data, as: UTF8.self)
        }
        return answer.replacing("\(end)\n", with: "").trimmingCharacters(in: .newlines)
    }

    /// Runs SQL without waiting for it.
    public func send(_ sql: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\n".utf8))
    }

    /// Ends the tool, which closes the file, and waits for it.
    public func quit() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
