// Locks: mutual exclusion of threads. It must know nothing of what it protects.
//
// These types are public because the optimizer inlines no `package` declaration into another module. They are SPI, which
// users do not see.
#if canImport(Darwin)
    public import Darwin
#elseif canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

/// A lock for work on tables only: no SQL, no initializer, no user code, and no release of an object while it is held
/// (M3).
///
/// It is deliberately not recursive. In debug builds a thread that takes it twice, for example because an object is
/// released under it, stops with a message instead of deadlocking. `Synchronization.Mutex` offers neither.
@_spi(Locks)
public struct Lock: ~Copyable {
    #if canImport(Darwin)
        @usableFromInline let pointer: UnsafeMutablePointer<os_unfair_lock>

        /// Creates a lock.
        @inlinable
        public init() {
            pointer = .allocate(capacity: 1)
            pointer.initialize(to: os_unfair_lock())
        }

        @inlinable
        deinit { pointer.deallocate() }

        /// Waits until no other thread has the lock, and takes it.
        @inlinable @inline(__always)
        public func lock() { os_unfair_lock_lock(pointer) }

        /// Releases the lock.
        @inlinable @inline(__always)
        public func unlock() { os_unfair_lock_unlock(pointer) }
    #else
        @usableFromInline let pointer: UnsafeMutablePointer<pthread_mutex_t>

        /// Creates a lock.
        @inlinable
        public init() {
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

        @inlinable
        deinit {
            pthread_mutex_destroy(pointer)
            pointer.deallocate()
        }

        /// Waits until no other thread has the lock, and takes it.
        @inlinable @inline(__always)
        public func lock() {
            let code = pthread_mutex_lock(pointer)
            assert(code == 0, "One thread locked the same lock twice: an object was released while it was locked")
        }

        /// Releases the lock.
        @inlinable @inline(__always)
        public func unlock() { pthread_mutex_unlock(pointer) }
    #endif

    /// Calls `body` under the lock.
    @inlinable @inline(__always)
    public func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock()
        defer { unlock() }
        return try body()
    }
}
