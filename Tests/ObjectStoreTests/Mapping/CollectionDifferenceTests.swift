import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// The differences between two sets or dictionaries are computed in memory, by the values that columns hold.
@Suite struct CollectionDifferenceTests {
    private struct Found: Equatable {
        var gone: Set<String> = []
        var changed: Set<String> = []
        var fresh: Set<String> = []
    }

    /// The rows that differ, as strings made by `name`.
    private func difference<T>(
        _ old: T, _ new: T, _ name: (_ key: Address?, _ element: Address) -> String
    ) throws -> Found {
        var (old, new) = (old, new)
        let codec = try #require(try CollectionCodec.codec(for: T.self)?.get() as? CollectionCodec)
        var found = Found()
        var count = 0
        Address.with(&old) { old in
            Address.with(&new) { new in
                codec.forEachDifference(old, new) { kind, key, element in
                    count += 1
                    switch kind {
                    case .removed: found.gone.insert(name(key, element))
                    case .changed: found.changed.insert(name(key, element))
                    case .fresh: found.fresh.insert(name(key, element))
                    }
                }
                expect(codec.isSame(old, new), count == 0)
            }
        }
        // Each row once.
        expect(count, found.gone.count + found.changed.count + found.fresh.count)
        return found
    }

    private func expectDifference(_ old: [String: Int], _ new: [String: Int]) throws {
        let found = try difference(old, new) { key, element in
            "\(key?[as: String.self] ?? "") \(element[as: Int.self])"
        }
        var wanted = Found()
        for (key, value) in old where new[key] == nil { wanted.gone.insert("\(key) \(value)") }
        for (key, value) in new {
            if old[key] == nil { wanted.fresh.insert("\(key) \(value)") }
            if let before = old[key], before != value { wanted.changed.insert("\(key) \(value)") }
        }
        expect(found, wanted)
    }

    @Test(arguments: SeededGenerator.seeds(40))
    func `random edits are found, in copies and in recreated dictionaries`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func key() -> String { "key \(Int.random(in: 0..<60, using: &random))" }
        let count = Int.random(in: 0..<50, using: &random)
        let old = Dictionary((0..<count).map { (key(), $0) }, uniquingKeysWith: { first, _ in first })
        var new = old
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: new[key()] = nil
            case 1: new[key()] = Int.random(in: 0..<50, using: &random)
            default: if let some = new.keys.sorted().first { new[some]? += 1 }
            }
        }
        try expectDifference(old, new)
        try expectDifference(old, Dictionary(uniqueKeysWithValues: new.sorted { $0.key > $1.key }))
        try expectDifference([:], new)
        try expectDifference(old, [:])
        func texts(_ keys: some Sequence<String>) -> Set<String> { Set(keys) }
        let found = try difference(texts(old.keys), texts(new.keys)) { $1[as: String.self] }
        #expect(found.gone == texts(old.keys).subtracting(new.keys) && found.changed.isEmpty)
        expect(found.fresh, texts(new.keys).subtracting(old.keys))
    }

    @Test func `keys that are equal in Swift but stored differently are one deleted and one new row`() throws {
        let name: (Address?, Address) -> String = { key, _ in "\((key?[as: String.self] ?? "").unicodeScalars.count)" }
        let found = try difference(["é": 1, "a": 1], ["e\u{301}": 1, "a": 1], name)
        expect(found, Found(gone: ["1"], fresh: ["2"]))
        let elements = try difference(["é", "a"] as Set, ["e\u{301}", "a"] as Set) {
            "\($1[as: String.self].unicodeScalars.count)"
        }
        expect(elements, Found(gone: ["1"], fresh: ["2"]))
        let zeros = try difference([0.0, 1] as Set, [-0.0, 1] as Set) { "\($1[as: Double.self])" }
        expect(zeros, Found(gone: ["0.0"], fresh: ["-0.0"]))
        let zeroKeys = try difference([0.0: "a"], [-0.0: "a"]) { key, _ in "\(key?[as: Double.self] ?? 1)" }
        expect(zeroKeys, Found(gone: ["0.0"], fresh: ["-0.0"]))
    }

    @Test func `values are compared as columns hold them`() throws {
        let zeros = try difference(["a": 0.0, "b": 1], ["a": -0.0, "b": 1]) { key, _ in key?[as: String.self] ?? "" }
        expect(zeros, Found(changed: ["a"]))
        let texts = try difference([1: "é", 2: "b"], [1: "e\u{301}", 2: "b"]) { key, _ in "\(key?[as: Int.self] ?? 0)" }
        expect(texts, Found(changed: ["1"]))
        let numbers = try difference(["a": Double.nan], ["a": Double.nan]) { key, _ in key?[as: String.self] ?? "" }
        expect(numbers, Found())
        let old: [String: Int?] = ["a": nil, "b": 1, "c": 2]
        let optionals = try difference(old, ["a": nil, "b": nil, "c": 3]) { key, _ in key?[as: String.self] ?? "" }
        expect(optionals, Found(changed: ["b", "c"]))
    }

    @Test func `nil has no rows, like an empty collection`() throws {
        let name: (Address?, Address) -> String = { _, element in "\(element[as: Int.self])" }
        try expect(difference(nil, [1, 2] as Set<Int>?, name), Found(fresh: ["1", "2"]))
        try expect(difference([1, 2] as Set<Int>?, nil, name), Found(gone: ["1", "2"]))
        // As rows they are equal, as values they are not.
        var (old, new) = (nil as Set<Int>?, [] as Set<Int>?)
        let codec = try #require(try CollectionCodec.codec(for: Set<Int>?.self)?.get() as? CollectionCodec)
        Address.with(&old) { old in
            Address.with(&new) { new in
                codec.forEachDifference(old, new) { _, _, _ in Issue.record("no row differs") }
                #expect(!codec.isSame(old, new))
            }
        }
    }
}
