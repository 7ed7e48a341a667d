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

    /// The ISO 4217 code of the currency.
    var currency: String?
}
