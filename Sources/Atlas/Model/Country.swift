import PersistentObjects

/// A country or territory. The plain `var`s are what is stored.
final class Country: PersistentObject {
    /// The ISO 3166 code of two letters.
    @Unique var iso = ""
    @Indexed var name = ""
    @Indexed var continent = Continent.europe
    var population = 0

    /// The capital's name; nil where there is none, as in Antarctica.
    var capital: String?

    /// The area in square kilometres; nil where GeoNames has none.
    var area: Int?

    /// What people pay with; many countries share one.
    var currency: Currency?

    /// The codes of the languages, such as `fr-FR` or `br`, the most spoken first.
    var languages: [String] = []

    /// The countries with a common border.
    ///
    /// Lazy, since each of them has neighbours of its own: one country would bring all of its continent along.
    @Lazy var neighbours: [Country] = []

    /// The cities that name this country as theirs. They are deleted with it.
    @Inverse(\City.country, onDelete: .cascade) var cities: [City]
}
