internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Whether this process is a copy, made by `fork`, of one that had databases open.
///
/// Nothing can be done with SQLite there. The copy has the files, but none of the locks that SQLite believes to have on
/// them, for connections of its own to these files too; and the index of the log is memory that both share. So whatever
/// it did, even closing, would damage the file for the process that has it.
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

    /// Whether it is.
    package static var isThis: Bool { flag.load(ordering: .relaxed) }

    /// Throws where it is.
    package static func check() throws(StoreError) {
        if isThis { throw refusal }
    }

    private static var refusal: StoreError {
        StoreError(
            .misuse,
            "This process was created by fork() while its parent had a store open, whose files it must not touch. "
                + "Fork before the first store is opened, or start a separate program, as Foundation's Process does")
    }

    /// A connection is about to be opened.
    static func noteOpening() {
        _ = isWatched
        openConnections.add(1, ordering: .relaxed)
    }

    /// It was not opened, or was closed.
    static func noteClosing() { openConnections.subtract(1, ordering: .relaxed) }
}
