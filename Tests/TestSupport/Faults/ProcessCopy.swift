internal import CFaultVFS

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// How a copy of the process has ended.
public enum CopyEnd: Equatable {
    /// By itself.
    case finished
    /// Its work threw an error.
    case failed
    /// By this signal.
    case signal(Int32)
}

/// Runs `body` in a copy of this process that has this thread alone, and waits for its end.
///
/// Call it in an exit test, where no other thread holds a lock that the copy would wait for, and while no connection to
/// a file is open: the copy has its descriptors, but none of its locks. Nothing that the copy does comes back but files.
public func inCopyOfProcess(_ body: () throws -> Void) -> CopyEnd {
    let child = po_fork()
    if child == 0 {
        do { try body() } catch {
            print("in the copy: \(error)")
            fflush(nil)
            _exit(3)
        }
        // Nothing is torn down: files and folders are the original's.
        _exit(0)
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    if status & 0x7f != 0 { return .signal(status & 0x7f) }
    return status >> 8 == 0 ? .finished : .failed
}
