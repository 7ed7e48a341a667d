import Foundation
import PersistentObjects

/// A class whose property has a type of its own in each version.
protocol ShapeBox: PersistentObject {
    associatedtype Value: ShapeValue
    var tag: Int { get set }
    /// The property.
    static var held: ReferenceWritableKeyPath<Self, Value> { get }
}

/// The classes that have one type of property. In a generic enumeration they have one name for all types; a class that
/// is generic itself would have its arguments in its name.
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
