internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Whether this process is a copy, created by `fork`, of a process that had databases open.
///
/// SQLite cannot be used in the copy. The copy has the open files, but not the locks that SQLite assumes to hold on
/// them, even for new connections to these files. Both processes also share the memory of the log's index. Therefore
/// any operation, even closing, could damage the file for the parent process.
package enum ProcessCopy {
    private static let flag = Atomic<Bool>(false)
    private static let openConnections = Atomic<Int>(0)
    /// The system calls this in a copy, before `fork` returns there.
    private static let isWatched =
        pthread_atfork(
            nil, nil,
            {
                if openConnections.load(ordering: .relaxed) > 0 { flag.store(true, ordering: .relaxed) }
            }) == 0

    /// Whether this process is such a copy.
    package static var isThis: Bool { flag.load(ordering: .relaxed) }

    /// Throws if this process is such a copy.
    package static func check() throws(StoreError) {
        if isThis { throw refusal }
    }

    private static var refusal: StoreError {
        StoreError(
            .misuse,
            "This process was created by fork() while its parent had a store open, whose files it must not touch. "
                + "Fork before the first store is opened, or start a separate program, as Foundation's Process does")
    }

    /// Called before a connection is opened.
    static func recordOpening() {
        _ = isWatched
        openConnections.add(1, ordering: .relaxed)
    }

    /// Called if a connection could not be opened, and after it was closed.
    static func recordClosing() { openConnections.subtract(1, ordering: .relaxed) }
}
