// FileWatching: how the system tells that files are written, and what is done where it does not. It knows paths and
// times, and must not know what stands in the files.

internal import Dispatch

/// Has a database looked at whenever its files are written.
///
/// A commit writes the files first, and counts, seen by others, a moment later: behind a write there is a look after
/// two milliseconds, and more at growing distances, for a disk may be slow. At rest there is none.
package final class FileWatch: CommitWatch, @unchecked Sendable {  // what changes is used on its queue only
    private let files: WatchedFiles
    private let calls: CommitWatchCalls
    private let queue = DispatchQueue(label: "PersistentObjects.FileWatch", qos: .utility)
    private let timer: any DispatchSourceTimer
    /// Nil where the system does not tell.
    private var notices: FileNotices?
    private var rhythm = LookRhythm()
    private var isCancelled = false
    private var wakes = 0

    /// Begins at once: what is written from here on is looked at.
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
        // The threads that would do it are not in the copy, and the descriptors are its parent's too.
        guard !ProcessCopy.isThis else { return }
        queue.async { [self] in
            guard !isCancelled else { return }
            isCancelled = true
            timer.cancel()
            notices?.end()
            notices = nil
        }
    }

    /// The files were written. More of it is not heard of for a while: whoever commits often costs no more.
    private func wake() {
        guard !isCancelled, let notices, take(notices) else { return }
        wakes += 1
        // Where that has failed it looks now and then.
        guard self.notices != nil else { return }
        notices.pause()
        schedule(rhythm.begin())
    }

    private func look() {
        guard !isCancelled else { return }
        // Before the look: what is written behind it is found by the next.
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
        // Not from within a call of the store's.
        queue.async { [calls] in calls.note(text) }
        schedule(period)
    }

    /// How often a write has woken it: for tests.
    var wakeCount: Int { queue.sync { wakes } }
    /// Whether the next write wakes it: for tests.
    var isHearing: Bool { queue.sync { notices != nil && !rhythm.isDeaf } }

    private func schedule(_ delay: Int) { timer.schedule(deadline: .now() + .milliseconds(delay)) }
}

/// When to look behind a write.
struct LookRhythm {
    /// In milliseconds, each behind the one before. The last ones are for disks on which a commit takes that long.
    static let delays = [2, 50, 100, 200, 400, 800, 1600, 3200, 6400]
    /// In milliseconds, where nobody tells of writes.
    static let withoutNotices = 100

    private var step = 0
    /// Whether notices are left where they are until the next look.
    private(set) var isDeaf = false

    /// The first delay behind a write.
    mutating func begin() -> Int {
        step = 0
        isDeaf = true
        return LookRhythm.delays[0]
    }

    /// The delay before the next look; nil where there is none before the next write.
    ///
    /// - Parameter hasNews: Whether there were more writes since the look before.
    mutating func next(hasNews: Bool) -> Int? {
        guard step < LookRhythm.delays.count else { return nil }
        // What the same commit has written before the first look is no reason to stay deaf.
        if step == 0 || !hasNews { step += 1 }
        if step > 1 { isDeaf = false }
        return step < LookRhythm.delays.count ? LookRhythm.delays[step] : nil
    }
}
