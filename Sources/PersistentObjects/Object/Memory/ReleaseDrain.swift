#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Receives the references of dying objects, one drain per thread: they are released in a loop, not by recursion.
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

    /// Releases all pending references, and those that this adds; the outermost call of the thread does it.
    func run() {
        guard !isRunning else { return }
        isRunning = true
        // The last reference may be dropped here, which runs user code: no lock is held (T6).
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
