import Foundation
import PersistentObjects

/// The demo program: imports countries and cities of GeoNames into a store file, unless it already contains them, and
/// shows example queries.
@main
enum Atlas {
    static func main() {
        do {
            try run(Options(Array(CommandLine.arguments.dropFirst())))
        } catch {
            Console.complain(error)
            exit(2)
        }
    }

    private static func run(_ options: Options) throws {
        let console = Console()
        guard !options.wantsHelp else { return try console.write(Options.help) }
        let folder = try options.data.map(DataFolder.init) ?? .bundled()
        let importer = Importer(console: console)
        // Read before the file exists, so that invalid data does not create an empty store.
        let isThere = FileManager.default.fileExists(atPath: options.store)
        let records = isThere ? nil : try importer.read(folder)
        // The default store from here on: `City.count()` and similar calls query it.
        let store = try Store.open(options.store)
        defer { store.close() }
        let held = try Census(
            countries: Country.count(), currencies: Currency.count(), cities: City.count())
        if held == .empty {
            try importer.save(records ?? importer.read(folder), in: store, at: options.store)
        } else {
            try check(held, of: options.store, against: folder)
            try console.line("\(options.store) holds \(held) already: nothing to import.")
        }
        try Tour(console: console).run()
    }

    /// Rejects a store that an import has left incomplete, or that was filled from less data.
    private static func check(_ held: Census, of path: String, against folder: DataFolder) throws {
        let expected = try folder.census()
        guard !held.isPart(of: expected) else {
            throw AtlasError.incompleteStore(path, held: held, expected: expected)
        }
    }
}
