import TestSupport
import Testing

@testable import PersistentObjects

/// The identity table, compared with a dictionary.
@Suite struct IdentityTableTests {
    private final class Thing: PersistentObject {
        override class var tableName: String { "thing" }
    }

    /// A table, its model, and the objects, which are kept alive.
    private struct Pair: ~Copyable {
        let table = IdentityTable()
        var model: [Int64: Thing] = [:]
        /// All objects: the table does not retain them, and they must not be released while they are in it.
        var all: [Thing] = []

        mutating func insert(_ key: Int64) {
            let thing = Thing()
            all.append(thing)
            model[key] = thing
            table.insert(ObjectMemory.start(of: thing), for: key)
        }

        mutating func remove(_ key: Int64) {
            guard let thing = model.removeValue(forKey: key) else { return }
            table.remove(ObjectMemory.start(of: thing), for: key)
        }

        func check(_ key: Int64) -> String? {
            if let broken = table.brokenInvariant() { return broken }
            if table.count != model.count { return "\(table.count) entries, the model has \(model.count)" }
            let found = table.retainedObject(for: key).map { ObjectMemory.takeRetained($0) }
            return found === model[key] ? nil : "key \(key) gives another object"
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `random insertions and removals match a dictionary`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var pair = Pair()
        // Keys that collide: runs, multiples of the capacity, and the ends of the range.
        let special: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        for step in 0..<3000 {
            let key: Int64 =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: Int64.random(in: 0..<64, using: &random)
                case 1: Int64.random(in: 0..<40, using: &random) << 32
                case 2: special[Int.random(in: 0..<special.count, using: &random)]
                default: Int64.random(in: -20..<20, using: &random) * 8
                }
            if Int.random(in: 0..<5, using: &random) < 3 { pair.insert(key) } else { pair.remove(key) }
            if let broken = pair.check(key) {
                Issue.record("seed \(seed), step \(step): \(broken)")
                return
            }
        }
        for key in Array(pair.model.keys) { pair.remove(key) }
        #expect(pair.table.count == 0 && pair.table.brokenInvariant() == nil)
    }

    @Test func `an equal key replaces its entry, and removing the old object does not remove the new one`() {
        let table = IdentityTable()
        let first = Thing()
        let second = Thing()
        table.insert(ObjectMemory.start(of: first), for: 7)
        table.insert(ObjectMemory.start(of: second), for: 7)
        expect(table.count, 1)
        table.remove(ObjectMemory.start(of: first), for: 7)
        expect(table.count, 1)
        #expect(table.retainedObject(for: 7).map { ObjectMemory.takeRetained($0) } === second)
        table.remove(ObjectMemory.start(of: second), for: 7)
        table.remove(ObjectMemory.start(of: second), for: 7)
        #expect(table.count == 0 && table.retainedObject(for: 7) == nil)
    }

    @Test func `entries can be found in runs of keys that wrap around the end`() {
        for start in [Int64.max - 40, -20, 0, 1 << 40] {
            var pair = Pair()
            for offset in 0..<40 as Range<Int64> { pair.insert(start + offset) }
            for offset in stride(from: 0, to: 40, by: 3) as StrideTo<Int64> {
                pair.remove(start + offset)
                #expect(pair.table.brokenInvariant() == nil)
            }
            for offset in 0..<40 as Range<Int64> { #expect(pair.check(start + offset) == nil) }
        }
    }

    @Test func `a hundred thousand entries are found, and visited once each`() {
        var pair = Pair()
        for key in 0..<100_000 as Range<Int64> { pair.insert(key * 3) }
        var seen = 0
        var sum: Int64 = 0
        pair.table.forEach(size: 64, blockSize: 64) { key, _ in
            seen += 1
            sum += key
        }
        #expect(seen == 100_000 && sum == 3 * 99_999 * 50_000)
        for key in stride(from: 0, to: 300_000, by: 997) as StrideTo<Int64> {
            let found = pair.table.retainedObject(for: key).map { ObjectMemory.takeRetained($0) }
            #expect(found === pair.model[key])
        }
        #expect(pair.table.brokenInvariant() == nil)
    }

    @Test func `a table that was large shrinks and keeps its entries`() {
        var pair = Pair()
        for key in 0..<50_000 as Range<Int64> { pair.insert(key * 5) }
        let most = pair.table.capacity
        for key in 0..<50_000 as Range<Int64> where key % 1_000 != 0 { pair.remove(key * 5) }
        #expect(pair.table.capacity <= most / 8 && pair.table.count == 50)
        #expect(pair.table.brokenInvariant() == nil)
        for key in 0..<50_000 as Range<Int64> where key % 500 == 0 { #expect(pair.check(key * 5) == nil) }
    }
}
