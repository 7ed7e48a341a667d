#if os(Linux) || os(Android)
    internal import Dispatch

    /// Reports writes to files, using inotify. (Opening and closing the files would release the locks that the process
    /// holds on them.)
    final class FileNotices: InotifyListener, @unchecked Sendable {  // it changes under the lock of `Inotify` only
        private let files: WatchedFiles
        private let name: [UInt8]
        private let queue: DispatchQueue
        private let wake: @Sendable () -> Void
        /// The folder's watch number, which its notices contain.
        private var folder: Int32?
        /// The watch numbers of existing files.
        private var numbers: [String: Int32] = [:]
        private var isPaused = true
        /// The notices received since the last take.
        private var news = News()

        private struct News {
            var isThere = false
            var hasOtherFiles = false
            /// Whether a notification is already queued.
            var isQueued = false
        }

        /// It is paused until it is activated.
        init(
            _ files: WatchedFiles, _ queue: DispatchQueue, _ wake: @escaping @Sendable () -> Void
        ) throws(FileWatchFailure) {
            (self.files, self.queue, self.wake) = (files, queue, wake)
            name = Array(files.name.utf8)
            try Inotify.join { inotify throws(FileWatchFailure) in
                do throws(FileWatchFailure) {
                    folder = try inotify.watch(files.folder, .folder, self)
                    guard folder != nil else { throw FileWatchFailure("inotify_add_watch") }
                    try watchFiles(inotify)
                } catch {
                    unwatch(inotify)
                    throw error
                }
            }
        }

        func activate() { resume() }

        func pause() {
            Inotify.use { inotify in
                guard !isPaused else { return }
                isPaused = true
                inotify.countListeners(-1)
            }
        }

        func resume() {
            Inotify.use { inotify in
                guard isPaused else { return }
                isPaused = false
                inotify.countListeners(1)
                if news.isThere { signal() }
            }
        }

        func end() {
            Inotify.leave { inotify in
                unwatch(inotify)
                if !isPaused { inotify.countListeners(-1) }
                isPaused = true
            }
        }

        /// Takes pending notices without waiting; returns whether there were any.
        func take() throws(FileWatchFailure) -> Bool {
            try Inotify.use { inotify throws(FileWatchFailure) in
                inotify.takeNotices()
                let news = news
                self.news = News()
                // The watched log may have been replaced by another.
                if news.hasOtherFiles { try watchFiles(inotify) }
                return news.isThere
            } ?? false
        }

        // MARK: - Under the lock

        /// Whether a file in the folder belongs to the database.
        func isOf(_ name: ArraySlice<UInt8>) -> Bool { name.starts(with: self.name) }

        /// Called after one of the files was written or possibly replaced; returns whether it listens.
        func receive(isWrite: Bool) -> Bool {
            news.isThere = true
            if !isWrite { news.hasOtherFiles = true }
            guard !isPaused else { return false }
            signal()
            return true
        }

        private func signal() {
            guard !news.isQueued else { return }
            news.isQueued = true
            queue.async(execute: wake)
        }

        private func watchFiles(_ inotify: Inotify) throws(FileWatchFailure) {
            for ending in files.endings {
                let number = try inotify.watch(files.path + ending, .file, self)
                let old = numbers[ending]
                numbers[ending] = number
                if let old, old != number { inotify.unwatch(old, self) }
            }
        }

        private func unwatch(_ inotify: Inotify) {
            for number in [folder].compactMap({ $0 }) + numbers.values { inotify.unwatch(number, self) }
        }
    }
#endif
