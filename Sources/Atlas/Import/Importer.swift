import PersistentObjects

/// Imports the records of a data folder into a store.
///
/// All data is read and checked before the first object is saved. Each batch is saved in a transaction, so a run that
/// is killed between two batches leaves an incomplete store. The countries are saved first, because the cities refer to
/// them. Their own references are saved last, in one call, so a store without currencies shows that its import did not
/// finish.
struct Importer {
    /// The records to import, read and checked.
    struct Records {
        let countries: [CountryRecord]
        let cities: [CityRecord]
    }

    let console: Console

    private static let batchSize = 1_000

    /// Reads all of the folder.
    func read(_ folder: DataFolder) throws -> Records {
        let countries = try folder.countries()
        var bar: ProgressBar?
        defer { bar?.finish() }
        let cities = try folder.cities(of: countries) { done, total in
            if bar == nil { bar = ProgressBar("Reading", total: total, console: console) }
            try bar?.show(done)
        }
        return Records(countries: countries, cities: cities)
    }

    /// The counts of these records in a store.
    static func census(of countries: [CountryRecord], cities: Int) -> Census {
        let currencies = Set(countries.compactMap { $0.currencyCode?.nilIfEmpty })
        return Census(countries: countries.count, currencies: currencies.count, cities: cities)
    }

    /// Saves all records, and reports the duration.
    func save(_ records: Records, in store: Store, at path: String) throws {
        let time = try ContinuousClock().measure { try save(records, in: store) }
        let imported = Self.census(of: records.countries, cities: records.cities.count)
        let names = records.cities.reduce(0) { $0 + $1.names.count }
        try console.line("Imported \(imported) with \(names.counted("name", "names")) into \(path) in \(time.short).")
    }

    /// Saves all records. If a batch fails, it deletes the earlier batches.
    private func save(_ records: Records, in store: Store) throws {
        var bar = ProgressBar("Importing", total: records.cities.count + 1, console: console)
        defer { bar.finish() }
        try store.withSession { session in
            try bar.show(0)
            try session.save(records.countries.map { $0.makeCountry() })
            // The countries are fetched again, because the saved objects would hold all their cities in memory.
            let countries = try Country.all()
            do {
                let byCode = Dictionary(countries.map { ($0.iso, $0) }, uniquingKeysWith: { first, _ in first })
                for start in stride(from: 0, to: records.cities.count, by: Self.batchSize) {
                    let end = min(start + Self.batchSize, records.cities.count)
                    try session.save(records.cities[start..<end].map { $0.makeCity(in: byCode[$0.countryCode]) })
                    try bar.show(end)
                }
                link(byCode, by: records.countries)
                // One call saves everything, because neighbors form cycles and refer to new currencies.
                try session.save(countries)
                try bar.show(records.cities.count + 1)
            } catch {
                // The deletion cascades to the cities. If it also fails, the next run reports the store as incomplete.
                try? session.delete(countries)
                throw error
            }
        }
    }

    /// Sets the neighbors and currencies of countries.
    private func link(_ countries: [String: Country], by records: [CountryRecord]) {
        var currencies: [String: Currency] = [:]
        for record in records {
            guard let country = countries[record.iso] else { continue }
            country.neighbours = record.neighbourCodes.compactMap { countries[$0] }
            guard let code = record.currencyCode?.nilIfEmpty else { continue }
            let currency = currencies[code] ?? Currency()
            currencies[code] = currency
            currency.code = code
            currency.name = record.currencyName ?? ""
            country.currency = currency
        }
    }
}
