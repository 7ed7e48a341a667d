internal import CFaultVFS

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The way in which a forked process has ended.
public enum CopyEnd: Equatable {
    /// It ended by itself.
    case finished
    /// Its body threw an error.
    case failed
    /// A signal ended it.
    case signal(Int32)
}

/// Runs `body` in a forked process that has only this thread, and waits for its end.
///
/// Call it in an exit test, in which no other thread holds a lock that the copy would wait for. No connection to a file
/// may be open, because the copy has its descriptors but not its locks. Only files show the effects of the copy.
public func inCopyOfProcess(_ body: () throws -> Void) -> CopyEnd {
    let child = po_fork()
    if child == 0 {
        do { try body() } catch {
            print("in the copy: \(error)")
            fflush(nil)
            _exit(3)
        }
        // The copy does not clean up, because files and folders belong to the original.
        _exit(0)
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    if status & 0x7f != 0 { return .signal(status & 0x7f) }
    return status >> 8 == 0 ? .finished : .failed
}
