// FileWatching: the system's reports of writes to files, and a fallback if there are none. It knows paths and times,
// and must not know the contents of the files.

internal import Dispatch

/// Has a database checked whenever its files are written.
///
/// A commit writes the files first, and becomes visible to other connections a moment later. After a write there is a
/// check after two milliseconds, and further checks at growing intervals, because a disk may be slow. Without writes
/// there are no checks.
package final class FileWatch: CommitWatch, @unchecked Sendable {  // what changes is used on its queue only
    private let files: WatchedFiles
    private let calls: CommitWatchCalls
    private let queue = DispatchQueue(label: "PersistentObjects.FileWatch", qos: .utility)
    private let timer: any DispatchSourceTimer
    /// Nil if the system does not report writes.
    private var notices: FileNotices?
    private var rhythm = LookRhythm()
    private var isCancelled = false
    private var wakes = 0

    /// Starts immediately: later writes are checked.
    package init(_ files: WatchedFiles, _ calls: CommitWatchCalls) {
        self.files = files
        self.calls = calls
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { self.look() }
        timer.activate()
        queue.sync {
            do throws(FileWatchFailure) {
                notices = try FileNotices(files, queue) { [weak self] in self?.wake() }
                notices?.activate()
            } catch { lookNowAndThen(error) }
        }
    }

    package func cancel() {
        // A forked copy has no threads for this, and shares the descriptors with its parent.
        guard !ProcessCopy.isThis else { return }
        queue.async { [self] in
            guard !isCancelled else { return }
            isCancelled = true
            timer.cancel()
            notices?.end()
            notices = nil
        }
    }

    /// Called after the files were written. Further writes are ignored for a while, so frequent commits cost no more.
    private func wake() {
        guard !isCancelled, let notices, take(notices) else { return }
        wakes += 1
        // If that failed, it checks periodically.
        guard self.notices != nil else { return }
        notices.pause()
        schedule(rhythm.begin())
    }

    private func look() {
        guard !isCancelled else { return }
        // Notices are taken before the check, so that the next check finds later writes.
        let hasNews = rhythm.isDeaf ? notices.map { take($0) } ?? false : false
        calls.look()
        guard let notices else { return schedule(LookRhythm.withoutNotices) }
        let wasDeaf = rhythm.isDeaf
        let next = rhythm.next(hasNews: hasNews)
        if wasDeaf, !rhythm.isDeaf { notices.resume() }
        if let next { schedule(next) }
    }

    /// Whether there were notices.
    private func take(_ notices: FileNotices) -> Bool {
        do throws(FileWatchFailure) { return try notices.take() } catch {
            notices.end()
            self.notices = nil
            lookNowAndThen(error)
            return true
        }
    }

    private func lookNowAndThen(_ failure: FileWatchFailure) {
        let period = LookRhythm.withoutNotices
        let text =
            "The system does not report writes to \(files.path) (\(failure)). Commits of other processes are "
            + "checked for every \(period) ms while events are observed"
        // The callback must not run inside a call of the store.
        queue.async { [calls] in calls.report(text) }
        schedule(period)
    }

    /// The number of times a write has woken it, for tests.
    var wakeCount: Int { queue.sync { wakes } }
    /// Whether the next write wakes it, for tests.
    var isReceiving: Bool { queue.sync { notices != nil && !rhythm.isDeaf } }

    private func schedule(_ delay: Int) { timer.schedule(deadline: .now() + .milliseconds(delay)) }
}

/// The times of the checks after a write.
struct LookRhythm {
    /// In milliseconds, each after the previous one. The last delays are for disks on which a commit takes that long.
    static let delays = [2, 50, 100, 200, 400, 800, 1600, 3200, 6400]
    /// In milliseconds, if the system does not report writes.
    static let withoutNotices = 100

    private var step = 0
    /// Whether notices are left unread until the next check.
    private(set) var isDeaf = false

    /// The first delay after a write.
    mutating func begin() -> Int {
        step = 0
        isDeaf = true
        return LookRhythm.delays[0]
    }

    /// The delay before the next check; nil if there is none before the next write.
    ///
    /// - Parameter hasNews: Whether there were more writes since the previous check.
    mutating func next(hasNews: Bool) -> Int? {
        guard step < LookRhythm.delays.count else { return nil }
        // Writes of the same commit before the first check are no reason to keep ignoring notices.
        if step == 0 || !hasNews { step += 1 }
        if step > 1 { isDeaf = false }
        return step < LookRhythm.delays.count ? LookRhythm.delays[step] : nil
    }
}
