#if os(Linux) || os(Android)
    internal import Dispatch

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Android)
        internal import Android
    #endif

    /// Tells that files are written, by inotify: one descriptor, which is not one of the files. (To open these, and close
    /// them again, would end the locks that the process has on them.)
    final class FileNotices {
        private let files: WatchedFiles
        private let descriptor: Int32
        private let source: any DispatchSourceRead
        /// The folder's number, by which notices name it.
        private var folder: Int32 = -1
        /// Those of the files that are there.
        private var numbers: [String: Int32] = [:]
        private var buffer = [UInt8](repeating: 0, count: 4096)
        private var isPaused = false

        init(
            _ files: WatchedFiles, _ queue: DispatchQueue, _ wake: @escaping @Sendable () -> Void
        ) throws(FileWatchFailure) {
            self.files = files
            let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard descriptor >= 0 else { throw FileWatchFailure("inotify_init1") }
            self.descriptor = descriptor
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler(handler: wake)
            source.setCancelHandler { close(descriptor) }
            do throws(FileWatchFailure) {
                guard try watch(files.folder, FileNotices.folderMask, &folder) else {
                    throw FileWatchFailure("inotify_add_watch")
                }
                try watchFiles()
            } catch {
                source.activate()
                source.cancel()
                throw error
            }
        }

        func activate() { source.activate() }

        func pause() {
            guard !isPaused else { return }
            isPaused = true
            source.suspend()
        }

        func resume() {
            guard isPaused else { return }
            isPaused = false
            source.resume()
        }

        func end() {
            source.cancel()
            // A source that is suspended is never cancelled.
            resume()
        }

        /// Takes what there is, without waiting. Whether there was anything.
        func take() throws(FileWatchFailure) -> Bool {
            var news = News()
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                note(buffer[..<count], &news)
            }
            // Another log may have taken the place of the one that was watched.
            if news.hasOtherFiles { try watchFiles() }
            return news.isThere
        }

        private struct News {
            var isThere = false
            var hasOtherFiles = false
        }

        /// Each notice is four words, and a name with zeros behind it.
        private func note(_ bytes: ArraySlice<UInt8>, _ news: inout News) {
            func word(_ place: Int) -> UInt32 {
                var word: UInt32 = 0
                for byte in 0..<4 { word |= UInt32(bytes[place + byte]) << UInt32(byte * 8) }
                return UInt32(littleEndian: word)
            }
            var place = bytes.startIndex
            while place + FileNotices.headSize <= bytes.endIndex {
                let (number, mask, size) = (Int32(bitPattern: word(place)), word(place + 4), Int(word(place + 12)))
                let nameStart = place + FileNotices.headSize
                place = min(nameStart + size, bytes.endIndex)
                let isWrite = mask & UInt32(IN_MODIFY) != 0
                // The folder has files of others too.
                if number == folder, size > 0, !bytes[nameStart..<place].starts(with: files.name.utf8) { continue }
                news.isThere = true
                if !isWrite { news.hasOtherFiles = true }
            }
        }

        private func watchFiles() throws(FileWatchFailure) {
            for ending in files.endings {
                var number: Int32 = -1
                let isThere = try watch(files.path + ending, UInt32(IN_MODIFY), &number)
                let old = numbers[ending]
                numbers[ending] = isThere ? number : nil
                if let old, old != numbers[ending] { inotify_rm_watch(descriptor, old) }
            }
        }

        /// Whether there is such a file. One that is watched by now keeps its number.
        private func watch(_ path: String, _ mask: UInt32, _ number: inout Int32) throws(FileWatchFailure) -> Bool {
            number = inotify_add_watch(descriptor, path, mask)
            if number >= 0 { return true }
            guard errno == ENOENT else { throw FileWatchFailure("inotify_add_watch") }
            return false
        }

        private static let headSize = 16
        private static let folderMask = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM)
    }
#endif
