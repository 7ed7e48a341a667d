/// A small world in the form of the shared data: fields that are not used, and
/// gaps, included.
enum Sample {
    static let countries = """
        {
        "AQ": {"name": "Antarctica", "iso": "AQ", "continentcode": "AN", "capital": "", "areakm2": 14000000, \
        "population": 0, "currencycode": "", "neighbours": ""},
        "FR": {"name": "France", "iso": "FR", "continentcode": "EU", "capital": "Paris", "areakm2": 547030, \
        "population": 66987244, "currencycode": "EUR", "neighbours": "CH,DE"},
        "VA": {"name": "Vatican City", "iso": "VA", "continentcode": "EU", "capital": "Vatican City", "areakm2": 0, \
        "population": 921, "currencycode": "EUR"}
        }
        """

    static let cities = [
        city(1, "Lyon", population: 522_250, region: "84"),
        city(2, "Paris", population: 2_138_551, region: "11", more: #","alternatenames":["Lutetia","巴黎"]"#),
        "",
        city(3, "Saint-Étienne", population: 171_924, region: ""),
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
