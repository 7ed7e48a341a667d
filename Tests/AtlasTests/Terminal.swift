import Foundation

/// Runs a program with its standard output on a pseudo terminal.
enum Terminal {
    struct NoTerminal: Error {
        let code: Int32
    }

    /// Returns the output of the program to the terminal.
    static func output(of program: URL, _ arguments: [String], in folder: URL) throws -> String {
        var leader: Int32 = -1
        var follower: Int32 = -1
        guard openpty(&leader, &follower, nil, nil, nil) == 0 else { throw NoTerminal(code: errno) }
        defer { close(leader) }

        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(fileDescriptor: follower, closeOnDealloc: false)
        do {
            defer { close(follower) }
            try process.run()
        }
        let text = readAll(from: leader)
        process.waitUntilExit()
        return text
    }

    /// Reads until the last program closed the terminal, which the system reports as an error.
    private static func readAll(from terminal: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(terminal, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
