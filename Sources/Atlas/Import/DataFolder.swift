import Foundation

/// The folder with the data: `countries.json`, one object keyed by ISO code, and `cities.jsonl` (or
/// `cities15000.jsonl`), one object per line.
///
/// Reading checks each entry and stops at the first invalid entry, with the file and its position. It does not use the
/// store.
struct DataFolder {
    let countriesFile: URL
    let citiesFile: URL

    private static let countriesName = "countries.json"
    private static let citiesNames = ["cities.jsonl", "cities15000.jsonl"]

    /// - Throws: `AtlasError` if the folder, or one of the two files, does not exist.
    init(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw AtlasError.missingFolder(path)
        }
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        func file(_ names: [String]) throws -> URL {
            let files = names.map { folder.appendingPathComponent($0) }
            guard let file = files.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
                throw AtlasError.missingFile(names.joined(separator: " or "), folder: path)
            }
            return file
        }
        countriesFile = try file([Self.countriesName])
        citiesFile = try file(Self.citiesNames)
    }

    /// The folder bundled with the program.
    static func bundled() throws -> DataFolder {
        let folder = Bundle.module.url(forResource: "Data", withExtension: nil)
        return try DataFolder(folder?.path ?? Bundle.module.bundleURL.appendingPathComponent("Data").path)
    }

    /// The number of objects to import. Reads the countries, and counts the lines of the cities.
    func census() throws -> Census {
        try Importer.census(of: countries(), cities: lines(of: citiesFile).count)
    }

    /// All countries, by ISO code.
    func countries() throws -> [CountryRecord] {
        let text = try contents(of: countriesFile)
        let records: [String: CountryRecord]
        do {
            records = try JSONDecoder().decode([String: CountryRecord].self, from: text)
        } catch let error as DecodingError {
            let entry = error.keys.first.map { "entry \"\($0)\"" }
            throw badData(countriesFile, entry, error.problem(in: text, below: 1))
        }
        guard !records.isEmpty else { throw badData(countriesFile, nil, "it contains no country") }
        return try records.sorted { $0.key < $1.key }.map { key, record in
            if let problem = record.problem(key: key, isKey: { records[$0] != nil }) {
                throw badData(countriesFile, "entry \"\(key)\"", problem)
            }
            return record
        }
    }

    /// All cities, largest first, so that the first city of a country is its largest.
    ///
    /// - Parameter progress: Called after each line with the number of read cities, and the total.
    func cities(of countries: [CountryRecord], progress: (Int, Int) throws -> Void) throws -> [CityRecord] {
        let countryCodes = Set(countries.map(\.iso))
        let lines = try lines(of: citiesFile)
        guard !lines.isEmpty else { throw badData(citiesFile, nil, "it contains no city") }
        let decoder = JSONDecoder()
        var lineOfID: [Int: Int] = [:]
        var records: [CityRecord] = []
        records.reserveCapacity(lines.count)
        for line in lines {
            let place = "line \(line.number)"
            let record: CityRecord
            do {
                record = try decoder.decode(CityRecord.self, from: line.text)
            } catch let error as DecodingError {
                throw badData(citiesFile, place, error.problem(in: line.text))
            }
            if let problem = record.problem(countryCodes: countryCodes) { throw badData(citiesFile, place, problem) }
            if let other = lineOfID.updateValue(line.number, forKey: record.geonameID) {
                throw badData(citiesFile, place, "\"geonameid\" \(record.geonameID) is on line \(other) already")
            }
            records.append(record)
            try progress(records.count, lines.count)
        }
        return records.sorted { ($0.population, $1.geonameID) > ($1.population, $0.geonameID) }
    }

    private func contents(of file: URL) throws -> Data {
        do {
            return try Data(contentsOf: file)
        } catch {
            throw AtlasError.unreadableFile(file.path, reason: error.localizedDescription)
        }
    }

    /// The lines that are not blank, each with its number in the file.
    private func lines(of file: URL) throws -> [(number: Int, text: Data)] {
        let newline = UInt8(ascii: "\n")
        let blanks: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
        return try contents(of: file)
            .split(separator: newline, omittingEmptySubsequences: false)
            .enumerated()
            .map { (number: $0.offset + 1, text: $0.element) }
            .filter { line in !line.text.allSatisfy(blanks.contains) }
    }

    private func badData(_ file: URL, _ place: String?, _ problem: String) -> AtlasError {
        .badData(file: file.lastPathComponent, place: place, problem: problem)
    }
}
