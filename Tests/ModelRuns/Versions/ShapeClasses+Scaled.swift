import Foundation
import PersistentObjects

/// The classes with a decimal number of two decimal places. They are not generic, because the wrapper has only two
/// types.
enum PlainScaled {
    final class Box: PersistentObject, ShapeBox {
        override class var tableName: String { "box" }
        var tag = 0
        @Column(scale: 2) var v = Decimal(4)
        static var held: ReferenceWritableKeyPath<Box, Decimal> { \.v }
    }
}

enum RenamedScaled {
    final class Box: PersistentObject, ShapeBox {
        override class var tableName: String { "box" }
        override class var formerColumns: [String: [String]] { ["w": ["v"]] }
        var tag = 0
        @Column(scale: 2) var w = Decimal(4)
        static var held: ReferenceWritableKeyPath<Box, Decimal> { \.w }
    }
}

enum BelowScaled {
    class Root: PersistentObject {
        override class var tableName: String { "box" }
        var tag = 0
    }

    final class Box: Root, ShapeBox {
        @Column(scale: 2) var v = Decimal(4)
        static var held: ReferenceWritableKeyPath<Box, Decimal> { \.v }
    }
}

enum RenamedBelowScaled {
    class Root: PersistentObject {
        override class var tableName: String { "box" }
        var tag = 0
    }

    final class Box: Root, ShapeBox {
        override class var formerColumns: [String: [String]] { ["w": ["v"]] }
        @Column(scale: 2) var w = Decimal(4)
        static var held: ReferenceWritableKeyPath<Box, Decimal> { \.w }
    }
}

enum PlainOptionalScaled {
    final class Box: PersistentObject, ShapeBox {
        override class var tableName: String { "box" }
        var tag = 0
        @Column(scale: 2) var v: Decimal?
        static var held: ReferenceWritableKeyPath<Box, Decimal?> { \.v }
    }
}

enum RenamedOptionalScaled {
    final class Box: PersistentObject, ShapeBox {
        override class var tableName: String { "box" }
        override class var formerColumns: [String: [String]] { ["w": ["v"]] }
        var tag = 0
        @Column(scale: 2) var w: Decimal?
        static var held: ReferenceWritableKeyPath<Box, Decimal?> { \.w }
    }
}

enum BelowOptionalScaled {
    class Root: PersistentObject {
        override class var tableName: String { "box" }
        var tag = 0
    }

    final class Box: Root, ShapeBox {
        @Column(scale: 2) var v: Decimal?
        static var held: ReferenceWritableKeyPath<Box, Decimal?> { \.v }
    }
}

enum RenamedBelowOptionalScaled {
    class Root: PersistentObject {
        override class var tableName: String { "box" }
        var tag = 0
    }

    final class Box: Root, ShapeBox {
        override class var formerColumns: [String: [String]] { ["w": ["v"]] }
        @Column(scale: 2) var w: Decimal?
        static var held: ReferenceWritableKeyPath<Box, Decimal?> { \.w }
    }
}
