import TestSupport
import Testing

@testable import PersistentObjects

/// Objects in memory are found by a unique value without SQL, including values that the session just saved.
struct KnownKeyTests {
    final class Badge: PersistentObject {
        override class var tableName: String { "known_badge" }
        @Unique var code = ""
        var color = ""
    }

    private func badge(_ code: String) -> Badge {
        let badge = Badge()
        badge.code = code
        return badge
    }

    @Test func `a finder by a unique value finds newly saved and changed values without SQL`() throws {
        try withTemporarySession { session, _ throws in
            let (first, second) = (badge("a"), badge("b"))
            try first.save()
            try expect(Badge.findByCode("a"), [first])
            try second.save()
            var found: [Badge] = []
            let afterInsert = try statements(of: session) { () throws in found = try Badge.findByCode("b") }
            #expect(found == [second] && afterInsert.isEmpty)
            second.code = "c"
            try second.save()
            let afterUpdate = try statements(of: session) { () throws in found = try Badge.findByCode("c") }
            #expect(found == [second] && afterUpdate.isEmpty)
            #expect(try Badge.findByCode("b").isEmpty)
            first.code = "b"
            try first.save()
            try expect(Badge.findByCode("b"), [first])
            #expect(try Badge.findByCode("a").isEmpty)
        }
    }
}
