@_spi(Locks) internal import StoreEngine
internal import Synchronization

/// One object of a class, created by its `init()` and never stored. It provides the initial values, the wrappers'
/// declarations, and the field that a key path reads.
final class ScratchObject: @unchecked Sendable {  // the object is accessed only under the lock
    private let object: PersistentObject
    private let lock = Lock()

    init(_ object: PersistentObject) { self.object = object }

    /// Calls `body` with the object and its address; `body` restores its changes.
    func withObject<R, E: Error>(
        _ body: (PersistentObject, Address) throws(E) -> R
    ) throws(E) -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(object, ObjectMemory.start(of: object))
    }
}

/// Marks user code that runs because a class is being examined, not used. It cannot save or find objects.
enum Examination {
    @TaskLocal private static var isRunning = false
    /// The number of examining tasks. It is checked first, because every call of the library performs this check.
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
