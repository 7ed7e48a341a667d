internal import Synchronization

/// Ensures that a session is used by one thread at a time: overlapping use is an error, never corruption.
///
/// A thread may enter again while it is inside (a user's initializer that runs a find). Between calls a session may
/// move to another thread, as tasks do.
struct SessionGate: ~Copyable {
    private let owner = Atomic<UInt>(0)
    /// Only the owning thread accesses it. It is atomic, so that the runtime does not check exclusivity.
    private let depth = Atomic<Int>(0)

    /// Enters; returns false if another thread is inside.
    @inline(__always)
    func enter() -> Bool {
        let me = RunningThread.id
        if owner.load(ordering: .relaxed) != me {
            guard owner.compareExchange(expected: 0, desired: me, ordering: .acquiring).exchanged || enterLater(me)
            else { return false }
        }
        depth.store(depth.load(ordering: .relaxed) + 1, ordering: .relaxed)
        return true
    }

    /// Waits for a thread that has entered alone, because it does short work of the library.
    @inline(never)
    private func enterLater(_ me: UInt) -> Bool {
        while true {
            let (isFree, current) = owner.compareExchange(expected: 0, desired: me, ordering: .acquiring)
            if isFree || current == me | SessionGate.alone { return true }
            guard current & SessionGate.alone != 0 else { return false }
            RunningThread.yield()
        }
    }

    /// Marks the owner that has entered alone. The bit is free, because threads are identified by even addresses.
    private static let alone: UInt = 1

    /// Enters for short work of the library. Concurrent callers wait for it.
    ///
    /// Returns false if any thread is inside, including this thread.
    func enterAlone() -> Bool {
        let me = RunningThread.id | SessionGate.alone
        guard owner.compareExchange(expected: 0, desired: me, ordering: .acquiring).exchanged else { return false }
        depth.store(1, ordering: .relaxed)
        return true
    }

    /// Whether the thread that is inside has entered once.
    var isOutermost: Bool { isInside(of: 0) }

    /// Whether the thread that is inside had entered this number of times before.
    func isInside(of calls: Int) -> Bool { depth.load(ordering: .relaxed) == calls + 1 }

    @inline(__always)
    func leave() {
        let left = depth.load(ordering: .relaxed) - 1
        depth.store(left, ordering: .relaxed)
        if left == 0 { owner.store(0, ordering: .releasing) }
    }
}
