internal import Foundation

/// The links whose boxes hold objects only for a while (inverses and lazy weak references), in the batches in which
/// they were read. It also determines when to check whether the boxes still need the objects.
///
/// An object is retained by the objects that refer to it, and its inverse retains these objects, which is a retain
/// cycle. An inverse therefore holds its objects only while it is read or edited. If a batch is not accessed for a
/// number of calls of its session, its boxes are emptied and keep only ids. The number of calls grows with the number
/// of held objects, so that reading them again never costs more than the calls in between.
final class HeldLinks {
    struct Batch {
        let identity: IdentityMap
        let ordinal: Int
        /// The ids of the owners, which are not retained.
        var ids: [Int64]
        /// The number of objects that the boxes held when they were read.
        var size: Int
    }

    private(set) var batches: [Batch] = []
    /// Deleted owners, which are in no identity map.
    private(set) var departed: [Departed] = []
    private var calls = 0
    private var size = 0
    /// Whether a rollback is restoring memory.
    var isPaused = false
    /// Whether all boxes were filled on the main thread.
    private var areOfMainThread = true

    struct Departed {
        weak var owner: PersistentObject?
        let map: ClassMap
    }

    /// Records that the boxes of some owners hold objects.
    func record(_ identity: IdentityMap, _ ordinal: Int, _ ids: [Int64], size: Int) {
        guard !ids.isEmpty else { return }
        if areOfMainThread, !Thread.isMainThread { areOfMainThread = false }
        batches.append(Batch(identity: identity, ordinal: ordinal, ids: ids, size: size))
        self.size += ids.count + size
    }

    func addDeparted(_ owner: PersistentObject, _ map: ClassMap) {
        departed.append(Departed(owner: owner, map: map))
        size += 1
    }

    /// Whether no other thread can be reading the links now.
    var areHere: Bool { areOfMainThread && Thread.isMainThread }

    /// Counts a call of the session; returns whether it is time to check the links.
    @inline(__always)
    func countCall() -> Bool { size > 0 && isDue() }

    private func isDue() -> Bool {
        calls += 1
        return calls > Swift.min(size / HeldLinks.objectsPerCall, HeldLinks.longest)
    }

    /// Removes and returns all entries, to be checked.
    func takeAll() -> (batches: [Batch], departed: [Departed]) {
        defer {
            (batches, departed) = ([], [])
            (calls, size) = (0, 0)
        }
        return (batches, departed)
    }

    /// The number of objects that may have to be read again per call.
    private static let objectsPerCall = 8
    private static let longest = 128
}
