import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PersistentObjects

/// Each row has at most one object, whatever other threads do and however long the deinitialization of an object
/// takes.
@Suite struct IdentityChurnTests {
    final class Churned: PersistentObject {
        var name = "an object with a name of some length"
        // Some objects take long to deinitialize, while their entries are still in the map.
        deinit { if rowID % 3 == 0 { for _ in 0..<20 { _ = name.utf8.count } } }
    }

    private final class Counts: Sendable {
        let made = Atomic<Int>(0)
        let duplicates = Atomic<Int>(0)
        let lost = Atomic<Int>(0)
    }

    /// The operations of one thread: it finds objects, inserts missing objects, releases them, and finds them again
    /// through its own references.
    private static func churn(_ map: IdentityMap, _ operations: Int, seed: UInt64, _ counts: Counts) {
        var random = SeededGenerator(seed: seed)
        var held: [Churned?] = Array(repeating: nil, count: 6)
        weak var weakly: Churned?
        for step in 0..<operations {
            let bits = random.next()
            let slot = Int(bits % 6)
            switch bits >> 8 & 7 {
            case 0, 1: held[slot] = nil
            case 2: weakly = held[slot]
            case 3:
                if let object = weakly, let found = map.object(for: object.rowID), found !== object {
                    counts.duplicates.add(1, ordering: .relaxed)
                }
            case 4:
                if let object = held[slot], map.object(for: object.rowID) !== object {
                    counts.lost.add(1, ordering: .relaxed)
                }
            default:
                let key = Int64(bits >> 16 % 48)
                held[slot] =
                    map.object(for: key).map { unsafeDowncast($0, to: Churned.self) } ?? insert(key, map, counts)
            }
            if step & 0xffff == 0 { weakly = nil }
        }
    }

    private static func insert(_ key: Int64, _ map: IdentityMap, _ counts: Counts) -> Churned {
        let object = Churned()
        let block = map.takeBlock()
        map.classMap.baseline.captureNew(ObjectMemory.start(of: object), to: block)
        counts.made.add(1, ordering: .relaxed)
        let winner = map.register(IdentityMap.Arrival(object: object, key: key, block: block, identity: map))
        return winner.map { unsafeDowncast($0, to: Churned.self) } ?? object
    }

    @Test func `while four threads find, create and release objects, no row has two objects`() throws {
        let wanted = ProcessInfo.processInfo.environment["PO_CHURN"].flatMap { Int($0) }
        let operations = wanted ?? Scale.of(1_000_000)
        try Store.inMemory(configuration: .init(lostEdits: .ignore)).withSession { session in
            let map = try session.space(of: Churned.self).identity
            let counts = Counts()
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                IdentityChurnTests.churn(map, operations / 4, seed: UInt64(thread) + 1, counts)
            }
            expect(counts.duplicates.load(ordering: .relaxed), 0)
            expect(counts.lost.load(ordering: .relaxed), 0)
            #expect(counts.made.load(ordering: .relaxed) > operations / 20)
            expect(map.count, 0)
            #expect(map.brokenInvariant() == nil)
        }
    }

    @Test func `a scan works while other threads release objects`() throws {
        try Store.inMemory(configuration: .init(lostEdits: .ignore)).withSession { session in
            let map = try session.space(of: Churned.self).identity
            let counts = Counts()
            let finished = Atomic<Int>(0)
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                if thread == 0 {
                    while finished.load(ordering: .acquiring) < 2 {
                        let rows = map.liveObjects().map(\.rowID)
                        if rows != rows.sorted() || Set(rows).count != rows.count {
                            counts.duplicates.add(1, ordering: .relaxed)
                        }
                        _ = map.possiblyChangedObjects()
                    }
                } else {
                    IdentityChurnTests.churn(map, 50_000, seed: UInt64(thread) + 100, counts)
                    finished.add(1, ordering: .releasing)
                }
            }
            #expect(counts.duplicates.load(ordering: .relaxed) == 0 && counts.lost.load(ordering: .relaxed) == 0)
            expect(map.count, 0)
        }
    }
}
