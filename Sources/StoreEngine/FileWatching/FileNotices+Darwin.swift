#if canImport(Darwin)
    internal import Darwin
    internal import Dispatch

    /// Reports writes to files, using kqueue with a descriptor each for the folder and the write-ahead log.
    ///
    /// The database file itself is never opened, because closing it would release the locks that the process holds on
    /// it. A commit without a write-ahead log creates a journal and deletes it, which the folder reports.
    final class FileNotices {
        private let files: WatchedFiles
        private let queue: DispatchQueue
        private let wake: @Sendable () -> Void
        private let folder: any DispatchSourceFileSystemObject
        private var log: (any DispatchSourceFileSystemObject)?
        private var isPaused = false

        init(
            _ files: WatchedFiles, _ queue: DispatchQueue, _ wake: @escaping @Sendable () -> Void
        ) throws(FileWatchFailure) {
            (self.files, self.queue, self.wake) = (files, queue, wake)
            guard let folder = FileNotices.source(files.folder, .write, queue) else { throw FileWatchFailure("open") }
            self.folder = folder
            log = FileNotices.source(files.path + FileNotices.logEnding, FileNotices.logEvents, queue)
        }

        func activate() {
            for source in [folder, log].compactMap({ $0 }) {
                source.setEventHandler(handler: wake)
                source.activate()
            }
        }

        func pause() {
            guard !isPaused else { return }
            isPaused = true
            for source in [folder, log].compactMap({ $0 }) { source.suspend() }
        }

        func resume() {
            guard isPaused else { return }
            isPaused = false
            for source in [folder, log].compactMap({ $0 }) { source.resume() }
        }

        func end() {
            for source in [folder, log].compactMap({ $0 }) { source.cancel() }
            // A suspended source is never cancelled.
            resume()
        }

        /// Watches the current log, and returns whether there were notices.
        ///
        /// If it is paused, writes are reported when it resumes.
        func take() throws(FileWatchFailure) -> Bool {
            var status = stat()
            let isThere = stat(files.path + FileNotices.logEnding, &status) == 0
            if let log, isThere, FileNotices.isSame(log.handle, status) { return !isPaused }
            let old = log
            log = FileNotices.source(files.path + FileNotices.logEnding, FileNotices.logEvents, queue)
            old?.cancel()
            if isPaused { old?.resume() }
            log?.setEventHandler(handler: wake)
            log?.activate()
            if isPaused { log?.suspend() }
            return !isPaused
        }

        private static let logEnding = "-wal"
        private static let logEvents: DispatchSource.FileSystemEvent = [.write, .extend, .delete, .rename]

        private static func isSame(_ descriptor: UInt, _ other: stat) -> Bool {
            var status = stat()
            return fstat(Int32(descriptor), &status) == 0 && status.st_dev == other.st_dev
                && status.st_ino == other.st_ino
        }

        /// Nil if there is no such file.
        private static func source(
            _ path: String, _ events: DispatchSource.FileSystemEvent, _ queue: DispatchQueue
        ) -> (any DispatchSourceFileSystemObject)? {
            let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: events, queue: queue)
            source.setCancelHandler { close(descriptor) }
            return source
        }
    }
#elseif !os(Linux) && !os(Android)
    internal import Dispatch

    /// For unknown systems: databases are checked periodically.
    final class FileNotices {
        init(
            _ files: WatchedFiles, _ queue: DispatchQueue, _ wake: @escaping @Sendable () -> Void
        ) throws(FileWatchFailure) { throw FileWatchFailure("notices of files") }

        func activate() {}
        func pause() {}
        func resume() {}
        func end() {}
        func take() throws(FileWatchFailure) -> Bool { false }
    }
#endif
