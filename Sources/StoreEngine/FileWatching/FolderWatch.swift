internal import Dispatch

/// Reports files that are added to folders, or completed in them, if the system reports such files.
///
/// Files whose names begin with a period are not reported. Files that another machine adds to a network volume are not
/// reported either.
package final class FolderWatch: Sendable {
    private let notices: FolderNotices

    /// Watches no folder yet; nil if the system does not report files.
    ///
    /// - Parameter report: Called on a queue after there were such files; perhaps also without them.
    package init?(_ report: @escaping @Sendable () -> Void) {
        do throws(FileWatchFailure) { notices = try FolderNotices(report) } catch { return nil }
    }

    /// Watches exactly these folders from now on. Folders that do not exist are left out.
    ///
    /// - Returns: Whether a folder exists, and the system reports the files of all folders that exist.
    package func watch(_ folders: [String]) -> Bool {
        do throws(FileWatchFailure) { return try notices.watch(folders) > 0 } catch { return false }
    }

    /// Ends the reports.
    package func cancel() {
        // A forked copy has no threads for this, and shares the descriptors with its parent.
        guard !ProcessCopy.isThis else { return }
        notices.end()
    }
}

#if os(Linux) || os(Android)
    private final class FolderNotices: InotifyListener, @unchecked Sendable {  // used under the lock of `Inotify` only
        private static let queue = DispatchQueue(label: "PersistentObjects.FolderWatch", qos: .utility)
        private let report: @Sendable () -> Void
        private var numbers: Set<Int32> = []
        private var isQueued = false
        private var hasEnded = false

        init(_ report: @escaping @Sendable () -> Void) throws(FileWatchFailure) {
            self.report = report
            try Inotify.join { (inotify) throws(FileWatchFailure) in inotify.countListeners(1) }
        }

        /// Returns the number of watched folders.
        func watch(_ folders: [String]) throws(FileWatchFailure) -> Int {
            try Inotify.use { (inotify) throws(FileWatchFailure) in
                guard !hasEnded else { return 0 }
                var current: Set<Int32> = []
                for folder in folders {
                    guard let number = try inotify.watch(folder, .arrivals, self) else { continue }
                    current.insert(number)
                    numbers.insert(number)
                }
                for number in numbers.subtracting(current) { inotify.unwatch(number, self) }
                numbers = current
                return current.count
            } ?? 0
        }

        func end() {
            let isFirst = Inotify.use { _ in
                defer { hasEnded = true }
                return !hasEnded
            }
            guard isFirst ?? false else { return }
            Inotify.leave { inotify in
                for number in numbers { inotify.unwatch(number, self) }
                numbers = []
                inotify.countListeners(-1)
            }
        }

        func isOf(_ name: ArraySlice<UInt8>) -> Bool { name.first != UInt8(ascii: ".") }

        func receive(isWrite: Bool) -> Bool {
            guard !isQueued else { return true }
            isQueued = true
            FolderNotices.queue.async { [self] in
                Inotify.use { _ in isQueued = false }
                report()
            }
            return true
        }
    }
#else
    private final class FolderNotices: Sendable {
        init(_ report: @escaping @Sendable () -> Void) throws(FileWatchFailure) {
            throw FileWatchFailure("notices of folders")
        }

        func watch(_ folders: [String]) throws(FileWatchFailure) -> Int { 0 }
        func end() {}
    }
#endif
