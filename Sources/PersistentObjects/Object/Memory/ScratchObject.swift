internal import Synchronization

/// One object of a class, made by its own `init()`, that is never stored: it tells the initial values, what the
/// wrappers say, and which field a key path reads.
final class ScratchObject: @unchecked Sendable {  // the object is reached under the lock only
    private let object: PersistentObject
    private let lock = Lock()

    init(_ object: PersistentObject) { self.object = object }

    /// Calls `body` with the object and its address; what `body` changes it puts back.
    func withObject<R, E: Error>(
        _ body: (PersistentObject, Address) throws(E) -> R
    ) throws(E) -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(object, ObjectMemory.start(of: object))
    }
}

/// Marks the time in which user code runs because a class is being examined, not used: saving and finding are refused.
enum Examination {
    @TaskLocal private static var isRunning = false
    /// How many tasks are examining: asked first, since each call of the library asks.
    private static let count = Atomic<Int>(0)

    /// Whether this task is examining a class.
    @inline(__always)
    static var isUnderWay: Bool { count.load(ordering: .relaxed) != 0 && isRunning }

    static func run<R>(_ body: () throws -> R) rethrows -> R {
        count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        return try $isRunning.withValue(true) { try body() }
    }
}
