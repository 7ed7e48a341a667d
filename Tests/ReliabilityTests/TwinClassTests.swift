import PersistentObjects
import TestSupport
import Testing

/// Classes of two modules with the same name.
@Suite struct TwinClassTests {
    final class Twin: PersistentObject { var there = 2 }
    final class NamedTwin: PersistentObject {
        override class var tableName: String { "reliability_twin" }
        var there = 2
    }

    @Test func `two classes of one name cannot share a table: the error names both with their modules`() throws {
        try withTemporarySession(.quiet) { session, file throws in
            try Twin().save()
            for use in [{ try TestSupport.Twin().save() }, { _ = try TestSupport.Twin.all() }] as [() throws -> Void] {
                let error = try #require(throws: SchemaError.self) { try use() }
                guard case .duplicateTable("twin", let names) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(names == ["ReliabilityTests.TwinClassTests.Twin", "TestSupport.Twin"])
            }
            #expect(try Twin.all().map(\.there) == [2])
            #expect(try file.sqlite("SELECT name FROM pragma_table_info('twin')") == "id\nthere")
        }
    }

    @Test func `two classes of one name with different tables keep their rows apart, also after reopening`()
        throws
    {
        let file = try TemporaryStore()
        for round in 1...2 {
            try file.open(configuration: .quiet).withSession { session throws in
                try NamedTwin().save()
                let other = TestSupport.NamedTwin()
                other.other = TestSupport.NamedTwin()
                try other.save()
                try expect(NamedTwin.all().map(\.there), Array(repeating: 2, count: round))
                try expect(TestSupport.NamedTwin.countBy.here(1), 2 * round)
                let linked = try session.rows("SELECT count(other_id) FROM support_twin")[0][0]
                expect(linked, .integer(Int64(round)))
            }
        }
        try expect(file.sqlite("SELECT count(*) FROM reliability_twin; SELECT count(*) FROM support_twin"), "2\n4")
    }
}
