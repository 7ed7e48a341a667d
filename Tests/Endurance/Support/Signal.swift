import Foundation

/// A signal by which one process tells another one to continue.
struct Signal {
    private let ends: [Int32]

    init() throws {
        var ends: [Int32] = [0, 0]
        try require(pipe(&ends) == 0, "no pipe: \(errno)")
        self.ends = ends
    }

    func give() {
        var byte: UInt8 = 1
        write(ends[1], &byte, 1)
    }

    /// Waits for the signal. Throws an error after one minute, because the other process has failed.
    func take() throws {
        var poll = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        try require(Foundation.poll(&poll, 1, 60_000) == 1, "the other process does not go on")
        var byte: UInt8 = 0
        try require(read(ends[0], &byte, 1) == 1, "the other process is gone")
    }

    func close() { for end in ends { _ = Foundation.close(end) } }
}
