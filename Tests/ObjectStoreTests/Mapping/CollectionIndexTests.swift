import TestSupport
import Testing

@testable import PersistentObjects

/// A collection cannot be indexed or unique, however the index is declared.
struct CollectionIndexTests {
    final class Child: PersistentObject { var name = "" }
    final class UniqueSet: PersistentObject { @Unique var tags: Set<String> = [] }
    final class IndexedList: PersistentObject { @Indexed var tags: [String] = [] }
    final class UniqueObjects: PersistentObject { @Unique var tags: [Child] = [] }
    final class OptionalList: PersistentObject { @Unique var tags: [String]? = nil }
    final class IndexedDictionary: PersistentObject { @Indexed var tags: [String: Int] = [:] }
    final class Bytes: PersistentObject { @Unique var bytes: [UInt8] = [] }
    final class ByName: PersistentObject {
        var tags: [String] = []
        override class var indexes: [Index] { [Index("tags", unique: true)] }
    }
    final class ByPath: PersistentObject {
        var tags: [String]?
        override class var indexes: [Index] { [Index(\ByPath.tags)] }
    }

    @Test(
        arguments: [
            UniqueSet.self, IndexedList.self, UniqueObjects.self, OptionalList.self, IndexedDictionary.self,
            ByName.self,
            ByPath.self,
        ] as [PersistentObject.Type])
    func `an index over a collection is refused`(type: PersistentObject.Type) {
        #expect(
            throws: SchemaError.notIndexable(
                className: "\(type)", reason: "tags is a collection, whose elements have their own table")
        ) { try ClassMap.map(of: type) }
    }

    @Test func `a byte array can be indexed, because it is stored in a column`() throws {
        #expect(try ClassMap.map(of: Bytes.self).properties[0].isUnique)
    }
}
