import Foundation
import Testing

/// Broken data leads to one line that names file and place, to exit code 2, and to no store.
@Suite struct BrokenDataTests {
    @Test(arguments: [
        (#"{"geonameid":7,"name":"#, "this is not valid JSON"),
        (#"{"geonameid":7,"name":Nice}"#, "this is not valid JSON"),
        (
            Sample.city(7, "Nice").replacingOccurrences(of: "\"population\":1", with: "\"population\":1.5"),
            "it contains a number that is too large or not an integer"
        ),
        ("[1, 2]", "this is not a JSON object"),
        ("null", "expected an object, not null"),
        (#"{"geonameid":7}"#, "\"name\" is missing"),
        (Sample.city(0, "Nice"), "\"geonameid\" is 0"),
        (Sample.city(7, ""), "\"name\" is empty"),
        (Sample.city(7, "Nice", latitude: 91), "\"latitude\" is 91.0"),
        (Sample.city(7, "Nice", population: -1), "\"population\" is -1"),
        (Sample.city(7, "Nice", country: "XX"), "there is no country \"XX\""),
        (Sample.city(1, "Nice"), "\"geonameid\" 1 is on line 1 already"),
        (
            Sample.city(7, "Nice").replacingOccurrences(of: "\"population\":1", with: "\"population\":\"many\""),
            "\"population\" is not an integer"
        ),
        (Sample.city(7, "Nice", more: #","alternatenames":"Nizza""#), "\"alternatenames\" is not a list"),
        (Sample.city(7, "Nice", more: #","alternatenames":["Nizza",7]"#), "\"alternatenames.2\" is not a string"),
    ])
    func `the message for a broken city names file and line`(line: String, problem: String) throws {
        let scratch = try Scratch()
        try scratch.write(cities: Sample.cities + [line])
        let run = try scratch.atlasOnSample()
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("atlas: cities.jsonl: line 5: \(problem)"))
        #expect(run.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        #expect(!scratch.has("atlas.sqlite"))
    }

    @Test(arguments: [
        ("{\n\"FR\": }", "atlas: countries.json: this is not valid JSON"),
        ("[]", "atlas: countries.json: this is not a JSON object"),
        ("{}", "atlas: countries.json: it contains no country"),
        (
            Sample.countries.replacingOccurrences(of: "\"iso\": \"FR\", ", with: ""),
            "atlas: countries.json: entry \"FR\": \"iso\" is missing"
        ),
        (
            Sample.countries.replacingOccurrences(of: "\"iso\": \"FR\", ", with: "\"iso\": \"DE\", "),
            "atlas: countries.json: entry \"FR\": \"iso\" is \"DE\", not the entry's key"
        ),
        (
            Sample.countries.replacingOccurrences(of: "\"AN\"", with: "\"XX\""),
            "atlas: countries.json: entry \"AQ\": \"continentcode\""
        ),
        (
            Sample.countries.replacingOccurrences(of: "\"neighbours\": \"VA\"", with: "\"neighbours\": \"VA,XX\""),
            "atlas: countries.json: entry \"FR\": \"neighbours\" names \"XX\", and there is no such entry"
        ),
        (
            Sample.countries.replacingOccurrences(of: "\"neighbours\": \"VA\"", with: "\"neighbours\": \"FR\""),
            "atlas: countries.json: entry \"FR\": \"neighbours\" names the country itself"
        ),
        (
            Sample.countries.replacingOccurrences(of: "\"neighbours\": \"VA\"", with: "\"neighbours\": \"VA,VA\""),
            "atlas: countries.json: entry \"FR\": \"neighbours\" names \"VA\" twice"
        ),
    ])
    func `the message for a broken country names file and entry`(countries: String, line: String) throws {
        let scratch = try Scratch()
        try scratch.write(countries: countries)
        let run = try scratch.atlasOnSample()
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix(line))
        #expect(run.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        #expect(!scratch.has("atlas.sqlite"))
    }

    @Test func `the message for a missing data file names the file`() throws {
        let scratch = try Scratch()
        try scratch.write()
        try FileManager.default.removeItem(at: scratch.folder.appendingPathComponent("data/cities.jsonl"))
        let cities = try scratch.atlasOnSample()
        #expect(cities.status == 2)
        #expect(cities.errors == "atlas: the data folder data has no cities.jsonl or cities15000.jsonl\n")

        try FileManager.default.removeItem(at: scratch.folder.appendingPathComponent("data/countries.json"))
        let countries = try scratch.atlasOnSample()
        #expect(countries.status == 2)
        #expect(countries.errors == "atlas: the data folder data has no countries.json\n")
    }

    @Test func `a data file without entries is rejected`() throws {
        let scratch = try Scratch()
        try scratch.write(cities: ["", " ", ""])
        let run = try scratch.atlasOnSample()
        #expect(run.status == 2)
        #expect(run.errors == "atlas: cities.jsonl: it contains no city\n")
    }
}
