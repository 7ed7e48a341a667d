import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// In debug builds, a query that scans many rows to find few is noted once, with a remedy.
struct ScanNoteTests {
    final class City: PersistentObject {
        override class var tableName: String { "city" }
        var name = ""
        var timezone = ""
        @Indexed var country = ""
    }

    private func withCities(_ count: Int, _ body: (Session, Recorder<String>) throws -> Void) throws {
        let notes = Recorder<String>()
        try withTemporarySession(.init(onNote: { notes.add($0) })) { session, _ throws in
            try session.save(
                (0..<count).map { place in
                    let city = City()
                    city.name = "city \(place)"
                    city.timezone = "zone \(place % 1000)"
                    city.country = "country \(place)"
                    return city
                })
            try session.reset()
            try body(session, notes)
        }
    }

    #if DEBUG
        @Test(.enabled(if: StandardEngine.current is SQLiteEngine, "only SQLite counts the rows that it scans"))
        func `a full scan is noted once for each query shape, with the property to index`() throws {
            try withCities(2000) { _, notes throws in
                for zone in ["zone 1", "zone 2"] {
                    let found: [City] = try City.findByTimezone(zone)
                    expect(found.count, 2)
                }
                expect(notes.all.count, 1)
                let note = try #require(notes.take().first)
                #expect(
                    note.hasPrefix(
                        "1999 rows were scanned to find 2 rows: add @Indexed to City.timezone"))
                #expect(note.contains("SELECT") && !note.contains("zone 1"))
                try expect(City.where { $0.timezone == "zone 1" && $0.name == "city 1" }.count(), 1)
                expect(notes.take().map { $0.contains("add @Indexed to City.timezone, or to City.name") }, [true])
            }
        }

        @Test(.enabled(if: StandardEngine.current is SQLiteEngine, "only SQLite counts the rows that it scans"))
        func `a full scan of a typed finder is noted with the property`() throws {
            try withCities(2000) { _, notes throws in
                _ = try City.findBy.timezone("zone 1")
                expect(notes.all.map { $0.contains("add @Indexed to City.timezone") }, [true])
            }
        }

        @Test func `an index search, a scan that finds many rows and a scan of a small table are not noted`() throws {
            try withCities(2000) { _, notes throws in
                let found: [City] = try City.findByCountry("country 7")
                #expect(found.count == 1)
                #expect(try City.where { $0.timezone != "zone 1" }.all().count == 1998)
                #expect(try City.all().count == 2000 && City.where { $0.timezone.hasSuffix("999") }.count() == 2)
                #expect(notes.all.isEmpty, "\(notes.all)")
            }
            try withCities(500) { _, notes throws in
                let found: [City] = try City.findByTimezone("zone 1")
                #expect(found.count == 1 && notes.all.isEmpty)
            }
        }
    #endif

    @Test func `a note is created once for each query shape`() throws {
        let notes = ScanReports()
        var definition = QueryDefinition(City.self)
        definition.add(
            QueryExpression(.column(scope: 0, QueryPath(\City.timezone))).applying(.equal, QueryExpression(value: "x")))
        let advice = IndexAdvice(definition, try ClassMap.map(of: City.self))
        #expect(notes.line("a", scanned: 999, found: 1, advice) == nil)
        #expect(notes.line("a", scanned: 5000, found: 300, advice) == nil)
        expect(
            notes.line("a", scanned: 5000, found: 1, advice)?.contains("to find 1 row: add @Indexed to City.timezone."),
            true)
        #expect(notes.line("a", scanned: 5000, found: 1, advice) == nil)
        #expect(notes.line("b", scanned: 5000, found: 0, advice) != nil)
    }
}
