#if os(Linux) || os(Android)
    internal import Dispatch

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Android)
        internal import Android
    #endif

    /// The inotify descriptor of the process, shared by all its stores.
    ///
    /// It is shared, because the system permits only 128 descriptors per user.
    ///
    /// It exists while there are listeners. If all listeners are paused, it is not read. If notices concern only paused
    /// listeners, it is not read for a while.
    final class Inotify: @unchecked Sendable {  // only `shared` gives it away, and members keep it no longer
        private static let shared = Locked<Inotify?>(nil)
        private static let queue = DispatchQueue(label: "PersistentObjects.Inotify", qos: .utility)
        /// How long reading pauses after writes that concern only paused listeners.
        private static let rest = DispatchTimeInterval.milliseconds(10)

        /// What is reported of a path.
        enum Subject {
            /// Writes to a file.
            case file
            /// The files that are added to a folder or removed from it.
            case folder
            /// The files that are added to a folder, and those whose writing ended.
            case arrivals
        }

        private struct Watch {
            let listener: any InotifyListener
            let isOfFolder: Bool
        }

        private let descriptor: Int32
        private let source: any DispatchSourceRead
        /// The listeners of a file or folder, by its watch number. A file with several listeners has one number.
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
            source.setEventHandler { Inotify.receive() }
            source.setCancelHandler { close(descriptor) }
            source.activate()
        }

        /// Calls `body` with the descriptor under its lock, creating it if necessary. A member must call `leave` at the
        /// end.
        static func join(_ body: (Inotify) throws(FileWatchFailure) -> Void) throws(FileWatchFailure) {
            try shared.withLock { shared throws(FileWatchFailure) in
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
            try shared.withLock { shared throws(E) in
                guard let shared else { return nil }
                defer { shared.attend() }
                return try body(shared)
            }
        }

        /// Calls `body` under the lock, for a member that leaves.
        static func leave(_ body: (Inotify) -> Void) {
            shared.withLock { shared in
                guard let inotify = shared else { return }
                body(inotify)
                inotify.memberCount -= 1
                if inotify.endIfAlone() { shared = nil } else { inotify.attend() }
            }
        }

        private func endIfAlone() -> Bool {
            guard memberCount == 0 else { return false }
            source.cancel()
            // A suspended source is never cancelled.
            if isSuspended { source.resume() }
            return true
        }

        // MARK: - For members, under the lock

        /// Registers a listener for a file, or for the files of a folder. Returns the watch number of its notices, nil
        /// if the file does not exist. A file that is already watched keeps its number, and its listeners also receive
        /// the notices of the other subjects.
        func watch(
            _ path: String, _ subject: Subject, _ listener: any InotifyListener
        ) throws(FileWatchFailure) -> Int32? {
            let number = inotify_add_watch(descriptor, path, Inotify.mask(of: subject))
            guard number >= 0 else {
                guard errno == ENOENT || errno == ENOTDIR else { throw FileWatchFailure("inotify_add_watch") }
                return nil
            }
            if !watches[number, default: []].contains(where: { $0.listener === listener }) {
                watches[number, default: []].append(Watch(listener: listener, isOfFolder: subject != .file))
            }
            return number
        }

        /// Unregisters a listener from a watch number.
        func unwatch(_ number: Int32, _ listener: any InotifyListener) {
            watches[number]?.removeAll { $0.listener === listener }
            guard watches[number]?.isEmpty ?? false else { return }
            watches[number] = nil
            inotify_rm_watch(descriptor, number)
        }

        /// Changes the number of listeners that are not paused.
        func countListeners(_ change: Int) { listenerCount += change }

        /// Reads all pending notices without waiting and passes them to the listeners.
        @discardableResult
        func takeNotices() -> Delivery {
            var delivery = Delivery.nothing
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return delivery }
                dispatch(of: buffer[..<count], &delivery)
            }
        }

        /// The notices that were read.
        enum Delivery { case nothing, forPausedOnly, forListeners }

        // MARK: - Hearing

        /// Called when there is something to read.
        private static func receive() {
            shared.withLock { shared in
                guard let shared else { return }
                // A listener receives frequent commits, and checks at its own intervals.
                if shared.takeNotices() == .forPausedOnly { shared.beginRest() }
                shared.attend()
            }
        }

        private func beginRest() {
            isResting = true
            Inotify.queue.asyncAfter(deadline: .now() + Inotify.rest) {
                Inotify.shared.withLock { shared in
                    shared?.isResting = false
                    shared?.attend()
                }
            }
        }

        /// Resumes or suspends reading according to the current state.
        private func attend() {
            let isDeaf = isResting || listenerCount == 0
            guard isDeaf != isSuspended else { return }
            isSuspended = isDeaf
            if isDeaf { source.suspend() } else { source.resume() }
        }

        /// Each notice is four words, followed by a zero-padded name.
        private func dispatch(of notices: ArraySlice<UInt8>, _ delivery: inout Delivery) {
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
                // If the queue overflowed, any file may have been written.
                let affected =
                    mask & UInt32(IN_Q_OVERFLOW) != 0 ? Array(watches.values.joined()) : watches[number] ?? []
                for watch in affected {
                    // The folder also contains other files.
                    if watch.isOfFolder, size > 0, !watch.listener.isOf(notices[nameStart..<place]) { continue }
                    let isListening = watch.listener.receive(isWrite: isWrite)
                    delivery = isListening || delivery == .forListeners ? .forListeners : .forPausedOnly
                }
                // The file is gone, and its watch number with it.
                if mask & UInt32(IN_IGNORED) != 0 { watches[number] = nil }
            }
        }

        private static let headSize = 16

        private static func mask(of subject: Subject) -> UInt32 {
            let events =
                switch subject {
                case .file: IN_MODIFY
                case .folder: IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM
                case .arrivals: IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR
                }
            // Another listener of the folder keeps its events.
            return UInt32(events) | UInt32(IN_MASK_ADD)
        }
    }

    /// A receiver of notices. Its functions are called under the lock.
    protocol InotifyListener: AnyObject {
        /// Whether a file in a watched folder concerns it.
        func isOf(_ name: ArraySlice<UInt8>) -> Bool
        /// Called after a file was written or possibly replaced; returns whether it listens.
        func receive(isWrite: Bool) -> Bool
    }
#endif
