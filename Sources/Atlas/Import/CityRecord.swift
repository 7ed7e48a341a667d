/// A city as in a line of `cities.jsonl`. Other fields are ignored.
struct CityRecord: Decodable {
    let geonameID: Int
    let name: String
    let latitude: Double
    let longitude: Double
    let countryCode: String
    let population: Int
    let timezone: String
    let region: String?
    let alternateNames: [String]?

    private enum CodingKeys: String, CodingKey {
        case name, latitude, longitude, population, timezone
        case geonameID = "geonameid"
        case countryCode = "countrycode"
        case region = "admin1code"
        case alternateNames = "alternatenames"
    }

    /// The alternate names, without the empty name that GeoNames writes if it has none.
    var names: [String] { (alternateNames ?? []).filter { !$0.isEmpty } }

    /// The problem with the city; nil if there is none.
    func problem(countryCodes: Set<String>) -> String? {
        if geonameID <= 0 { return "\"geonameid\" is \(geonameID)" }
        if name.isEmpty { return "\"name\" is empty" }
        if !(-90...90).contains(latitude) { return "\"latitude\" is \(latitude)" }
        if !(-180...180).contains(longitude) { return "\"longitude\" is \(longitude)" }
        if population < 0 { return "\"population\" is \(population)" }
        if !countryCodes.contains(countryCode) { return "there is no country \"\(countryCode)\"" }
        return nil
    }

    func makeCity(in country: Country?) -> City {
        let city = City()
        city.geonameID = geonameID
        city.name = name
        city.latitude = latitude
        city.longitude = longitude
        city.country = country
        city.population = population
        city.timezone = timezone
        city.region = region?.nilIfEmpty
        city.alternateNames = names
        return city
    }
}
