import TestSupport
import Testing

@testable import PersistentObjects

/// The steps that turn one list into another, as a table view needs them.
struct ListDifferenceTests {
    private func applied(_ difference: ListDifference, _ old: [Int64], _ new: [Int64]) -> [Int64] {
        var list = old
        for place in (difference.deleted + difference.moved.map(\.from)).sorted(by: >) { list.remove(at: place) }
        for place in (difference.inserted + difference.moved.map(\.to)).sorted() {
            list.insert(new[place], at: place)
        }
        return list
    }

    @Test func `a difference contains deletions, insertions, moves and kept elements`() {
        let difference = ListDifference(from: [1, 2, 3, 4], to: [4, 1, 5, 3])
        #expect(difference.deleted == [1] && difference.inserted == [2])
        #expect(difference.moved.map(\.from) == [3] && difference.moved.map(\.to) == [0])
        expect(difference.kept, [0, 1, 3])
        let same = ListDifference(from: [1, 2], to: [1, 2])
        #expect(same.deleted.isEmpty && same.inserted.isEmpty && same.moved.isEmpty && same.kept == [0, 1])
        let none = ListDifference(from: [], to: [])
        #expect(none.kept.isEmpty)
    }

    @Test(arguments: 0..<200) func `the steps produce the new list with the fewest moves`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let all = (0..<Int64.random(in: 0...30, using: &generator)).shuffled(using: &generator)
        let old = all.filter { _ in Bool.random(using: &generator) }
        let new = all.shuffled(using: &generator).filter { _ in Bool.random(using: &generator) }
        let difference = ListDifference(from: old, to: new)
        expect(applied(difference, old, new), new)
        // Swift's own difference also finds the longest common subsequence.
        let (left, right) = (old.filter(Set(new).contains), new.filter(Set(old).contains))
        expect(difference.moved.count, right.difference(from: left).count / 2)
    }
}
