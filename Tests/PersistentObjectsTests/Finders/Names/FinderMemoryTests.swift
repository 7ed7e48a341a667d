import Testing

@testable import PersistentObjects

/// The cache of parsed finder names.
struct FinderMemoryTests {
    final class Person: PersistentObject {
        override class var tableName: String { "remembered_person" }
        var lastName = ""
    }

    @Test func `the cache of parsed finder names stays within its limit`() throws {
        let map = try ClassMap.map(of: Person.self)
        for count in 1...2 * ParsedFinders.limit + 1 {
            _ = try ParsedFinders.finder("findFirst\(count)ByLastName", of: map)
        }
        #expect(ParsedFinders.count > 0 && ParsedFinders.count <= ParsedFinders.limit)
    }
}
