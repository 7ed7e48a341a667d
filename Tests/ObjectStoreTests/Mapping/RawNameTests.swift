import TestSupport
import Testing

@testable import PersistentObjects

/// Raw identifiers of wrapped properties, whose compiler-generated storage has another name.
@Suite struct RawNameTests {
    final class Odd: PersistentObject {
        @Searchable var `f"t` = "quoted"
        @Indexed var `two words` = 2
        @Unique var `d•t`: String?
        var `plain "name"` = 5
    }

    @Test func `a wrapped property has its declared name`() throws {
        let map = try ClassMap.map(of: Odd.self)
        expect(map.declaredProperties.map(\.name), ["f\"t", "two words", "d•t", "plain \"name\""])
        try withTemporarySession { _, file throws in
            let odd = Odd()
            odd.`f"t` = "fox"
            try odd.save()
            #expect(try Odd.search("fox").all() == [odd] && odd["two words"] as? Int == 2)
            #expect(try file.sqlite("SELECT group_concat(name, '/') FROM pragma_table_info('odd')").contains("f\"t/"))
        }
    }
}
