import TestSupport
import Testing

@testable import PersistentObjects

/// Names that are swapped, or reused for another property, among collections, values and embedded values.
struct StorageExchangeTests {
    struct Spot: Codable, Equatable, Sendable {
        var x = 0
        var y: Double?
    }

    enum First {
        final class Box: PersistentObject {
            var a: Set<Int> = []
            var b: Set<Int> = []
            var c: [String]?
            var d = 4
            var e: String?
            var f = 0
            @Embedded var g = Spot()
            @Embedded var h: Spot?
        }
    }

    /// All names are swapped: two collections, a value and an optional collection, two values of which one becomes a
    /// collection, two embedded values.
    enum Exchanged {
        final class Box: PersistentObject {
            @Column("b", renamedFrom: "a") var b: Set<Int> = []
            @Column("a", renamedFrom: "b") var a: Set<Int> = []
            @Column("d", renamedFrom: "c") var d: [String]? = nil
            @Column("c", renamedFrom: "d") var c = 4
            @Column("f", renamedFrom: "e") var f: [Int] = []
            @Column("e", renamedFrom: "f") var e = 0
            @Column("h", renamedFrom: "g") @Embedded var h = Spot()
            @Column("g", renamedFrom: "h") @Embedded var g: Spot? = nil
        }
    }

    /// The names are swapped, and each property has another kind or type.
    enum Converted {
        final class Box: PersistentObject {
            @Column("b", renamedFrom: "a") var b: [String]? = nil
            @Column("a", renamedFrom: "b") var a: Int? = nil
            @Column("d", renamedFrom: "c") var d: String? = nil
            @Column("c", renamedFrom: "d") var c: [String]? = nil
            @Column("f", renamedFrom: "e") var f: [Int]? = nil
            @Column("e", renamedFrom: "f") var e: Set<String> = []
            @Column("h", renamedFrom: "g") var h: Spot? = nil
            @Column("g", renamedFrom: "h") var g = Spot(x: -1)
        }
    }

    /// Each old name is used for a new property.
    enum Taken {
        final class Box: PersistentObject {
            @Column("p", renamedFrom: "a") var p: [Int] = []
            @Column("q", renamedFrom: "b") var q: Int? = nil
            @Column("r", renamedFrom: "c") var r: String? = nil
            @Column("s", renamedFrom: "d") var s: [Int] = []
            @Column("t", renamedFrom: "g") var t: Spot? = nil
            var a: Set<Int> = [9]
            var b: [Int] = []
            var c = "new"
            var d = "new"
            var g = "new"
            var e: String?
            var f = 0
            @Embedded var h: Spot?
        }
    }

    private func fill(_ file: TemporaryStore) throws {
        try StorageKinds.open(file) { store in
            try store.withSession { session throws in
                let (one, other) = (First.Box(), First.Box())
                (one.a, one.b, one.c, one.d, one.e, one.f) = ([1, 2], [3], ["x"], 42, "414", 240)
                (one.g, one.h) = (Spot(x: 5, y: nil), Spot(x: 6, y: 1.5))
                other.a = [7]
                try session.save([one, other])
            }
        }
    }

    private func check<T: PersistentObject>(_ file: TemporaryStore, _: T.Type, _ body: ([T]) -> Void) throws {
        try StorageKinds.open(file) { store in
            let plan = try store.schemaPlan(for: T.self)
            expect(plan.losses, [])
            try store.run(plan)
            let left = try store.schemaPlan(for: T.self)
            #expect(left.isEmpty, "\(left)")
        }
        for _ in 0..<2 {
            try StorageKinds.open(file) { store in
                try store.withSession { _ throws in body(try T.query.order(by: \.id).all()) }
                let problems = try store.checkIntegrity().problems
                #expect(problems.isEmpty, "\(problems)")
            }
        }
        try expect(
            file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'po_old%' OR name LIKE 'po_former%'"), "0")
        try expect(file.sqlite("SELECT count(*) FROM pragma_table_info('box') WHERE name LIKE 'po_%'"), "0")
    }

    @Test func `swapped names of collections, values and embedded values keep each property's values`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try check(file, Exchanged.Box.self) { boxes in
            expect(boxes.map(\.b), [[1, 2], [7]])
            expect(boxes.map(\.a), [[3], []])
            expect(boxes.map(\.d), [["x"], nil])
            expect(boxes.map(\.c), [42, 4])
            expect(boxes.map(\.f), [[414], []])
            expect(boxes.map(\.e), [240, 0])
            expect(boxes.map(\.h), [Spot(x: 5, y: nil), Spot()])
            expect(boxes.map(\.g), [Spot(x: 6, y: 1.5), nil])
        }
    }

