internal import Synchronization

/// Counts the bytes that a call downloads, for the progress that programs show.
///
/// A call that reads entries sets it as `current`. Readers announce what they will read; a transport that receives an entry
/// in parts reports these.
package final class DownloadMeter: Sendable {
    /// The meter of the current call.
    @TaskLocal package static var current: DownloadMeter?

    private struct Count {
        var total = 0
        /// The bytes of the entries that were read.
        var read = 0
        /// The bytes of the entry that is being read.
        var part = 0
        var lastReport = ContinuousClock.now
    }

    private let count = Mutex(Count())
    private let report: @Sendable (_ received: Int, _ total: Int) -> Void
    /// A download that takes less time is not reported. It is also the time between two reports.
    private static let pause = Duration.milliseconds(250)

    package init(_ report: @escaping @Sendable (_ received: Int, _ total: Int) -> Void) { self.report = report }

    /// Announces entries.
    package func expect(_ entries: [SyncEntry]) {
        change { count in count.total += entries.reduce(0) { $0 + $1.size } }
    }

    /// Reports how much of an entry has arrived.
    package func receive(_ part: Int) { change { $0.part = part } }

    /// Reports that an entry was read, or could not be read.
    package func finish(_ entry: SyncEntry) {
        change { count in
            count.read += entry.size
            count.part = 0
        }
    }

    private func change(_ body: (inout Count) -> Void) {
        let progress: (Int, Int)? = count.withLock { count in
            body(&count)
            let now = ContinuousClock.now
            guard count.total > 0, count.lastReport.duration(to: now) >= Self.pause else { return nil }
            count.lastReport = now
            // An entry can be read that was not announced.
            return (min(count.read + count.part, count.total), count.total)
        }
        if let (received, total) = progress { report(received, total) }
    }
}
