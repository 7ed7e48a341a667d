import Foundation

/// The same executable, started again. It commits with hand-written code, once for each line that it receives.
final class OtherProcess {
    private let process = Process()
    private let orders = Pipe(), answers = Pipe()

    init(_ trial: Trial) throws {
        process.executableURL = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--commit-child", "--database", trial.path]
        process.standardInput = orders
        process.standardOutput = answers
        try process.run()
    }

    /// The time in nanoseconds, on a clock that all processes of the machine share.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// Makes the process commit, and returns the time at which its `COMMIT` began.
    func commit() throws -> Double {
        try orders.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        let answer = String(decoding: answers.fileHandleForReading.availableData, as: UTF8.self)
        guard let time = Double(answer.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ChildFailed(status: 0, output: answer)
        }
        return time
    }

    func end() {
        try? orders.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Runs the child process.
    static func run(_ options: Options) throws {
        guard !options.database.isEmpty else { throw OptionError("--commit-child needs --database") }
        try Trial(path: options.database, options: options).onFloor { table in
            while readLine() != nil {
                try table.database.execute("BEGIN IMMEDIATE; UPDATE player SET score = score + 1 WHERE id = 1")
                let begun = now
                try table.database.execute("COMMIT")
                try FileHandle.standardOutput.write(contentsOf: Data("\(begun)\n".utf8))
            }
        }
    }
}
