internal import Foundation
@_spi(Locks) internal import StoreEngine

/// Waits for the server's notifications of commits on a separate connection and thread.
///
/// The connection is opened again after it was lost. On a replica, which sends no notifications, it checks regularly.
final class PostgresCommitWatch: CommitWatch {
    private let open: @Sendable () throws(StoreError) -> PostgresPipe
    private let calls: CommitWatchCalls
    /// The interval of regular checks, which also renew the listener's registration.
    private let interval: Int32
    private let listens: Bool
    private let isCancelled = Locked(false)
    /// The ends of a pipe that wakes the thread.
    private let (reader, writer): (Int32, Int32)

    /// The interval at which a lost connection is opened again, in milliseconds.
    private static let timeBetweenTries: Int32 = 100

    /// - Parameters:
    ///   - listens: Whether the server sends notifications.
    ///   - open: Opens a connection.
    init(
        every interval: Duration, listens: Bool, _ calls: CommitWatchCalls,
        open: @escaping @Sendable () throws(StoreError) -> PostgresPipe
    ) {
        self.interval = Int32(clamping: max(1, interval.wholeMilliseconds))
        self.listens = listens
        self.calls = calls
        self.open = open
        var ends: [Int32] = [-1, -1]
        // Without the pipe, the thread ends after the next check.
        _ = pipe(&ends)
        (reader, writer) = (ends[0], ends[1])
        Thread.detachNewThread { self.run() }
    }

    deinit {
        for end in [reader, writer] where end >= 0 { close(end) }
    }

    func cancel() {
        isCancelled.withLock { $0 = true }
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }

    private func run() {
        var pipe: PostgresPipe?
        while !isCancelled.withLock({ $0 }) {
            if listens, pipe == nil {
                pipe = listening()
                // Commits since the connection was lost were not notified.
                if pipe != nil { calls.look() }
            }
            if let open = pipe {
                if !open.waitForNotification(or: reader, milliseconds: interval) { pipe = nil }
            } else {
                var waker = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
                _ = poll(&waker, 1, listens ? PostgresCommitWatch.timeBetweenTries : interval)
            }
            if !isCancelled.withLock({ $0 }) { calls.look() }
        }
    }

    private func listening() -> PostgresPipe? {
        guard let pipe = try? open() else { return nil }
        // LISTEN takes no expression.
        let channel = try? pipe.roundTrip([.text("SELECT \(PostgresChanges.channel.text)")]).first?.text(0, 0)
        guard let channel, let result = try? pipe.roundTrip([.text("LISTEN \(channel)")]).first, result.failure == nil
        else { return nil }
        return pipe
    }
}
