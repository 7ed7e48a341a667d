/// A country as the entry of `countries.json` has it.
struct CountryRecord: Decodable {
    let name: String
    let iso: String
    let continent: Continent
    let capital: String?
    let area: Int?
    let population: Int
    let currency: String?

    private enum CodingKeys: String, CodingKey {
        case name, iso, capital, population
        case continent = "continentcode"
        case area = "areakm2"
        case currency = "currencycode"
    }

    /// What is wrong with the entry under this key, nil if nothing is.
    func problem(key: String) -> String? {
        if name.isEmpty { return "\"name\" is empty" }
        if iso != key { return "\"iso\" is \"\(iso)\", not the entry's key" }
        if population < 0 { return "\"population\" is \(population)" }
        return nil
    }

    func makeCountry() -> Country {
        let country = Country()
        country.iso = iso
        country.name = name
        country.continent = continent
        country.population = population
        country.capital = capital?.nilIfEmpty
        country.area = area == 0 ? nil : area
        country.currency = currency?.nilIfEmpty
        return country
    }
}

extension String {
    /// GeoNames writes an empty text where it has no value.
    var nilIfEmpty: String? { isEmpty ? nil : self }
}