    @Test func `swapping names and changing types at the same time converts all values`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try check(file, Converted.Box.self) { boxes in
            expect(boxes.map(\.b), [["1", "2"], ["7"]])
            expect(boxes.map(\.a), [3, nil])
            expect(boxes.map(\.d), ["x", nil])
            expect(boxes.map(\.c), [["42"], ["4"]])
            expect(boxes.map(\.f), [[414], nil])
            expect(boxes.map(\.e), [["240"], ["0"]])
            expect(boxes.map(\.h), [Spot(x: 5, y: nil), Spot()])
            expect(boxes.map(\.g), [Spot(x: 6, y: 1.5), Spot(x: -1)])
        }
    }

    @Test func `a new property with the former name of another gets none of its values`() throws {
        let file = try TemporaryStore()
        try fill(file)
        try check(file, Taken.Box.self) { boxes in
            expect(boxes.map(\.p), [[1, 2], [7]])
            expect(boxes.map(\.q), [3, nil])
            expect(boxes.map(\.r), ["x", nil])
            expect(boxes.map(\.s), [[42], [4]])
            expect(boxes.map(\.t), [Spot(x: 5, y: nil), Spot()])
            expect(boxes.map(\.b), [[], []])
            expect(boxes.map(\.c), ["new", "new"])
            expect(boxes.map(\.d), ["new", "new"])
            expect(boxes.map(\.g), ["new", "new"])
            expect(boxes.map(\.h), [Spot(x: 6, y: 1.5), nil])
        }
    }
}

/// A hierarchy whose property names were swapped.
struct ExchangedHierarchyTests {
    enum First {
        class Root: PersistentObject {
            override class var tableName: String { "exchanged" }
            var a = 1
            var b = 2
            var c: [Int] = []
            var d: [Int] = []
        }
        final class Leaf: Root { var z = 0 }
    }

    enum Exchanged {
        class Root: PersistentObject {
            override class var tableName: String { "exchanged" }
            @Column("b", renamedFrom: "a") var b = 1
            @Column("a", renamedFrom: "b") var a = 2
            @Column("d", renamedFrom: "c") var d: [Int] = []
            @Column("c", renamedFrom: "d") var c: [Int] = []
        }
        final class Leaf: Root { var z = 0 }
        final class New: Root { var y = 0 }
        final class Newer: Root {
            override class var formerNames: [String] { ["Leaf"] }
            var z = 0
        }
    }

    enum Renamed {
        class Trunk: PersistentObject {
            override class var tableName: String { "exchanged" }
            override class var formerNames: [String] { ["Root"] }
            @Column("b", renamedFrom: "a") var b = 1
            @Column("a", renamedFrom: "b") var a = 2
            @Column("d", renamedFrom: "c") var d: [Int] = []
            @Column("c", renamedFrom: "d") var c: [Int] = []
        }
        final class Newest: Trunk {
            override class var formerNames: [String] { ["Newer", "Leaf"] }
            var z = 0
        }
    }

    @Test func `after a swap, subclasses can be added and renamed, and the root too`() throws {
        let file = try TemporaryStore()
        try StorageKinds.open(file) { store in
            try store.withSession { session throws in
                let (root, leaf) = (First.Root(), First.Leaf())
                (root.a, root.b, root.c, root.d) = (10, 20, [1], [2])
                (leaf.a, leaf.b, leaf.c, leaf.d, leaf.z) = (11, 21, [3], [4], 5)
                try session.save([root, leaf])
            }
        }
        func check(_ classes: [PersistentObject.Type]) throws {
            try StorageKinds.open(file) { store in
                try store.prepare(classes)
                try store.withSession { session throws in
                    let rows = try session.rows("SELECT a, b FROM exchanged ORDER BY id").map { "\($0)" }
                    expect(rows, ["[a: 20, b: 10]", "[a: 21, b: 11]"])
                    let elements = try session.rows(
                        "SELECT c.value AS c, d.value AS d FROM exchanged_c c JOIN exchanged_d d USING (owner_id) ORDER BY 1"
                    ).map { "\($0)" }
                    expect(elements, ["[c: 2, d: 1]", "[c: 4, d: 3]"])
                }
            }
        }
        try check([Exchanged.Root.self, Exchanged.Leaf.self])
        try check([Exchanged.Root.self, Exchanged.Leaf.self, Exchanged.New.self])
        try check([Exchanged.Root.self, Exchanged.Newer.self, Exchanged.New.self])
        try check([Renamed.Trunk.self, Renamed.Newest.self])
    }

