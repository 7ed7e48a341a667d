#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Receives the references of objects that are being deinitialized, and releases them in a loop instead of by
/// recursion. Each thread has one drain.
final class ReleaseDrain {
    private var pending: [AnyObject] = []
    private var isRunning = false

    /// Keeps a moved container alive until it is drained.
    final class Box<T> {
        private let value: T
        init(_ value: T) { self.value = value }
    }

    private init() {}

    func add(_ value: AnyObject) { pending.append(value) }

    /// Releases all pending references, including references that are added meanwhile. Only the thread's outermost call
    /// does this.
    func run() {
        guard !isRunning else { return }
        isRunning = true
        // No lock is held, because releasing the last reference to an object runs user code (T6).
        while let value = pending.popLast() { withExtendedLifetime(value) {} }
        isRunning = false
    }

    /// A thread-specific key, because Swift has no thread-local variables.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        #if canImport(Darwin)
            pthread_key_create(&key) { Unmanaged<ReleaseDrain>.fromOpaque($0).release() }
        #else
            pthread_key_create(&key) { drain in
                if let drain { Unmanaged<ReleaseDrain>.fromOpaque(drain).release() }
            }
        #endif
        return key
    }()

    /// The drain of this thread.
    static var current: ReleaseDrain {
        if let drain = pthread_getspecific(key) { return Unmanaged.fromOpaque(drain).takeUnretainedValue() }
        let drain = ReleaseDrain()
        pthread_setspecific(key, Unmanaged.passRetained(drain).toOpaque())
        return drain
    }
}
