import PersistentObjects

/// A city and its location.
final class City: PersistentObject {
    /// The GeoNames number of the city.
    @Unique var geonameID = 0
    @Indexed var name = ""

    /// The country, which is loaded with the city. One query loads the countries of many cities.
    var country: Country?
    @Indexed var population = 0
    var latitude = 0.0
    var longitude = 0.0

    /// The time zone's name, such as `Europe/Paris`.
    @Indexed var timezone = ""

    /// The code of the state or province in its country; nil if GeoNames has none.
    var region: String?

    /// The names of the city in other languages and scripts.
    ///
    /// Lazy, because there can be ten of them for each city, and few are ever used.
    @Lazy var alternateNames: [String] = []
}