    enum Apart {
        class Root: PersistentObject {
            override class var tableName: String { "apart_root" }
            var number = 0
        }
        final class Item: Root {
            var a: [Int]?
            var b: Set<String> = []
            var c = 1
            var d = 2
        }
    }

    enum Together {
        final class Item: PersistentObject {
            override class var tableName: String { "apart_item" }
            @Column("b", renamedFrom: "a") var b: [Int]? = nil
            @Column("a", renamedFrom: "b") var a: Set<String> = []
            @Column("d", renamedFrom: "c") var d = 1
            @Column("c", renamedFrom: "d") var c = 2
        }
    }

    enum Between {
        class Root: PersistentObject {
            override class var tableName: String { "apart_root" }
            var number = 0
        }
        final class Item: Root {
            @Column("b", renamedFrom: "a") var b: [Int]? = nil
            @Column("a", renamedFrom: "b") var a: Set<String> = []
            @Column("d", renamedFrom: "c") var d = 1
            @Column("c", renamedFrom: "d") var c = 2
        }
    }

    private func apart() throws -> TemporaryStore {
        let file = try TemporaryStore()
        try StorageKinds.open(file) { store in
            try store.withSession { session throws in
                let (one, other) = (Apart.Item(), Apart.Item())
                (one.a, one.b, one.c, one.d) = ([1, 2], ["x"], 3, 4)
                try session.save([one, other])
            }
        }
        return file
    }

    @Test func `a class that gets its own table keeps names that were swapped before`() throws {
        let file = try apart()
        try StorageKinds.open(file) { try $0.prepare(Between.Root.self, Between.Item.self) }
        for _ in 0..<2 {
            try StorageKinds.open(file) { store in
                try store.prepare(Between.Root.self, Together.Item.self)
                try store.withSession { _ throws in
                    let all = try Together.Item.query.order(by: \.id).all()
                    expect(all.map(\.b), [[1, 2], nil])
                    expect(all.map(\.a), [["x"], []])
                    expect(all.map(\.d), [3, 1])
                    expect(all.map(\.c), [4, 2])
                }
                let problems = try store.checkIntegrity().problems
                #expect(problems.isEmpty, "\(problems)")
            }
        }
    }

    @Test func `a class that gets its own table cannot swap names in the same version`() throws {
        let file = try apart()
        let before = try file.sqlite(".dump")
        let error = #expect(throws: SchemaError.self) {
            try StorageKinds.open(file) { try $0.prepare(Between.Root.self, Together.Item.self) }
        }
        #expect(error?.description.contains("exchange names in the same version") == true)
        try expect(file.sqlite(".dump"), before)
    }

    @Test func `a class that gets its own table can use the name of a value for a collection`() throws {
        enum Moved {
            final class Item: PersistentObject {
                override class var tableName: String { "apart_item" }
                @Column("c", renamedFrom: "b") var c: Set<String> = []
                @Column("d", renamedFrom: "a") var d: [Int]? = nil
                @Column("e", renamedFrom: "c") var e = 1
                @Column("f", renamedFrom: "d") var f = 2
            }
        }
        let file = try apart()
        try StorageKinds.open(file) { store in
            try store.prepare(Between.Root.self, Moved.Item.self)
            try store.withSession { _ throws in
                let all = try Moved.Item.query.order(by: \.id).all()
                expect(all.map(\.c), [["x"], []])
                expect(all.map(\.d), [[1, 2], nil])
                expect(all.map(\.e), [3, 1])
                expect(all.map(\.f), [4, 2])
            }
            let problems = try store.checkIntegrity().problems
            #expect(problems.isEmpty, "\(problems)")
            try expect(store.schemaPlan(for: Moved.Item.self).isEmpty, true)
        }
    }
}
