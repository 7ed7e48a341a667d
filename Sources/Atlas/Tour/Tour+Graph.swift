import PersistentObjects

/// The part of the tour about objects that refer to each other.
extension Tour {
    func followReferences() throws {
        try table.title("Graphs: references and collections, loaded in batches, and their other sides")
        guard let paris = try City.findFirstByName("Paris"), let france = paris.country else {
            return try missesParis()
        }
        try table.row("let france = paris.country", Answers.country) { paris.country }
        try table.row("france.currency?.name", Answers.text) { france.currency?.name ?? "none" }
        try table.row("france.languages", Answers.names) { france.languages }
        try table.row("try france.$neighbours.load()", Answers.countries) { try france.$neighbours.load() }
        try table.row(#"Set(france.neighbours.flatMap(\.neighbours))"#, Answers.countries) {
            Set(france.neighbours.flatMap(\.neighbours))
        }
        try table.row("france.cities", Answers.cities) { france.cities }
        try table.row("france.cities.contains { $0 === paris }", Answers.yesOrNo) {
            france.cities.contains { $0 === paris }
        }
        try table.row("paris.alternateNames.count", Answers.number) { paris.alternateNames.count }
        try table.row("paris.alternateNames.suffix(6)", Answers.names) { paris.alternateNames.suffix(6) }
        try table.row("try City.findBy.country(france)", Answers.cities) { try City.findBy.country(france) }
        try table.row("try Country.countBy.neighbours(containing: france)", Answers.number) {
            try Country.countBy.neighbours(containing: france)
        }
        try table.row(#"try Country.findBy.languages(containing: "rm")"#, Answers.countries) {
            try Country.findBy.languages(containing: "rm")
        }
        try table.row("france.currency?.countries", Answers.countries) { france.currency?.countries ?? [] }
    }

    /// Saves and deletes a country from Gulliver's Travels with its objects, because real countries must stay.
    func changeTheGraph() throws {
        try table.title("A graph is saved by one call, changed on both sides, and deleted by its rules")
        guard let france = try City.findFirstByName("Paris")?.country else { return try missesParis() }
        // A killed run may have left these countries. No country of the data has such codes.
        let _: Int = try Country.deleteByIsoOrIso("-B", "-L")
        let (balnibarbi, laputa) = (country("Balnibarbi", "-B"), country("Laputa", "-L"))
        let (lagado, maldonada) = (city("Lagado", -2), city("Maldonada", -3))
        try table.row("balnibarbi.currency = france.currency", did: "in memory only") {
            balnibarbi.currency = france.currency
        }
        try table.row("balnibarbi.cities = [lagado, maldonada]", did: "in memory only") {
            balnibarbi.cities = [lagado, maldonada]
        }
        try table.row("balnibarbi.neighbours = [laputa]; laputa.neighbours = [balnibarbi]", did: "a ring") {
            balnibarbi.neighbours = [laputa]
            laputa.neighbours = [balnibarbi]
        }
        try table.row("try balnibarbi.save()", did: "both countries and both cities are stored") {
            try balnibarbi.save()
        }
        try table.row("lagado.country === balnibarbi", Answers.yesOrNo) { lagado.country === balnibarbi }
        try table.row(#"try City.findByCountryName("Balnibarbi")"#, Answers.cities) {
            try City.findByCountryName("Balnibarbi")
        }
        try border(of: balnibarbi, france, laputa)
        try end(of: balnibarbi, france, laputa, lagado)
    }

    private func border(of balnibarbi: Country, _ france: Country, _ laputa: Country) throws {
        try table.row(
            "france.neighbours.append(balnibarbi); balnibarbi.neighbours.append(france)", did: "in memory only"
        ) {
            france.neighbours.append(balnibarbi)
            balnibarbi.neighbours.append(france)
        }
        try table.row("try france.save()", did: "one new row for each side") { try france.save() }
        try table.row("try Country.findBy.neighbours(containing: balnibarbi)", Answers.countries) {
            try Country.findBy.neighbours(containing: balnibarbi)
        }
        try table.row("laputa.neighbours = []; balnibarbi.neighbours = [france]", did: "in memory only") {
            laputa.neighbours = []
            balnibarbi.neighbours = [france]
        }
        try table.row("try laputa.save(); try balnibarbi.save()", did: "one row less for each side") {
            try laputa.save()
            try balnibarbi.save()
        }
    }

    private func end(of balnibarbi: Country, _ france: Country, _ laputa: Country, _ lagado: City) throws {
        try table.row("try balnibarbi.delete()", did: "deletes its cities and its links") {
            try balnibarbi.delete()
        }
        try table.row("lagado.isDeleted", Answers.yesOrNo) { lagado.isDeleted }
        try table.row("france.neighbours.contains { $0 === balnibarbi }", Answers.yesOrNo) {
            france.neighbours.contains { $0 === balnibarbi }
        }
        try table.row(#"try City.existsByCountryName("Balnibarbi")"#, Answers.yesOrNo) {
            try City.existsByCountryName("Balnibarbi")
        }
        try table.row("try laputa.delete()", did: "the store is as it was") { try laputa.delete() }
    }

    private func country(_ name: String, _ iso: String) -> Country {
        let country = Country()
        country.name = name
        country.iso = iso
        return country
    }

    private func city(_ name: String, _ geonameID: Int) -> City {
        let city = City()
        city.name = name
        city.geonameID = geonameID
        return city
    }
}
