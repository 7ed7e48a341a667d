import PersistentObjects

/// A currency, one object for all countries that use it.
final class Currency: PersistentObject {
    /// The ISO 4217 code of three letters.
    @Unique var code = ""
    var name = ""

    @Inverse(\Country.currency) var countries: [Country]
}
