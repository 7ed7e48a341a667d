internal import Foundation

/// The links whose boxes keep objects for a while only, batch by batch as they were read, and when to look whether they
/// still need to: inverses, and weak references that are lazy.
///
/// Who refers to an object keeps it, and its inverse keeps who refers to it: a ring that nobody would ever free. So an
/// inverse keeps its objects while it is read or edited. When a batch was not looked at for as many calls of its session
/// as a few of its objects are worth, its boxes are emptied and know their ids only. The greater a batch, the longer it
/// stays: what is read again by and by is then never more than what the calls in between have cost.
final class HeldLinks {
    struct Batch {
        let identity: IdentityMap
        let place: Int
        /// The owners' rows: owners themselves are not kept.
        var ids: [Int64]
        /// How many objects they kept when they were read.
        var size: Int
    }

    private(set) var batches: [Batch] = []
    /// Deleted owners, which are in no identity map.
    private(set) var departed: [Departed] = []
    private var calls = 0
    private var size = 0
    /// Whether a rollback is bringing memory back.
    var isPaused = false
    /// Whether all were filled on the main thread.
    private var areOfMainThread = true

    struct Departed {
        weak var owner: PersistentObject?
        let map: ClassMap
    }

    /// Notes that the boxes of some owners keep objects.
    func note(_ identity: IdentityMap, _ place: Int, _ ids: [Int64], size: Int) {
        guard !ids.isEmpty else { return }
        if areOfMainThread, !Thread.isMainThread { areOfMainThread = false }
        batches.append(Batch(identity: identity, place: place, ids: ids, size: size))
        self.size += ids.count + size
    }

    func addDeparted(_ owner: PersistentObject, _ map: ClassMap) {
        departed.append(Departed(owner: owner, map: map))
        size += 1
    }

    /// Whether no other thread can be reading them at this moment.
    var areHere: Bool { areOfMainThread && Thread.isMainThread }

    /// Counts a call of the session; whether it is time to look.
    @inline(__always)
    func countCall() -> Bool { size > 0 && isDue() }

    private func isDue() -> Bool {
        calls += 1
        return calls > Swift.min(size / HeldLinks.objectsPerCall, HeldLinks.longest)
    }

    /// Takes all out to be looked at.
    func takeAll() -> (batches: [Batch], departed: [Departed]) {
        defer {
            (batches, departed) = ([], [])
            (calls, size) = (0, 0)
        }
        return (batches, departed)
    }

    /// How many objects may have to be read again for a call.
    private static let objectsPerCall = 8
    private static let longest = 128
}
