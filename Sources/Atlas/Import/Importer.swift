import PersistentObjects

/// Brings the records of a data folder into a store.
///
/// The whole data is read and checked before the first object is saved. A save
/// is a transaction of one batch, so a run that is killed between two batches
/// leaves a part behind. The countries are saved last, in one batch: a store
/// without any tells that its import did not reach the end.
struct Importer {
    /// What is to be imported, read and checked.
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

    /// Saves all records, and says how long that took.
    func save(_ records: Records, in store: Store, at path: String) throws {
        let time = try ContinuousClock().measure { try save(records, in: store) }
        let imported = Census(countries: records.countries.count, cities: records.cities.count)
        try console.line("Imported \(imported) into \(path) in \(time.short).")
    }

    /// If a batch fails, those before it are deleted again.
    private func save(_ records: Records, in store: Store) throws {
        let total = records.cities.count + records.countries.count
        var bar = ProgressBar("Importing", total: total, console: console)
        defer { bar.finish() }
        try store.withSession { session in
            var saved: [PersistentObject] = []
            func save(_ batch: [PersistentObject]) throws {
                try session.save(batch)
                saved += batch
                try bar.show(saved.count)
            }
            do {
                try bar.show(0)
                for start in stride(from: 0, to: records.cities.count, by: Self.batchSize) {
                    let end = min(start + Self.batchSize, records.cities.count)
                    try save(records.cities[start..<end].map { $0.makeCity() })
                }
                try save(records.countries.map { $0.makeCountry() })
            } catch {
                // What is left if this fails too, the next run reports as a part.
                try? session.delete(saved)
                throw error
            }
        }
    }
}
