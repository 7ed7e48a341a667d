import Testing

@Suite struct TourTests {
    @Test func `the tour shows each kind of call with its answer and time`() throws {
        let scratch = try Scratch()
        let run = try scratch.atlas()
        #expect(run.status == 0)
        let rows = [
            (#"try City.count()"#, "5,000"),
            (#"try City.findByName("London")"#, "2: London (GB), London (CA)"),
            (#"try City.findByCountryCodeAndTimezone("FR", "Europe/Paris")"#, "45: Paris (FR), Marseille (FR), "),
            (#"try City.findFirst3ByCountryCode("JP")"#, "3: Tokyo (JP), "),
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

    @Test func `the tour leaves the store as it found it`() throws {
        let scratch = try Scratch()
        // Cities of the names that the tour looks for or invents are no less real.
        let names = ["Lilliput", "Xanadu", "Lutetia", "London", "Rome"]
        try scratch.write(cities: Sample.cities + names.enumerated().map { Sample.city(10 + $0.offset, $0.element) })
        #expect(try scratch.atlasOnSample().status == 0)
        let before = try scratch.sqlite(".dump country city")
        #expect(try scratch.sqlite("SELECT count(*) FROM city") == "8")
        #expect(try scratch.atlasOnSample().status == 0)
        #expect(try scratch.sqlite(".dump country city") == before)
        #expect(try scratch.sqlite("SELECT population FROM city WHERE name = 'Paris'") == "2138551")
    }

    @Test func `data without Paris shortens the tour`() throws {
        let scratch = try Scratch()
        try scratch.write(cities: [Sample.city(1, "Lyon")])
        let run = try scratch.atlasOnSample()
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output.contains("There is no Paris in this data, so this part is left out."))
    }

    @Test func `a progress bar is drawn on a terminal and nowhere else`() throws {
        let scratch = try Scratch()
        try scratch.write()
        let onTerminal = try Terminal.output(
            of: AtlasExecutable.find(), ["--data", "data", "--store", "terminal.sqlite"], in: scratch.folder)
        #expect(onTerminal.contains("\rImporting ██████████████████████████████ 100 %"))
        #expect(onTerminal.contains("Imported 3 countries and 3 cities into terminal.sqlite in "))

        let inPipe = try scratch.atlasOnSample()
        #expect(!inPipe.output.contains("\r"))
        #expect(!inPipe.output.contains("█"))
    }

    /// Expects a line of the call, the answer's begin, and a time.
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
