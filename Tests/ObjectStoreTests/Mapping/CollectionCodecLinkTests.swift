import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Codecs of collections of objects: the baseline contains the ids of the objects.
@Suite struct CollectionCodecLinkTests {
    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var name = ""
    }

    private static func with<T>(
        _ value: T, _ body: (any LinkCodec & CollectionCodec, Address) throws -> Void
    )
        throws
    {
        var value = value
        let found = try #require(try CollectionCodec.codec(for: T.self)?.get())
        let codec = try #require(found as? any LinkCodec & CollectionCodec)
        try Address.with(&value) { try body(codec, $0) }
    }

    private static func pets(_ count: Int) throws -> [Pet] {
        let pets = (0..<count).map { _ in Pet() }
        for pet in pets { try pet.save() }
        return pets
    }

    @Test func `an array's image has the ids in order, with duplicates`() throws {
        try withTemporarySession { _, _ in
            let pets = try Self.pets(3)
            try Self.with([pets[2], pets[0], pets[2]]) { codec, field in
                let image = codec.image(field)
                #expect(image == LinkImage(ids: [3, 1, 3]))
                #expect(codec.isSame(field, as: image))
                #expect(!codec.isSame(field, as: LinkImage(ids: [1, 3, 3])))
                #expect(!codec.isSame(field, as: LinkImage(ids: [3, 1])))
                #expect(codec.sendableValue(field) as? [PersistentID<Pet>] == [3, 1, 3].map { PersistentID($0) })
                var seen: [Int64?] = []
                codec.forEachTarget(field) { seen.append($0.id) }
                #expect(seen == [3, 1, 3])
                codec.restore(LinkImage(ids: [1, 9, 2]), into: field) { id in pets.first { $0.id == id } }
                #expect(field[as: [Pet].self] == [pets[0], pets[1]])
                #expect(throws: ValueFault.self) { try codec.encode(field) }
            }
        }
    }

    @Test func `a collection with a new object never equals its image`() throws {
        try withTemporarySession { _, _ in
            let pets = try Self.pets(1) + [Pet()]
            try Self.with(pets) { codec, field in
                expect(codec.image(field).ids, [1, LinkImage.none])
                #expect(!codec.isSame(field, as: codec.image(field)))
                expect(codec.sendableValue(field) as? [PersistentID<Pet>], [PersistentID(1)])
            }
            try Self.with(Set(pets)) { codec, field in #expect(!codec.isSame(field, as: codec.image(field))) }
            try Self.with([1: pets[1]]) { codec, field in #expect(!codec.isSame(field, as: codec.image(field))) }
        }
    }

    @Test func `a set's image has the ids in ascending order`() throws {
        try withTemporarySession { _, _ in
            let pets = try Self.pets(20)
            try Self.with(Set(pets.shuffled())) { codec, field in
                let image = codec.image(field)
                #expect(image.ids == Array(1...20) && codec.isSame(field, as: image))
                #expect(!codec.isSame(field, as: LinkImage(ids: Array(2...21))))
                expect(codec.sendableIDs(image) as? Set<PersistentID<Pet>>, Set((1...20).map { PersistentID($0) }))
                codec.restore(LinkImage(ids: [4, 5]), into: field) { id in pets.first { $0.id == id } }
                expect(field[as: Set<Pet>.self], [pets[3], pets[4]])
            }
        }
    }

    @Test func `a dictionary's image is in the order of its keys`() throws {
        try withTemporarySession { _, _ in
            let pets = try Self.pets(3)
            let value: [String: Pet]? = ["b": pets[0], "a": pets[1], "é": pets[2]]
            try Self.with(value) { codec, field in
                let image = codec.image(field)
                #expect(image.keys == [.text("a"), .text("b"), .text("é")] && image.ids == [2, 1, 3])
                #expect(codec.isSame(field, as: image))
                expect(
                    codec.sendableValue(field) as? [String: PersistentID<Pet>],
                    ["a": PersistentID(2), "b": PersistentID(1), "é": PersistentID(3)])
                codec.setNil(at: field)
                #expect(codec.image(field) == LinkImage(isNil: true) && codec.isSame(field, as: LinkImage(isNil: true)))
                #expect(!codec.isSame(field, as: LinkImage()) && codec.sendableValue(field) == nil)
                codec.restore(image, into: field) { id in pets.first { $0.id == id } }
                expect(field[as: [String: Pet]?.self], value)
                codec.restore(LinkImage(isNil: true), into: field) { _ in nil }
                #expect(codec.isNil(field))
            }
        }
    }

    @Test func `database values of all kinds have a total order`() {
        let values: [DatabaseValue] = [
            .null, .integer(-3), .integer(7), .real(-1.5), .real(2), .text(""), .text("a"), .text("b"), .blob([]),
            .blob([1]), .blob([1, 0]),
        ]
        for (i, a) in values.enumerated() {
            for (j, b) in values.enumerated() { expect(a.precedes(b), i < j, "\(a) \(b)") }
        }
    }
}
