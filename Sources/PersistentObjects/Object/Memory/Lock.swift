#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A lock for work on tables only: no SQL, no initializer, no user code, and no release of an object while it is held
/// (M3).
///
/// It is deliberately not recursive. In debug builds a thread that takes it twice, for example because an object is
/// released under it, stops with a message instead of deadlocking. `Synchronization.Mutex` offers neither.
struct Lock: ~Copyable {
    #if canImport(Darwin)
        private let pointer: UnsafeMutablePointer<os_unfair_lock>

        init() {
            pointer = .allocate(capacity: 1)
            pointer.initialize(to: os_unfair_lock())
        }

        deinit { pointer.deallocate() }

        @inline(__always)
        func lock() { os_unfair_lock_lock(pointer) }

        @inline(__always)
        func unlock() { os_unfair_lock_unlock(pointer) }
    #else
        private let pointer: UnsafeMutablePointer<pthread_mutex_t>

        init() {
            pointer = .allocate(capacity: 1)
            pointer.initialize(to: pthread_mutex_t())
            var attributes = pthread_mutexattr_t()
            pthread_mutexattr_init(&attributes)
            #if DEBUG
                pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
            #endif
            pthread_mutex_init(pointer, &attributes)
            pthread_mutexattr_destroy(&attributes)
        }

        deinit {
            pthread_mutex_destroy(pointer)
            pointer.deallocate()
        }

        @inline(__always)
        func lock() {
            let code = pthread_mutex_lock(pointer)
            assert(code == 0, "One thread locked the same lock twice: an object was released while it was locked")
        }

        @inline(__always)
        func unlock() { pthread_mutex_unlock(pointer) }
    #endif

    @inline(__always)
    func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock()
        defer { unlock() }
        return try body()
    }
}
