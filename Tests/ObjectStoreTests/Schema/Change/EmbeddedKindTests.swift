import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A structure in each of its stored forms: each form is converted into each other form, with all values.
struct EmbeddedKindTests {
    struct Place: Codable, Equatable, Sendable, HasStart {
        var x = 1
        var label = "?"
        var note: String? = "none"
        static var start: Place { Place() }
    }

    enum Always {
        final class Box: PersistentObject, Holder {
            override class var tableName: String { "kept" }
            @Embedded var value = Place()
            var held: Place {
                get { value }
                set { value = newValue }
            }
        }
        final class Leaf: Family.Root, Holder {
            @Embedded var value = Place()
            var held: Place {
                get { value }
                set { value = newValue }
            }
        }
    }
    enum AlwaysRenamed {
        final class Box: PersistentObject, Holder {
            override class var tableName: String { "kept" }
            @Column("other", renamedFrom: "value") @Embedded var other = Place()
            var held: Place {
                get { other }
                set { other = newValue }
            }
        }
        final class Leaf: Family.Root, Holder {
            @Column("other", renamedFrom: "value") @Embedded var other = Place()
            var held: Place {
                get { other }
                set { other = newValue }
            }
        }
    }
    enum Perhaps {
        final class Box: PersistentObject, Holder {
            override class var tableName: String { "kept" }
            @Embedded var value: Place?
            var held: Place? {
                get { value }
                set { value = newValue }
            }
        }
        final class Leaf: Family.Root, Holder {
            @Embedded var value: Place?
            var held: Place? {
                get { value }
                set { value = newValue }
            }
        }
    }
    enum PerhapsRenamed {
        final class Box: PersistentObject, Holder {
            override class var tableName: String { "kept" }
            @Column("other", renamedFrom: "value") @Embedded var other: Place? = nil
            var held: Place? {
                get { other }
                set { other = newValue }
            }
        }
        final class Leaf: Family.Root, Holder {
            @Column("other", renamedFrom: "value") @Embedded var other: Place? = nil
            var held: Place? {
                get { other }
                set { other = newValue }
            }
        }
    }
    enum Family {
        class Root: PersistentObject {
            override class var tableName: String { "kept" }
            var number = 0
        }
    }

    private static let places = [Place(), Place(x: 10, label: "ten", note: nil), Place(x: -1, label: "", note: "n")]
    private static let perhaps: [Place?] = [nil] + places

    private func toRequired<From: Holder, To: Holder>(_ from: From.Type, _ to: To.Type) throws where To.Held == Place {
        if Place.self == From.Held.self, let values = Self.places as? [From.Held] {
            try StorageKinds.change(values, from, to, Self.places)
        }
        if Place?.self == From.Held.self, let values = Self.perhaps as? [From.Held] {
            try StorageKinds.change(values, from, to, Self.perhaps.map { $0 ?? Place() })
        }
    }

    private func toOptional<From: Holder, To: Holder>(_ from: From.Type, _ to: To.Type) throws where To.Held == Place? {
        if Place.self == From.Held.self, let values = Self.places as? [From.Held] {
            try StorageKinds.change(values, from, to, Self.places.map { $0 })
        }
        if Place?.self == From.Held.self, let values = Self.perhaps as? [From.Held] {
            try StorageKinds.change(values, from, to, Self.perhaps)
        }
    }

    private func change<From: Holder>(root from: From.Type) throws {
        try toRequired(from, Always.Box.self)
        try toRequired(from, AlwaysRenamed.Box.self)
        try toRequired(from, Kept<Place>.Box.self)
        try toRequired(from, RenamedBox<Place>.Box.self)
        try toOptional(from, Perhaps.Box.self)
        try toOptional(from, PerhapsRenamed.Box.self)
        try toOptional(from, Kept<Place?>.Box.self)
        try toOptional(from, RenamedBox<Place?>.Box.self)
    }

    private func change<From: Holder>(leaf from: From.Type) throws {
        try toRequired(from, Always.Leaf.self)
        try toRequired(from, AlwaysRenamed.Leaf.self)
        try toRequired(from, Kept<Place>.Leaf.self)
        try toRequired(from, KeptRenamed<Place>.Leaf.self)
        try toOptional(from, Perhaps.Leaf.self)
        try toOptional(from, PerhapsRenamed.Leaf.self)
        try toOptional(from, Kept<Place?>.Leaf.self)
        try toOptional(from, KeptRenamed<Place?>.Leaf.self)
    }

    @Test func `an embedded value is converted into each other form with all its values`() throws {
        try change(root: Always.Box.self)
        try change(leaf: Always.Leaf.self)
    }

    @Test func `an optional embedded value is converted into each other form, including nil`() throws {
        try change(root: Perhaps.Box.self)
        try change(leaf: Perhaps.Leaf.self)
    }

    @Test func `a JSON value is converted into each other form with all its values`() throws {
        try change(root: Kept<Place>.Box.self)
        try change(leaf: Kept<Place>.Leaf.self)
        try change(root: Kept<Place?>.Box.self)
        try change(leaf: Kept<Place?>.Leaf.self)
    }

    @Test func `a value that the new type cannot represent is refused before any change`() throws {
        let (embedded, elements) = ("is embedded in columns", "its elements are in table")
        try StorageKinds.refuse(Self.places, Always.Box.self, Kept<Int>.Box.self, row: 1, embedded)
        try StorageKinds.refuse(Self.perhaps, Perhaps.Leaf.self, Kept<String>.Leaf.self, row: 2, embedded)
        try StorageKinds.refuse(Self.places, Always.Leaf.self, Kept<[Int]>.Leaf.self, row: 1, embedded)
        try StorageKinds.refuse(Self.perhaps, Perhaps.Box.self, Kept<[Place]?>.Box.self, row: 2, embedded)
        try StorageKinds.refuse([[], [1]], Kept<[Int]>.Box.self, Always.Box.self, row: 2, elements)
        try StorageKinds.refuse([[1], nil], Kept<[Int]?>.Leaf.self, Perhaps.Leaf.self, row: 1, elements)
        try StorageKinds.refuse([7], Kept<Int>.Box.self, Always.Box.self, row: 1, "")
        try StorageKinds.change([nil, nil], Kept<Int?>.Box.self, Always.Box.self, [Place(), Place()])
        try StorageKinds.change([nil], Perhaps.Box.self, Kept<Int>.Box.self, [0])
    }

    @Test func `a JSON document in a string becomes an embedded value`() throws {
        try StorageKinds.change(
            [#"{"x":5,"label":"five"}"#], Kept<String>.Box.self, Always.Box.self,
            [Place(x: 5, label: "five", note: nil)])
    }
}
