import TestSupport
import Testing

@testable import PersistentObjects

/// The patches of long lists, next to a sorted list that is made again.
@Suite struct ListPatchTests {
    /// A row with the value that the list is ordered by.
    private typealias Rows = [Int64: Int]

    private func sorted(_ rows: Rows, limit: Int?) -> [Int64] {
        let all = rows.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        return limit.map { Array(all.prefix($0)) } ?? all
    }

    /// The list after the update that a difference describes.
    private func applied(_ difference: ListDifference, to old: [Int64], new: [Int64]) -> [Int64] {
        var list = old
        for place in (difference.deleted + difference.moved.map(\.from)).sorted(by: >) { list.remove(at: place) }
        for place in (difference.inserted + difference.moved.map(\.to)).sorted() { list.insert(new[place], at: place) }
        return list
    }

    @Test(arguments: SeededGenerator.seeds(10))
    func `a patched list equals a list that is read again`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        var cutCount = 0
        for round in 0..<400 {
            let limit = number(2) == 0 ? nil : number(12) + 1
            var rows: Rows = [:]
            for _ in 0..<number(20) { rows[Int64(number(30))] = number(6) }
            let old = sorted(rows, limit: limit)
            var written: Set<Int64> = []
            for _ in 0..<number(12) {
                let id = Int64(number(30))
                written.insert(id)
                rows[id] = number(3) == 0 ? nil : number(6)
            }
            let new = sorted(rows, limit: limit)
            var patch = ListPatch(old, written: written)
            for id in sorted(rows.filter { written.contains($0.key) }, limit: nil) {
                let place = patch.unwritten.firstIndex { other in
                    (rows[id] ?? 0, id) < (rows[other] ?? 0, other)
                }
                patch.insert(id, at: place ?? patch.unwritten.count)
            }
            if let limit, !patch.cut(to: limit) {
                // Rows that the list did not contain may follow.
                cutCount += 1
                expect(old.count, limit)
                continue
            }
            let comment: Comment = "round \(round) of seed \(seed)"
            expect(patch.new, new, comment)
            expect(patch.keepsList, old == new, comment)
            var texts = old.map { "\($0)" }
            patch.apply(to: &texts) { "\($0)" }
            expect(texts, new.map { "\($0)" }, comment)
            let (difference, changed) = patch.difference
            expect(applied(difference, to: old, new: new), new, comment)
            let both = new.indices.filter { written.contains(new[$0]) && old.contains(new[$0]) }
            expect(changed, both, comment)
            if old == new { #expect(difference.moved.isEmpty && difference.deleted.isEmpty, comment) }
        }
        #expect(cutCount > 0)
    }
}
