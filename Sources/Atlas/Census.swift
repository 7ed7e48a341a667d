/// The number of objects of each class in a store, or in a data folder.
struct Census: Equatable {
    var countries: Int
    var currencies: Int
    var cities: Int

    static let empty = Census(countries: 0, currencies: 0, cities: 0)

    /// Whether a store with these counts lacks some of `expected`.
    func isPart(of expected: Census) -> Bool {
        countries < expected.countries || currencies < expected.currencies || cities < expected.cities
    }

    /// The counts side by side, as in `252 of 252 countries, 0 of 155 currencies and 3,000 of 5,000 cities`.
    func compared(to expected: Census) -> String {
        let (countries, currencies, cities) = expected.parts
        return "\(self.countries.grouped) of \(countries), \(self.currencies.grouped) of \(currencies) "
            + "and \(self.cities.grouped) of \(cities)"
    }
}

extension Census: CustomStringConvertible {
    var description: String {
        let (countries, currencies, cities) = parts
        return "\(countries), \(currencies) and \(cities)"
    }

    private var parts: (countries: String, currencies: String, cities: String) {
        (
            countries.counted("country", "countries"), currencies.counted("currency", "currencies"),
            cities.counted("city", "cities")
        )
    }
}
