import TestSupport
import Testing

@testable import PersistentObjects

/// Finding by a list of ids returns the objects in the order of the list, however the rows are read.
struct FindListTests {
    final class Stone: PersistentObject {
        override class var tableName: String { "stone" }
        var weight = 0
    }

    final class Shell: PersistentObject {
        override class var tableName: String { "shell" }
        var weight = 0
        var stone: Stone?
    }

    /// A random list of ids, some without a row: adjacent ids, ids far apart, sorted or not, with or without
    /// duplicates.
    private static func list(_ random: inout SeededGenerator) -> [Int64] {
        let width = [8, 40, 400].randomElement(using: &random) ?? 8
        let ids = (0..<Int.random(in: 0...30, using: &random)).map { _ in
            Int64.random(in: -2...Int64(width), using: &random)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return ids.sorted()
        case 1: return Array(Set(ids)).sorted()
        case 2: return [.min] + ids + [.max]
        default: return ids
        }
    }

    @Test(arguments: SeededGenerator.seeds(30))
    func `each id of the list has its object, as often as the list contains it`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let stones = (1...400).map { number in
                    let stone = Stone()
                    stone.weight = number
                    return stone
                }
                let shells = stones.map { stone in
                    let shell = Shell()
                    shell.weight = stone.weight
                    shell.stone = stone
                    return shell
                }
                try session.save(shells)
                for shell in shells where shell.weight.isMultiple(of: 7) { try shell.delete() }
            }
            try store.withSession { _ throws in
                var held: [PersistentObject] = []
                for _ in 0..<8 {
                    let ids = Self.list(&random)
                    let there = ids.filter { (1...400).contains($0) }
                    let stones = try Stone.find(ids)
                    #expect(stones.map(\.rowID) == there && stones.allSatisfy { $0.weight == Int($0.rowID) })
                    let shells = try Shell.find(ids)
                    #expect(shells.map(\.rowID) == there.filter { !$0.isMultiple(of: 7) })
                    #expect(shells.allSatisfy { $0.stone?.weight == $0.weight && !$0.hasChanges })
                    #expect(try Shell.find(ids).elementsEqual(shells, by: ===))
                    held += stones.prefix(3).map { $0 as PersistentObject } + shells.suffix(2)
                }
                withExtendedLifetime(held) {}
            }
        }
    }
}
