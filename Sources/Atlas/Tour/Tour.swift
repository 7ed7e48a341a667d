import PersistentObjects

/// The tour through the store: example calls and their results. It leaves the store unchanged.
struct Tour {
    let table: TourTable

    init(console: Console) {
        table = TourTable(console: console)
    }

    func run() throws {
        try countAll()
        try findDynamically()
        try findTyped()
        try findByCriteria()
        try meetTheSameObject()
        try followReferences()
        try changeAndRevert()
        try createAndDelete()
        try changeTheGraph()
        try misspell()
        #if DEBUG
            try table.console.line("\nThis is a debug build; swift run -c release atlas shows what the library can do.")
        #endif
    }

    private func countAll() throws {
        try table.title("Counting")
        try table.row("try Country.count()", Answers.number) { try Country.count() }
        try table.row("try City.count()", Answers.number) { try City.count() }
        try table.row(#"try City.countByCountryName("India")"#, Answers.number) {
            try City.countByCountryName("India")
        }
        try table.row("try Country.countBy.continent(.europe)", Answers.number) {
            try Country.countBy.continent(.europe)
        }
    }

    private func findDynamically() throws {
        try table.title("Dynamic finders: the name is the query, the context chooses the answer")
        try table.row(#"try City.findByName("London")"#, Answers.cities) { try City.findByName("London") }
        try table.row(#"try City.findByCountryIsoAndTimezone("FR", "Europe/Paris")"#, Answers.cities) {
            try City.findByCountryIsoAndTimezone("FR", "Europe/Paris")
        }
        try table.row(#"try City.findByNameOrName("Oslo", "Lima")"#, Answers.cities) {
            try City.findByNameOrName("Oslo", "Lima")
        }
        try table.row(#"try City.findFirst3ByCountryName("Japan")"#, Answers.cities) {
            try City.findFirst3ByCountryName("Japan")
        }
        try table.row(#"if let rome = try City.findFirstByName("Rome") { … }"#, Answers.text) {
            if let rome = try City.findFirstByName("Rome") { return Answers.city(rome) }
            return "there is no Rome in this data"
        }
        try table.row("try Country.findByContinent(Continent.southAmerica)", Answers.countries) {
            try Country.findByContinent(Continent.southAmerica)
        }
        try table.row(#"if try City.existsByName("Lilliput") { … }"#, Answers.yesOrNo) {
            try City.existsByName("Lilliput")
        }
    }

    private func findTyped() throws {
        try table.title("Typed finders: a wrong name or type does not compile")
        try table.row(#"try City.findBy.name("Valencia")"#, Answers.cities) { try City.findBy.name("Valencia") }
        try table.row(#"try City.findFirstBy.name("Nairobi")"#, Answers.city) { try City.findFirstBy.name("Nairobi") }
        try table.row(#"try Country.findFirstBy.iso("NZ")"#, Answers.country) { try Country.findFirstBy.iso("NZ") }
        try table.row("try Country.findBy.capital(nil)", Answers.countries) { try Country.findBy.capital(nil) }
        try table.row(#"try City.countBy.timezone("Asia/Tokyo")"#, Answers.number) {
            try City.countBy.timezone("Asia/Tokyo")
        }
        try table.row(#"try City.countBy.country.currency.code("EUR")"#, Answers.number) {
            try City.countBy.country.currency.code("EUR")
        }
        try table.row(#"try City.findBy.alternateNames(containing: "巴黎")"#, Answers.cities) {
            try City.findBy.alternateNames(containing: "巴黎")
        }
        try table.row(#"try City.existsBy.name("Xanadu")"#, Answers.yesOrNo) {
            try City.existsBy.name("Xanadu")
        }
    }

    private func findByCriteria() throws {
        try table.title("Criteria text: values are bound, never spliced in")
        try table.row(
            #"try City.findByCriteria("WHERE population > ? ORDER BY population DESC LIMIT 5", 10_000_000)"#,
            Answers.cities
        ) {
            try City.findByCriteria("WHERE population > ? ORDER BY population DESC LIMIT 5", 10_000_000)
        }
        try table.row(
            #"try City.findFirstByCriteria("WHERE latitude < ? ORDER BY population DESC", -45)"#, Answers.city
        ) {
            try City.findFirstByCriteria("WHERE latitude < ? ORDER BY population DESC", -45)
        }
        try table.row(#"try City.countByCriteria("WHERE latitude < ?", 0)"#, Answers.number) {
            try City.countByCriteria("WHERE latitude < ?", 0)
        }
    }
}
