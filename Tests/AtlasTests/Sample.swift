/// A small world in the format of the full data set, including unused fields and gaps. In it, France borders on the
/// Vatican.
enum Sample {
    static let countries = """
        {
        "AQ": {"name": "Antarctica", "iso": "AQ", "continentcode": "AN", "capital": "", "areakm2": 14000000, \
        "population": 0, "currencycode": "", "currencyname": "", "languages": "", "neighbours": ""},
        "FR": {"name": "France", "iso": "FR", "continentcode": "EU", "capital": "Paris", "areakm2": 547030, \
        "population": 66987244, "currencycode": "EUR", "currencyname": "Euro", "languages": "fr-FR,frp,br,", \
        "neighbours": "VA"},
        "VA": {"name": "Vatican City", "iso": "VA", "continentcode": "EU", "capital": "Vatican City", "areakm2": 0, \
        "population": 921, "currencycode": "EUR", "currencyname": "Euro", "neighbours": "FR"}
        }
        """

    /// The summaries that the program prints for this data.
    static let census = "3 countries, 1 currency and 3 cities"
    static let imported = "Imported \(census) with 3 names into "

    static let cities = [
        city(1, "Lyon", population: 522_250, region: "84"),
        city(2, "Paris", population: 2_138_551, region: "11", more: #","alternatenames":["Lutetia","巴黎","Париж"]"#),
        "",
        city(3, "Saint-Étienne", population: 171_924, region: "", more: #","alternatenames":[""]"#),
    ]

    static func city(
        _ id: Int, _ name: String, latitude: Double = 45.5, population: Int = 1, country: String = "FR",
        region: String = "", more: String = ""
    ) -> String {
        """
        {"geonameid":\(id),"name":"\(name)","latitude":\(latitude),"longitude":4.25,"countrycode":"\(country)",\
        "population":\(population),"timezone":"Europe/Paris","admin1code":"\(region)"\(more)}
        """
    }
}
