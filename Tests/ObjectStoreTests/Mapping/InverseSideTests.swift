import TestSupport
import Testing

@testable import PersistentObjects

/// Resolving the property that an inverse belongs to.
struct InverseSideTests {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        @Inverse(\Pet.owner) var pets: [Pet]
        @Inverse(\Pet.only) var one: Pet?
    }
    final class Child: Person {}
    final class Pet: PersistentObject {
        override class var tableName: String { "pet" }
        var other: Person?
        var owner: Person?
        var only: Child?
        var stranger: Pet?
        var computed: Person? { owner ?? other }
    }
    final class Computed: PersistentObject {
        override class var tableName: String { "computed" }
        override class var deleteRules: [String: DeleteRule] { ["pets": .cascade] }
        @Inverse(\Pet.computed) var pets: [Pet]
    }
    final class Stranger: PersistentObject {
        override class var tableName: String { "stranger" }
        override class var deleteRules: [String: DeleteRule] { ["pets": .cascade] }
        @Inverse(\Pet.owner) var pets: [Pet]
    }

    final class Plain: PersistentObject {
        override class var tableName: String { "plain" }
        @Inverse(\Pet.owner) var pets: [Pet]
    }

    private static func side(_ type: PersistentObject.Type, _ name: String) throws -> InverseSide {
        let map = try ClassMap.map(of: type)
        return try InverseSide.of(map.properties[try #require(map.ordinal(of: name))], in: map)
    }

    @Test func `the property on the other side is found, for subclasses too`() throws {
        for type in [Person.self, Child.self] {
            for _ in 0..<2 {
                let side = try Self.side(type, "pets")
                #expect(side.other.type == Pet.self && side.property.name == "owner")
                try expect(Self.side(type, "one").property.name, "only")
            }
        }
    }

    @Test
    func `an inverse of a computed property or of a property with another class is an error with the reason`() throws {
        for (type, words) in [(Computed.self, "computed"), (Stranger.self, "class Person")]
            as [(PersistentObject.Type, String)]
        {
            let error = #expect(throws: SchemaError.self) { try Self.side(type, "pets") }
            guard case .unknownInverse("\(type)", "pets", _, let reason)? = error else {
                throw error ?? .isAbstract(className: "none")
            }
            #expect(reason.contains(words))
            #expect(error?.description.hasPrefix("\(type).pets: ") == true)
            try withTemporaryStore { store, file throws in
                #expect(throws: SchemaError.self) { try store.prepare(type) }
                #expect(try file.sqlite("SELECT count(*) FROM sqlite_schema") == "0")
            }
        }
    }

    @Test func `an invalid inverse fails the first use of its class, and not deletions of other classes`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { _ in
                let pet = Pet()
                try pet.save()
                #expect(throws: SchemaError.self) { try Plain.count() }
                try pet.delete()
                #expect(throws: SchemaError.self) { try Plain().save() }
            }
        }
    }
}
