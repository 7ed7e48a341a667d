import Foundation
import PersistentObjects

/// A class whose property has a different type in each version.
protocol ShapeBox: PersistentObject {
    associatedtype Value: ShapeValue
    var tag: Int { get set }
    /// The property.
    static var held: ReferenceWritableKeyPath<Self, Value> { get }
}

/// The classes with one type of property. They are nested in a generic enumeration, because the name of a generic class
/// would contain its arguments.
enum Plain<V: ShapeValue> {
    final class Box: PersistentObject, ShapeBox {
        override class var tableName: String { "box" }
        var tag = 0
        var v = V.start
        static var held: ReferenceWritableKeyPath<Box, V> { \.v }
    }
}

enum Renamed<V: ShapeValue> {
    final class Box: PersistentObject, ShapeBox {
        override class var tableName: String { "box" }
        var tag = 0
        @Column("w", renamedFrom: "v") var w = V.start
        static var held: ReferenceWritableKeyPath<Box, V> { \.w }
    }
}

enum Below<V: ShapeValue> {
    class Root: PersistentObject {
        override class var tableName: String { "box" }
        var tag = 0
    }

    final class Box: Root, ShapeBox {
        var v = V.start
        static var held: ReferenceWritableKeyPath<Box, V> { \.v }
    }
}

enum RenamedBelow<V: ShapeValue> {
    class Root: PersistentObject {
        override class var tableName: String { "box" }
        var tag = 0
    }

    final class Box: Root, ShapeBox {
        @Column("w", renamedFrom: "v") var w = V.start
        static var held: ReferenceWritableKeyPath<Box, V> { \.w }
    }
}

// MARK: Embedded

enum PlainEmbedded<V: ShapeValue> {
    final class Box: PersistentObject, ShapeBox {
        override class var tableName: String { "box" }
        var tag = 0
        @Embedded var v = V.start
        static var held: ReferenceWritableKeyPath<Box, V> { \.v }
    }
}

enum RenamedEmbedded<V: ShapeValue> {
    final class Box: PersistentObject, ShapeBox {
        override class var tableName: String { "box" }
        var tag = 0
        @Column("w", renamedFrom: "v") @Embedded var w = V.start
        static var held: ReferenceWritableKeyPath<Box, V> { \.w }
    }
}

enum BelowEmbedded<V: ShapeValue> {
    class Root: PersistentObject {
        override class var tableName: String { "box" }
        var tag = 0
    }

    final class Box: Root, ShapeBox {
        @Embedded var v = V.start
        static var held: ReferenceWritableKeyPath<Box, V> { \.v }
    }
}

enum RenamedBelowEmbedded<V: ShapeValue> {
    class Root: PersistentObject {
        override class var tableName: String { "box" }
        var tag = 0
    }

    final class Box: Root, ShapeBox {
        @Column("w", renamedFrom: "v") @Embedded var w = V.start
        static var held: ReferenceWritableKeyPath<Box, V> { \.w }
    }
}
