import Foundation
import Testing

@Suite struct ImportTests {
    @Test func `the data included with the program is imported once`() throws {
        let scratch = try Scratch()
        let first = try scratch.atlas()
        #expect(first.status == 0)
        #expect(first.errors.isEmpty)
        let census = "252 countries, 155 currencies and 5,000 cities"
        #expect(first.output.hasPrefix("Imported \(census) with 37,393 names into atlas.sqlite in "))
        #expect(!scratch.has("atlas.sqlite-wal"), "the store is closed, all is in one file")
        #expect(try scratch.sqlite("SELECT count(*) FROM country") == "252")
        #expect(try scratch.sqlite("SELECT count(*), count(DISTINCT geoname_id) FROM city") == "5000|5000")
        #expect(try scratch.sqlite("SELECT name FROM city ORDER BY id LIMIT 1") == "Shanghai")

        let second = try scratch.atlas()
        #expect(second.status == 0)
        #expect(second.errors.isEmpty)
        #expect(second.output.hasPrefix("atlas.sqlite holds \(census) already: nothing to import.\n"))
        #expect(try scratch.sqlite("SELECT count(*), count(DISTINCT geoname_id) FROM city") == "5000|5000")
    }

    @Test func `each value is stored in its column, and missing values are NULL`() throws {
        let scratch = try Scratch()
        try scratch.write()
        let run = try scratch.atlasOnSample()
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("\(Sample.imported)atlas.sqlite in "))
        let countries = try scratch.sqlite(
            """
            SELECT iso, country.name, continent, population, ifnull(capital, 'NULL'), ifnull(area, 'NULL'),
            ifnull(code, 'NULL') FROM country LEFT JOIN currency ON currency.id = currency_id ORDER BY country.id
            """)
        #expect(
            countries == """
                AQ|Antarctica|AN|0|NULL|14000000|NULL
                FR|France|EU|66987244|Paris|547030|EUR
                VA|Vatican City|EU|921|Vatican City|NULL|EUR
                """)
        let cities = try scratch.sqlite(
            """
            SELECT geoname_id, city.name, iso, city.population, latitude, longitude, timezone, ifnull(region, 'NULL')
            FROM city JOIN country ON country.id = country_id ORDER BY city.id
            """)
        #expect(
            cities == """
                2|Paris|FR|2138551|45.5|4.25|Europe/Paris|11
                1|Lyon|FR|522250|45.5|4.25|Europe/Paris|84
                3|Saint-Étienne|FR|171924|45.5|4.25|Europe/Paris|NULL
                """)
    }

    @Test func `neighbors, languages, currencies and alternate names are stored in separate tables`() throws {
        let scratch = try Scratch()
        try scratch.write()
        #expect(try scratch.atlasOnSample().status == 0)
        #expect(try scratch.sqlite("SELECT code, name FROM currency") == "EUR|Euro")
        let neighbours = try scratch.sqlite(
            """
            SELECT one.iso, other.iso FROM country_neighbours JOIN country one ON one.id = owner_id
            JOIN country other ON other.id = value_id ORDER BY 1
            """)
        #expect(
            neighbours == """
                FR|VA
                VA|FR
                """)
        let languages = try scratch.sqlite(
            #"SELECT iso, value FROM country_languages JOIN country ON country.id = owner_id ORDER BY position"#)
        #expect(
            languages == """
                FR|fr-FR
                FR|frp
                FR|br
                """)
        let names = try scratch.sqlite(
            #"SELECT name, value FROM city_alternate_names JOIN city ON city.id = owner_id ORDER BY position"#)
        #expect(
            names == """
                Paris|Lutetia
                Paris|巴黎
                Paris|Париж
                """)
        #expect(try scratch.sqlite("PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `the file names of the full data set are accepted`() throws {
        let scratch = try Scratch()
        try scratch.write(as: "cities15000.jsonl")
        #expect(try scratch.atlasOnSample().status == 0)
        #expect(try scratch.sqlite("SELECT count(*) FROM city") == "3")
    }

    @Test func `a store with a part of the data is reported and not changed`() throws {
        let scratch = try Scratch()
        try scratch.write()
        #expect(try scratch.atlasOnSample().status == 0)
        let losses = """
            UPDATE country SET currency_id = NULL; DELETE FROM currency; DELETE FROM city WHERE geoname_id = 3;
            """
        #expect(try scratch.sqlite(losses).isEmpty)
        let run = try scratch.atlasOnSample()
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                atlas: atlas.sqlite contains only a part of the data, 3 of 3 countries, 0 of 1 currency and 2 of 3 \
                cities. If no import is running, delete the file or specify another --store

                """)
        #expect(try scratch.sqlite("SELECT count(*) FROM city") == "2")
    }

    @Test(arguments: ["country", "city", "currency"])
    func `an import that fails is rolled back`(table: String) throws {
        let scratch = try Scratch()
        try scratch.write()
        #expect(try scratch.atlasOnSample().status == 0)
        let sabotage = """
            PRAGMA foreign_keys = ON; DELETE FROM city; DELETE FROM country; DELETE FROM currency;
            CREATE TRIGGER sabotage BEFORE INSERT ON \(table) BEGIN SELECT RAISE(ABORT, 'sabotaged'); END;
            """
        #expect(try scratch.sqlite(sabotage).isEmpty)
        let failed = try scratch.atlasOnSample()
        #expect(failed.status == 2)
        #expect(failed.output.isEmpty)
        #expect(failed.errors.hasPrefix("atlas: "))
        #expect(failed.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        let left = "SELECT (SELECT count(*) FROM country), (SELECT count(*) FROM city), (SELECT count(*) FROM currency)"
        #expect(try scratch.sqlite(left) == "0|0|0")

        #expect(try scratch.sqlite("DROP TRIGGER sabotage").isEmpty)
        let again = try scratch.atlasOnSample()
        #expect(again.output.hasPrefix("\(Sample.imported)atlas.sqlite in "))
    }

    @Test func `a store that contains more than the data needs no import`() throws {
        let scratch = try Scratch()
        try scratch.write()
        #expect(try scratch.atlasOnSample().status == 0)
        try scratch.write(cities: [Sample.city(9, "Nice")])
        let run = try scratch.atlasOnSample()
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("atlas.sqlite holds \(Sample.census) already: nothing to import.\n"))
    }

    @Test func `a file that is not a database is rejected with a one-line message and is not changed`() throws {
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

    @Test func `a store in a missing folder is rejected with a one-line message`() throws {
        let scratch = try Scratch()
        try scratch.write()
        let run = try scratch.atlasOnSample("--store", "/proc/no such folder/atlas.sqlite")
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("atlas: "))
        #expect(run.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
    }
}
