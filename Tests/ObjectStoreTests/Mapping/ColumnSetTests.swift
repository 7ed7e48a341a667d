import TestSupport
import Testing

@testable import PersistentObjects

/// Column sets, also of classes with more properties than a word has bits.
struct ColumnSetTests {
    @Test func `columns are inserted and removed one by one, in each word`() {
        let all = [0, 1, 2, 62, 63, 64, 65, 66, 127, 128, 129, 191, 192, 200]
        for gone in all {
            var set = ColumnSet(all)
            set.remove(gone)
            set.remove(gone)
            let left = all.filter { $0 != gone }
            var places: [Int] = []
            set.forEach { places.append($0) }
            #expect(places == left && set == ColumnSet(left.reversed()) && !set.isEmpty)
            expect((0..<260).filter { set.contains($0) }, left)
        }
    }

    @Test func `a set from which all columns were removed equals the empty set, in any order of removal`() {
        let all = [3, 70, 130, 200]
        for first in all {
            var set = ColumnSet(all)
            for place in [first] + all { set.remove(place) }
            #expect(set.isEmpty && set == ColumnSet() && set.hashValue == ColumnSet().hashValue)
            set.remove(70)
            set.insert(70)
            expect(set, ColumnSet([70]))
        }
    }
}
