import TestSupport
import Testing

@testable import PersistentObjects
@testable import StoreEngine

/// Each codec answers each request, also for values that are not stored in a column.
struct CodecCompletenessTests {
    final class All: PersistentObject {
        override class var identity: Identity { .uuid }
        var value = 0
        var perhaps: String?
        var list: [Int] = []
        var set: Set<String>?
        var byName: [String: Int] = [:]
        var objects: [All] = []
        var one: All?
        @Lazy var lazy: All?
        @Embedded var place: Place?
        @Inverse(\All.one) var owners: [All]
        @Inverse(\All.lazy) var keepers: Set<All>

        struct Place: Codable { var x = 0 }
    }

    @Test func `no codec traps when it checks whether its column can hold a value`() throws {
        let map = try ClassMap.map(of: All.self)
        #expect(map.properties.count == 13)
        for property in map.properties {
            let values: [DatabaseValue] = [.null, .integer(1), .text("a"), .blob([UInt8](repeating: 1, count: 16))]
            let isHeld = values.contains { property.codec.fault(of: $0) == nil }
            let isValue = property.hasColumn && !property.isCollection && !property.isReference
            #expect(isHeld == isValue, "\(property.name)")
        }
    }
}
