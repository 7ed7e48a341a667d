import Foundation
import ModelRuns
import Synchronization

/// The history of a process, in a file. Each line is in the file before the next operation, so a kill loses no line.
final class IsolationLog: Sendable {
    private let file: Int32

    init(_ path: String) throws {
        file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        try require(file >= 0, "no history at \(path): \(errno)")
    }

    deinit { close(file) }

    /// The time in nanoseconds, from the same clock in all processes.
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    func begin(_ operation: History.Operation) throws { try add(History.line(before: operation)) }

    func end(_ operation: History.Operation) throws { try add(History.line(behind: operation)) }

    private func add(_ line: String) throws {
        let bytes = Array(line.utf8)
        try require(write(file, bytes, bytes.count) == bytes.count, "a history cannot be written: \(errno)")
    }
}
