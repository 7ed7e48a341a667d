import Foundation
import Testing

@Suite struct ImportTests {
    @Test func `the data that comes with the program is imported once`() throws {
        let scratch = try Scratch()
        let first = try scratch.atlas()
        #expect(first.status == 0)
        #expect(first.errors.isEmpty)
        #expect(first.output.hasPrefix("Imported 252 countries and 5,000 cities into atlas.sqlite in "))
        #expect(!scratch.has("atlas.sqlite-wal"), "the store is closed, all is in one file")
        #expect(try scratch.sqlite("SELECT count(*) FROM country") == "252")
        #expect(try scratch.sqlite("SELECT count(*), count(DISTINCT geoname_id) FROM city") == "5000|5000")
        #expect(try scratch.sqlite("SELECT name FROM city ORDER BY id LIMIT 1") == "Shanghai")

        let second = try scratch.atlas()
        #expect(second.status == 0)
        #expect(second.errors.isEmpty)
        #expect(
            second.output.hasPrefix(
                "atlas.sqlite holds 252 countries and 5,000 cities already: nothing to import.\n"))
        #expect(try scratch.sqlite("SELECT count(*), count(DISTINCT geoname_id) FROM city") == "5000|5000")
    }

    @Test func `each value lands in its column, and gaps are null`() throws {
        let scratch = try Scratch()
        try scratch.write()
        let run = try scratch.atlasOnSample()
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("Imported 3 countries and 3 cities into atlas.sqlite in "))
        let countries = try scratch.sqlite(
            """
            SELECT iso, name, continent, population, ifnull(capital, 'NULL'), ifnull(area, 'NULL'),
            ifnull(currency, 'NULL') FROM country ORDER BY id
            """)
        #expect(
            countries == """
                AQ|Antarctica|AN|0|NULL|14000000|NULL
                FR|France|EU|66987244|Paris|547030|EUR
                VA|Vatican City|EU|921|Vatican City|NULL|EUR
                """)
        let cities = try scratch.sqlite(
            """
            SELECT geoname_id, name, country_code, population, latitude, longitude, timezone, ifnull(region, 'NULL')
            FROM city ORDER BY id
            """)
        #expect(
            cities == """
                2|Paris|FR|2138551|45.5|4.25|Europe/Paris|11
                1|Lyon|FR|522250|45.5|4.25|Europe/Paris|84
                3|Saint-Étienne|FR|171924|45.5|4.25|Europe/Paris|NULL
                """)
    }

    @Test func `the file names of the shared data work as they are`() throws {
        let scratch = try Scratch()
        try scratch.write(as: "cities15000.jsonl")
        #expect(try scratch.atlasOnSample().status == 0)
        #expect(try scratch.sqlite("SELECT count(*) FROM city") == "3")
    }

    @Test func `a store with a part of the data is reported and left alone`() throws {
        let scratch = try Scratch()
        try scratch.write()
        #expect(try scratch.atlasOnSample().status == 0)
        #expect(try scratch.sqlite("DELETE FROM country; DELETE FROM city WHERE geoname_id = 3").isEmpty)
        let run = try scratch.atlasOnSample()
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                atlas: atlas.sqlite holds only a part of the data, 0 of 3 countries and 2 of 3 cities: \
                unless it is being filled right now, remove it or name another --store

                """)
        #expect(try scratch.sqlite("SELECT count(*) FROM city") == "2")
    }

    @Test func `an import that fails takes back what it saved`() throws {
        let scratch = try Scratch()
        try scratch.write()
        #expect(try scratch.atlasOnSample().status == 0)
        let sabotage = """
            DELETE FROM country; DELETE FROM city;
            CREATE TRIGGER sabotage BEFORE INSERT ON country BEGIN SELECT RAISE(ABORT, 'sabotaged'); END;
            """
        #expect(try scratch.sqlite(sabotage).isEmpty)
        let failed = try scratch.atlasOnSample()
        #expect(failed.status == 2)
        #expect(failed.output.isEmpty)
        #expect(failed.errors.hasPrefix("atlas: "))
        #expect(failed.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        #expect(try scratch.sqlite("SELECT count(*) FROM city") == "0")

        #expect(try scratch.sqlite("DROP TRIGGER sabotage").isEmpty)
        let again = try scratch.atlasOnSample()
        #expect(again.output.hasPrefix("Imported 3 countries and 3 cities into atlas.sqlite in "))
    }

    @Test func `a store that holds more than the data needs no import`() throws {
        let scratch = try Scratch()
        try scratch.write()
        #expect(try scratch.atlasOnSample().status == 0)
        try scratch.write(cities: [Sample.city(9, "Nice")])
        let run = try scratch.atlasOnSample()
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("atlas.sqlite holds 3 countries and 3 cities already: nothing to import.\n"))
    }

    @Test func `a file that is no database gets one line and stays as it is`() throws {
        let scratch = try Scratch()
        let text = String(repeating: "Dear diary, today I found Atlantis. ", count: 200)
        try scratch.write(text, to: "atlas.sqlite")
        let run = try scratch.atlas()
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("atlas: "))
        #expect(run.errors.contains("atlas.sqlite"))
        #expect(run.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        #expect(try String(contentsOf: scratch.folder.appendingPathComponent("atlas.sqlite"), encoding: .utf8) == text)
    }

    @Test func `a store in a folder that is not there gets one line`() throws {
        let scratch = try Scratch()
        try scratch.write()
        let run = try scratch.atlasOnSample("--store", "/proc/no such folder/atlas.sqlite")
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("atlas: "))
        #expect(run.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
    }
}
