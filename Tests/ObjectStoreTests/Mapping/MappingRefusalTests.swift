import TestSupport
import Testing

@testable import PersistentObjects

/// Properties with contradictory wrappers, and invalid version properties.
struct MappingRefusalTests {
    final class Pet: PersistentObject {
        override class var tableName: String { "refused_pet" }
        var owner: Doubled?
    }

    final class Doubled: PersistentObject {
        override class var tableName: String { "refused_doubled" }
        @Lazy @Inverse(\Pet.owner) var pets: [Pet] = []
    }

    private func refusal(_ type: PersistentObject.Type) throws -> SchemaError? {
        try withTemporaryStore { store, file throws in
            let error = #expect(throws: SchemaError.self) { try store.prepare(type) }
            try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = '\(type.tableName)'"), "0")
            return error
        }
    }

    @Test func `an inverse that is also @Lazy is refused with the remedy`() throws {
        guard case .notStorable("Doubled", "pets", _, let reason)? = try refusal(Doubled.self) else {
            Issue.record("another error")
            return
        }
        expect(
            reason,
            "@Lazy has no effect together with @Inverse or a second @Lazy, because an inverse is lazy. Remove one of them"
        )
    }

    final class Versioned: PersistentObject {
        override class var tableName: String { "refused_versioned" }
        override class var versionProperty: AnyKeyPath? { \Versioned.text }
        var text = ""
    }

    @Test func `a version property that is not an Int is refused when an object is saved`() throws {
        try withTemporarySession { session, _ throws in
            let error = #expect(throws: StoreError.self) { () throws in
                let object = Versioned()
                try object.save()
                object.text = "edited"
                try object.save()
            }
            #expect(error?.code == .misuse && error?.className == "Versioned")
            #expect(
                error?.message
                    == "The class's versionProperty is not a stored property of type Int. Return the key path of one")
            withExtendedLifetime(session) {}
        }
    }
}
