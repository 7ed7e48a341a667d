import Foundation
import PersistentObjects

/// A class and its subclass.
enum Together<A: ShapeValue, B: ShapeValue, C: ShapeValue, O: ChainOptions> {
    class Root: PersistentObject, Chained {
        override class var tableName: String { "root" }
        override class var keepsHistory: Bool { O.keepsHistory }
        override class var identity: Identity { O.identity }
        var tag = 0
        var a = A.start
        var c = C.start
        var cells: [String: Content] { ["a": a.content, "c": c.content] }
        func fill(_ random: inout ModelRandom) { (a, c) = (.chained(&random), .chained(&random)) }
    }

    final class Item: Root {
        var b = B.start
        override var cells: [String: Content] { super.cells.merging(["b": b.content]) { one, _ in one } }
        override func fill(_ random: inout ModelRandom) {
            super.fill(&random)
            b = .chained(&random)
        }
    }
}

/// Two classes with separate tables.
enum Apart<A: ShapeValue, B: ShapeValue, C: ShapeValue, O: ChainOptions> {
    final class Root: PersistentObject, Chained {
        override class var tableName: String { "root" }
        override class var keepsHistory: Bool { O.keepsHistory }
        override class var identity: Identity { O.identity }
        var tag = 0
        var a = A.start
        var c = C.start
        var cells: [String: Content] { ["a": a.content, "c": c.content] }
        func fill(_ random: inout ModelRandom) { (a, c) = (.chained(&random), .chained(&random)) }
    }

    final class Item: PersistentObject, Chained {
        override class var tableName: String { "item" }
        override class var keepsHistory: Bool { O.keepsHistory }
        override class var identity: Identity { O.identity }
        var tag = 0
        var b = B.start
        var cells: [String: Content] { ["b": b.content] }
        func fill(_ random: inout ModelRandom) { b = .chained(&random) }
    }
}

/// The subclass's property has moved to its superclass.
enum Above<A: ShapeValue, B: ShapeValue, C: ShapeValue, O: ChainOptions> {
    class Root: PersistentObject, Chained {
        override class var tableName: String { "root" }
        override class var keepsHistory: Bool { O.keepsHistory }
        override class var identity: Identity { O.identity }
        var tag = 0
        var a = A.start
        var b = B.start
        var c = C.start
        var cells: [String: Content] { ["a": a.content, "b": b.content, "c": c.content] }
        func fill(_ random: inout ModelRandom) {
            (a, b, c) = (.chained(&random), .chained(&random), .chained(&random))
        }
    }

    final class Item: Root {}
}

/// Columns and the subclass have new names.
enum BelowRenamed<A: ShapeValue, B: ShapeValue, C: ShapeValue, O: ChainOptions> {
    class Root: PersistentObject, Chained {
        override class var tableName: String { "root" }
        override class var keepsHistory: Bool { O.keepsHistory }
        override class var identity: Identity { O.identity }
        var tag = 0
        @Column("x", renamedFrom: "a") var x = A.start
        @Column("z", renamedFrom: "c") var z = C.start
        var cells: [String: Content] { ["x": x.content, "z": z.content] }
        func fill(_ random: inout ModelRandom) { (x, z) = (.chained(&random), .chained(&random)) }
    }

    final class Thing: Root {
        override class var formerNames: [String] { ["Item"] }
        @Column("y", renamedFrom: "b") var y = B.start
        override var cells: [String: Content] { super.cells.merging(["y": y.content]) { one, _ in one } }
        override func fill(_ random: inout ModelRandom) {
            super.fill(&random)
            y = .chained(&random)
        }
    }
}

/// Two columns have exchanged their names.
enum BelowExchanged<A: ShapeValue, B: ShapeValue, C: ShapeValue, O: ChainOptions> {
    class Root: PersistentObject, Chained {
        override class var tableName: String { "root" }
        override class var keepsHistory: Bool { O.keepsHistory }
        override class var identity: Identity { O.identity }
        var tag = 0
        @Column("a", renamedFrom: "c") var a = A.start
        @Column("c", renamedFrom: "a") var c = C.start
        var cells: [String: Content] { ["a": a.content, "c": c.content] }
        func fill(_ random: inout ModelRandom) { (a, c) = (.chained(&random), .chained(&random)) }
    }

    final class Item: Root {
        var b = B.start
        override var cells: [String: Content] { super.cells.merging(["b": b.content]) { one, _ in one } }
        override func fill(_ random: inout ModelRandom) {
            super.fill(&random)
            b = .chained(&random)
        }
    }
}
