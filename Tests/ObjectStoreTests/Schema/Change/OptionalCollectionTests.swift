import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Collections that become optional or required, and renamed collections.
struct OptionalCollectionTests {
    enum Letter: String, Codable { case a, b }

    @Test func `a collection that becomes optional keeps its elements, also with another name or type`() throws {
        try StorageKinds.change(all: [[1, 2], []], to: [[1, 2], []] as [[Int]?])
        try StorageKinds.change(all: [[1, 2], []], to: [["1", "2"], []] as [[String]?])
        try StorageKinds.change(all: [[2, 1], []], to: [Set([1, 2]), []] as [Set<Int>?])
        try StorageKinds.change(all: [["a": 1], [:]], to: [["a": 1.0], [:]] as [[String: Double]?])
    }

    @Test func `an optional collection that becomes required is empty if it was nil`() throws {
        try StorageKinds.change(all: [[1, 2], [], nil] as [[Int]?], to: [[1, 2], [], []])
        try StorageKinds.change(all: [[1, 2], nil] as [[Int]?], to: [["1", "2"], []])
        try StorageKinds.change(all: [["a"], nil] as [Set<String>?], to: [["a"], []] as [[String]])
    }

    @Test func `a renamed optional collection keeps nil and its elements, also as another kind`() throws {
        try StorageKinds.change(all: [[1, 2], [], nil] as [[Int]?], to: [[1, 2], [], nil] as [[Int]?])
        try StorageKinds.change(
            all: [[1, 2], [], nil] as [[Int]?], to: [Set(["1", "2"]), [], nil] as [Set<String>?])
    }

    @Test func `one element becomes a value, and a value one element, optional or required`() throws {
        try StorageKinds.change(all: [[4], [], nil] as [[Int]?], to: [4.0, 3.5, 3.5])
        try StorageKinds.change(all: [[4], [], nil] as [[Int]?], to: [4, nil, nil] as [Int?])
        try StorageKinds.change(all: [[4], []], to: [4.0, 3.5])
        try StorageKinds.change(all: [[4], []], to: [4, nil] as [Int?])
        try StorageKinds.change(all: [4, 5], to: [[4], [5]] as [[Int]?])
        try StorageKinds.change(all: [4, nil] as [Int?], to: [["4"], nil] as [[String]?])
        try StorageKinds.change(all: [4, nil] as [Int?], to: [["4"], []])
    }

    @Test func `the nil of a collection is not restored in rows that another version wrote since`() throws {
        let file = try TemporaryStore()
        try StorageKinds.fill(file, [[1], nil], Kept<[Int]?>.Box.self)
        try StorageKinds.fill(file, [[2], []], Kept<[Int]>.Box.self)
        try StorageKinds.open(file) { store in
            try store.takeBack(Kept<[Int]?>.Box.self)
            try store.withSession { _ throws in
                let boxes = try Kept<[Int]?>.Box.query.order(by: \.id).all()
                expect(boxes.map(\.value), [[1], [], [2], []])
                boxes[0].value?.append(9)
                try boxes[0].save()
            }
            try expect(store.checkIntegrity().problems.isEmpty, true)
        }
        try expect(file.sqlite("SELECT group_concat(value) FROM kept_value WHERE owner_id = 1"), "1,9")
    }

    @Test func `elements of a renamed collection are checked and converted`() throws {
        try StorageKinds.change(all: [["a", "b"], []], to: [[.a, .b], []] as [[Letter]])
        try StorageKinds.refuse(all: [["a"], ["x"]], to: [Letter].self, row: 2, "Letter")
        try StorageKinds.refuse(all: [[1], [7]], to: [Bool].self, row: 2, "")
        try StorageKinds.refuse(all: [[1.5]], to: [Date].self, row: 1, "does not state its epoch")
        try StorageKinds.refuse(all: [["x": Decimal(2)], ["y": Decimal(1) / 3]], to: [String: Int].self, row: 2, "")
    }

    @Test func `a conversion that would drop keys or nil elements is refused`() throws {
        try StorageKinds.refuse(all: [[:], ["tea": 3, "cake": 5]], to: Set<Int>.self, row: 2, "a set would lose them")
        try StorageKinds.refuse(all: [["rent": 700]], to: Int.self, row: 1, "would lose it")
        try StorageKinds.refuse(all: [[7: "a"]], to: String?.self, row: 1, "would lose it")
        try StorageKinds.refuse(all: [[], [nil]] as [[Int?]], to: Int.self, row: 2, "is nil")
        try StorageKinds.refuse(all: [[nil]] as [[Int?]], to: Int?.self, row: 1, "is nil")
        try StorageKinds.change(all: [[0: "a"], [:]], to: ["a", "new"])
        try StorageKinds.change(all: [[0: "a", 1: "b"], [:]], to: [["a", "b"], []] as [Set<String>])
    }

    @Test func `a subclass's collection that becomes a required value gets the initial value if it is empty`() throws {
        let file = try TemporaryStore()
        try StorageKinds.fill(file, [[], [7]], Kept<[Int]>.Leaf.self)
        try StorageKinds.open(file) { store in
            try store.prepare(Kept<Double>.Root.self, Kept<Double>.Leaf.self)
            try store.withSession { _ throws in
                let all = try Kept<Double>.Root.query.order(by: \.id).all()
                expect(all.compactMap { ($0 as? Kept<Double>.Leaf)?.value }, [3.5, 7])
            }
            try expect(store.schemaPlan(for: Kept<Double>.Leaf.self).isEmpty, true)
        }
    }
}
