#if os(Linux) || os(Android)
    internal import Dispatch
    internal import Foundation

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Android)
        internal import Android
    #endif

    /// The inotify descriptor of the process, which all its stores hear by: the system gives a user 128 of them, and a
    /// program may have more stores than that.
    ///
    /// It is there as long as anybody listens. One who has paused costs nothing where nobody else listens, and next to
    /// nothing where somebody does: it is not heard for a while then.
    final class Inotify: @unchecked Sendable {  // only `withLock` gives it away, and members keep it no longer
        private static nonisolated(unsafe) var shared: Inotify?  // only `withLock` reaches it
        /// Not a `Mutex`: ThreadSanitizer does not see its locking on Linux and reports races that are none.
        private static let lock = NSLock()
        private static let queue = DispatchQueue(label: "PersistentObjects.Inotify", qos: .utility)
        /// How long nobody hears behind writes that only those who have paused are told of.
        private static let rest = DispatchTimeInterval.milliseconds(10)

        private struct Watch {
            let listener: FileNotices
            let isOfFolder: Bool
        }

        private let descriptor: Int32
        private let source: any DispatchSourceRead
        /// Who hears of a file or folder, by the number that its notices have. One that several watch has one number.
        private var watches: [Int32: [Watch]] = [:]
        private var memberCount = 0
        private var listenerCount = 0
        private var isResting = false
        private var isSuspended = false
        private var buffer = [UInt8](repeating: 0, count: 4096)

        private init() throws(FileWatchFailure) {
            let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard descriptor >= 0 else { throw FileWatchFailure("inotify_init1") }
            self.descriptor = descriptor
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Inotify.queue)
            source.setEventHandler { Inotify.hear() }
            source.setCancelHandler { close(descriptor) }
            source.activate()
        }

        private static func withLock<R, E: Error>(_ body: (inout Inotify?) throws(E) -> R) throws(E) -> R {
            lock.lock()
            defer { lock.unlock() }
            return try body(&shared)
        }

        /// Calls `body` with the descriptor under its lock, and makes it if need be. A member calls `leave` in the end.
        static func join(_ body: (Inotify) throws(FileWatchFailure) -> Void) throws(FileWatchFailure) {
            try withLock { shared throws(FileWatchFailure) in
                let inotify = if let shared { shared } else { try Inotify() }
                defer { shared = inotify.endIfAlone() ? nil : inotify }
                inotify.memberCount += 1
                do throws(FileWatchFailure) { try body(inotify) } catch {
                    inotify.memberCount -= 1
                    throw error
                }
                inotify.attend()
            }
        }

        /// Calls `body` with the descriptor under its lock, for a member.
        static func use<R, E: Error>(_ body: (Inotify) throws(E) -> R) throws(E) -> R? {
            try withLock { shared throws(E) in
                guard let shared else { return nil }
                defer { shared.attend() }
                return try body(shared)
            }
        }

        /// Calls `body` under the lock, for a member that is none from then on.
        static func leave(_ body: (Inotify) -> Void) {
            withLock { shared in
                guard let inotify = shared else { return }
                body(inotify)
                inotify.memberCount -= 1
                if inotify.endIfAlone() { shared = nil } else { inotify.attend() }
            }
        }

        private func endIfAlone() -> Bool {
            guard memberCount == 0 else { return false }
            source.cancel()
            // A source that is suspended is never cancelled.
            if isSuspended { source.resume() }
            return true
        }

        // MARK: - For members, under the lock

        /// Has a listener hear of a file, or of the files of a folder. The number that its notices have; nil where there
        /// is none. One that it watches by now keeps its number.
        func watch(_ path: String, isFolder: Bool, _ listener: FileNotices) throws(FileWatchFailure) -> Int32? {
            let number = inotify_add_watch(descriptor, path, isFolder ? Inotify.folderMask : UInt32(IN_MODIFY))
            guard number >= 0 else {
                guard errno == ENOENT else { throw FileWatchFailure("inotify_add_watch") }
                return nil
            }
            if !watches[number, default: []].contains(where: { $0.listener === listener }) {
                watches[number, default: []].append(Watch(listener: listener, isOfFolder: isFolder))
            }
            return number
        }

        /// Has a listener hear no more of what has a number.
        func unwatch(_ number: Int32, _ listener: FileNotices) {
            watches[number]?.removeAll { $0.listener === listener }
            guard watches[number]?.isEmpty ?? false else { return }
            watches[number] = nil
            inotify_rm_watch(descriptor, number)
        }

        /// How many listeners there are more, or less, who have not paused.
        func countListeners(_ change: Int) { listenerCount += change }

        /// Tells who listens of all that there is, without waiting.
        @discardableResult
        func takeNotices() -> Heard {
            var heard = Heard.nothing
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return heard }
                tell(of: buffer[..<count], &heard)
            }
        }

        /// What there was to be read.
        enum Heard { case nothing, forPausedOnly, forListeners }

        // MARK: - Hearing

        /// There is something to be read.
        private static func hear() {
            withLock { shared in
                guard let shared else { return }
                // Somebody commits often, and looks for it at times of its own.
                if shared.takeNotices() == .forPausedOnly { shared.beginRest() }
                shared.attend()
            }
        }

        private func beginRest() {
            isResting = true
            Inotify.queue.asyncAfter(deadline: .now() + Inotify.rest) {
                Inotify.withLock { shared in
                    shared?.isResting = false
                    shared?.attend()
                }
            }
        }

        /// Hears, or does not, as things are now.
        private func attend() {
            let isDeaf = isResting || listenerCount == 0
            guard isDeaf != isSuspended else { return }
            isSuspended = isDeaf
            if isDeaf { source.suspend() } else { source.resume() }
        }

        /// Each notice is four words, and a name with zeros behind it.
        private func tell(of notices: ArraySlice<UInt8>, _ heard: inout Heard) {
            func word(_ place: Int) -> UInt32 {
                var word: UInt32 = 0
                for byte in 0..<4 { word |= UInt32(notices[place + byte]) << UInt32(byte * 8) }
                return UInt32(littleEndian: word)
            }
            var place = notices.startIndex
            while place + Inotify.headSize <= notices.endIndex {
                let (number, mask, size) = (Int32(bitPattern: word(place)), word(place + 4), Int(word(place + 12)))
                let nameStart = place + Inotify.headSize
                place = min(nameStart + size, notices.endIndex)
                let isWrite = mask & UInt32(IN_MODIFY) != 0
                // Where there were too many, any file may have been written.
                let told = mask & UInt32(IN_Q_OVERFLOW) != 0 ? Array(watches.values.joined()) : watches[number] ?? []
                for watch in told {
                    // The folder has files of others too.
                    if watch.isOfFolder, size > 0, !watch.listener.isOf(notices[nameStart..<place]) { continue }
                    let isListening = watch.listener.hear(isWrite: isWrite)
                    heard = isListening || heard == .forListeners ? .forListeners : .forPausedOnly
                }
                // It is gone, and its number with it.
                if mask & UInt32(IN_IGNORED) != 0 { watches[number] = nil }
            }
        }

        private static let headSize = 16
        private static let folderMask = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM)
    }
#endif
