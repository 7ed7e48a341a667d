/// How many countries and cities a store holds, or a data folder has to give.
struct Census: Equatable {
    var countries: Int
    var cities: Int

    static let empty = Census(countries: 0, cities: 0)

    /// Whether a store that holds this many lacks some of `expected`.
    func isPart(of expected: Census) -> Bool {
        countries < expected.countries || cities < expected.cities
    }

    /// The two counts side by side, as in `252 of 252 countries and 3,000 of 5,000 cities`.
    func compared(to expected: Census) -> String {
        "\(countries.grouped) of \(expected.countries.grouped) countries and "
            + "\(cities.grouped) of \(expected.cities.grouped) cities"
    }
}

extension Census: CustomStringConvertible {
    var description: String { "\(countries.grouped) countries and \(cities.grouped) cities" }
}
