import Testing

@Suite struct TourTests {
    @Test func `the tour prints each kind of call with its result and time`() throws {
        let scratch = try Scratch()
        let run = try scratch.atlas()
        #expect(run.status == 0)
        let rows = [
            (#"try City.count()"#, "5,000"),
            (#"try City.findByName("London")"#, "2: London (GB), London (CA)"),
            (#"try City.findByCountryIsoAndTimezone("FR", "Europe/Paris")"#, "45: Paris (FR), Marseille (FR), "),
            (#"try City.findFirst3ByCountryName("Japan")"#, "3: Tokyo (JP), "),
            (#"if let rome = try City.findFirstByName("Rome") { … }"#, "Rome (IT), 2,318,895 people"),
            (#"if try City.existsByName("Lilliput") { … }"#, "no"),
            (#"try City.findFirstBy.name("Nairobi")"#, "Nairobi (KE), "),
            (#"try Country.findFirstBy.iso("NZ")"#, "New Zealand, capital: Wellington"),
            (#"try Country.findBy.capital(nil)"#, "6: "),
            (#"all.elementsEqual(again, by: ===)"#, "yes"),
            (#"paris.changes"#, "population: 2,138,551 → 2,138,552"),
            (#"try paris.save()"#, "wrote population and no other column"),
            (#"try City.findFirstBy.population(paris.population)"#, "Paris (FR), 2,138,552 people"),
            (#"paris.name"#, "Paris"),
        ]
        for (call, answer) in rows { expectRow(call, answer, in: run.output) }
        #expect(run.output.contains("5: Shanghai (CN), Beijing (CN), Shenzhen (CN)"))
        #expect(run.output.contains("City #"))
        #expect(run.output.contains("findByNmae"))
        #expect(run.output.contains("Name"))
    }

    @Test func `the tour does not change the store`() throws {
        let scratch = try Scratch()
        // The data contains cities with the names that the tour searches for or creates.
        let names = ["Lilliput", "Xanadu", "Lutetia", "London", "Rome"]
        try scratch.write(cities: Sample.cities + names.enumerated().map { Sample.city(10 + $0.offset, $0.element) })
        #expect(try scratch.atlasOnSample().status == 0)
        let before = try scratch.rows()
        #expect(try scratch.sqlite("SELECT count(*) FROM city") == "8")
        #expect(try scratch.atlasOnSample().status == 0)
        #expect(try scratch.rows() == before)
        #expect(try scratch.sqlite("SELECT population FROM city WHERE name = 'Paris'") == "2138551")
    }

    @Test func `the tour follows references, changes objects and triggers delete rules`() throws {
        let scratch = try Scratch()
        let run = try scratch.atlas()
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        let rows = [
            (#"try City.countByCountryName("India")"#, "434"),
            (#"try City.countBy.country.currency.code("EUR")"#, "306"),
            (#"try City.findBy.alternateNames(containing: "巴黎")"#, "1: Paris (FR)"),
            (#"let france = paris.country"#, "France, capital: Paris"),
            (#"france.currency?.name"#, "Euro"),
            (#"france.languages"#, "7: fr-FR, frp, br, co, ca, eu, oc"),
            (#"try france.$neighbours.load()"#, "8: "),
            (#"Set(france.neighbours.flatMap(\.neighbours))"#, "20: Andorra, Austria, Belgium"),
            (#"france.cities"#, "45: Paris (FR), Marseille (FR), "),
            (#"france.cities.contains { $0 === paris }"#, "yes"),
            (#"paris.alternateNames.count"#, "109"),
            (#"paris.alternateNames.suffix(6)"#, "6: პარიზი, ፓሪስ, ប៉ារីស, パリ, 巴黎, 파리"),
            (#"try City.findBy.country(france)"#, "45: Paris (FR), Marseille (FR), "),
            (#"try Country.countBy.neighbours(containing: france)"#, "8"),
            (#"try Country.findBy.languages(containing: "rm")"#, "1: Switzerland"),
            (#"france.currency?.countries"#, "36: "),
            (#"lagado.country === balnibarbi"#, "yes"),
            (#"try City.findByCountryName("Balnibarbi")"#, "2: Lagado (-B), Maldonada (-B)"),
            (#"try Country.findBy.neighbours(containing: balnibarbi)"#, "2: France, Laputa"),
            (#"lagado.isDeleted"#, "yes"),
            (#"france.neighbours.contains { $0 === balnibarbi }"#, "no"),
            (#"try City.existsByCountryName("Balnibarbi")"#, "no"),
        ]
        for (call, answer) in rows { expectRow(call, answer, in: run.output) }
    }

    @Test func `the objects left behind by a killed tour are deleted`() throws {
        let scratch = try Scratch()
        try scratch.write()
        #expect(try scratch.atlasOnSample().status == 0)
        let before = try scratch.rows()
        let leftovers = """
            PRAGMA foreign_keys = ON;
            INSERT INTO country (iso, name, continent, population) VALUES ('-B', 'Balnibarbi', 'EU', 0);
            INSERT INTO city (geoname_id, name, country_id, population, latitude, longitude, timezone)
            SELECT -2, 'Lagado', id, 0, 0, 0, '' FROM country WHERE iso = '-B';
            INSERT INTO country_neighbours (owner_id, position, value_id)
            SELECT france.id, 1 << 40, country.id FROM country france, country
            WHERE france.iso = 'FR' AND country.iso = '-B';
            """
        #expect(try scratch.sqlite(leftovers).isEmpty)
        #expect(try scratch.atlasOnSample().status == 0)
        #expect(try scratch.rows() == before)
    }

    @Test func `the tour skips a part if the data does not contain Paris`() throws {
        let scratch = try Scratch()
        try scratch.write(cities: [Sample.city(1, "Lyon")])
        let run = try scratch.atlasOnSample()
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output.contains("There is no Paris in this data, so this part is left out."))
    }

    @Test func `a progress bar is drawn on a terminal only`() throws {
        let scratch = try Scratch()
        try scratch.write()
        let onTerminal = try Terminal.output(
            of: AtlasExecutable.find(), ["--data", "data", "--store", "terminal.sqlite"], in: scratch.folder)
        #expect(onTerminal.contains("\rImporting ██████████████████████████████ 100 %"))
        #expect(onTerminal.contains("\(Sample.imported)terminal.sqlite in "))

        let inPipe = try scratch.atlasOnSample()
        #expect(!inPipe.output.contains("\r"))
        #expect(!inPipe.output.contains("█"))
    }

    /// Expects a line with the call, a result with the given prefix, and a time.
    private func expectRow(_ call: String, _ answer: String, in output: String) {
        let rows = output.split(separator: "\n").filter { $0.hasPrefix("  \(call)  ") }
        let answered = rows.filter { row in
            row.dropFirst(call.count + 2).drop { $0 == " " }.hasPrefix(answer)
        }
        #expect(!answered.isEmpty, "\(call) answers \(rows)")
        for row in answered {
            #expect(row.contains(#/ [0-9.]+ (ns|µs|ms|s)$/#), "\(row)")
        }
    }
}
