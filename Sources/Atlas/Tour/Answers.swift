import PersistentObjects

/// Short descriptions of the library's results for the tour.
enum Answers {
    static func number(_ count: Int) -> String { count.grouped }

    static func yesOrNo(_ answer: Bool) -> String { answer ? "yes" : "no" }

    static func text(_ answer: String) -> String { answer }

    static func city(_ city: City?) -> String {
        guard let city else { return "none" }
        return "\(placed(city)), \(city.population.grouped) people"
    }

    static func country(_ country: Country?) -> String {
        guard let country else { return "none" }
        return "\(country.name), capital: \(country.capital ?? "none")"
    }

    static func cities(_ cities: [City]) -> String {
        list(cities.map(placed))
    }

    static func countries(_ countries: [Country]) -> String {
        list(countries.map(\.name))
    }

    /// The countries sorted by name, because a set has no order.
    static func countries(_ countries: Set<Country>) -> String {
        list(countries.map(\.name).sorted())
    }

    static func names(_ names: [String]) -> String { list(names) }

    static func changes(_ changes: [PropertyChange]) -> String {
        guard !changes.isEmpty else { return "none" }
        return changes.map { "\($0.name): \(value($0.old)) → \(value($0.new))" }.joined(separator: ", ")
    }

    private static func placed(_ city: City) -> String { "\(city.name) (\(city.country?.iso ?? "nowhere"))" }

    /// The number of names, and the first of them; the table truncates the rest.
    private static func list(_ names: [String]) -> String {
        guard !names.isEmpty else { return "none" }
        return "\(names.count.grouped): \(names.prefix(8).joined(separator: ", "))"
    }

    private static func value(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let number as Int: number.grouped
        case let value?: "\(value)"
        }
    }
}
