import PersistentObjects

/// A country or territory. The plain `var`s are stored.
final class Country: PersistentObject {
    /// The ISO 3166 code of two letters.
    @Unique var iso = ""
    @Indexed var name = ""
    @Indexed var continent = Continent.europe
    var population = 0

    /// The capital's name; nil if there is none, as in Antarctica.
    var capital: String?

    /// The area in square kilometers; nil if GeoNames has none.
    var area: Int?

    /// The currency; many countries share one.
    var currency: Currency?

    /// The codes of the languages, such as `fr-FR` or `br`, the most spoken first.
    var languages: [String] = []

    /// The countries with a common border.
    ///
    /// Lazy, because each neighbor has neighbors, so one country would load its whole continent.
    @Lazy var neighbours: [Country] = []

    /// The cities of this country. They are deleted with it.
    @Inverse(\City.country, onDelete: .cascade) var cities: [City]
}
