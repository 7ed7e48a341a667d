/// A country as in an entry of `countries.json`.
struct CountryRecord: Decodable {
    let name: String
    let iso: String
    let continent: Continent
    let capital: String?
    let area: Int?
    let population: Int
    let currencyCode: String?
    let currencyName: String?
    /// Codes separated by commas, like the neighbors.
    let languages: String?
    let neighbours: String?

    private enum CodingKeys: String, CodingKey {
        case name, iso, capital, population, languages, neighbours
        case continent = "continentcode"
        case area = "areakm2"
        case currencyCode = "currencycode"
        case currencyName = "currencyname"
    }

    var neighbourCodes: [String] { neighbours.listed }

    /// The problem with the entry under this key; nil if there is none.
    ///
    /// - Parameter isKey: Whether there is an entry under a key.
    func problem(key: String, isKey: (String) -> Bool) -> String? {
        if name.isEmpty { return "\"name\" is empty" }
        if iso != key { return "\"iso\" is \"\(iso)\", not the entry's key" }
        if population < 0 { return "\"population\" is \(population)" }
        var seen: Set<String> = []
        for code in neighbourCodes {
            if code == iso { return "\"neighbours\" names the country itself" }
            if !isKey(code) { return "\"neighbours\" names \"\(code)\", and there is no such entry" }
            if !seen.insert(code).inserted { return "\"neighbours\" names \"\(code)\" twice" }
        }
        return nil
    }

    /// The country without its references.
    func makeCountry() -> Country {
        let country = Country()
        country.iso = iso
        country.name = name
        country.continent = continent
        country.population = population
        country.capital = capital?.nilIfEmpty
        country.area = area == 0 ? nil : area
        country.languages = languages.listed
        return country
    }
}

extension String {
    /// Nil for an empty string, which GeoNames writes if it has no value.
    var nilIfEmpty: String? { isEmpty ? nil : self }
}

extension String? {
    /// The parts between the commas, without the gaps in GeoNames data.
    fileprivate var listed: [String] {
        (self ?? "").split(separator: ",").map(String.init)
    }
}
