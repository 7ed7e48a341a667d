import PersistentObjects

/// A city and where it lies.
final class City: PersistentObject {
    /// The number by which GeoNames knows the city.
    @Unique var geonameID = 0
    @Indexed var name = ""

    /// The country: loaded with the city, the countries of many cities by one query.
    var country: Country?
    @Indexed var population = 0
    var latitude = 0.0
    var longitude = 0.0

    /// The time zone's name, such as `Europe/Paris`.
    var timezone = ""

    /// The code of the state or province in its country; nil where GeoNames has none.
    var region: String?

    /// What the city is called elsewhere, in every script.
    ///
    /// Lazy, since there can be ten of them for each city, and few are ever looked at.
    @Lazy var alternateNames: [String] = []
}
