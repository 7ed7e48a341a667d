/// The options of the command line.
struct Options: Equatable {
    /// The folder to import from; nil for the bundled data.
    var data: String?
    var store = "atlas.sqlite"
    var wantsHelp = false

    static let help = """
        usage: atlas [--data <folder>] [--store <file>]

        Imports countries, their neighbours, languages and currencies, and cities with
        their names in every script into a store file, unless it holds them already, and
        shows what PersistentObjects finds, follows, saves and deletes, and how fast.

          --data <folder>   import from this folder: countries.json, and cities.jsonl or
                            cities15000.jsonl (default: 252 countries, the 5,000
                            largest cities, and all names of the 1,000 largest, which
                            come with the program)
          --store <file>    the store file (default: atlas.sqlite in the current folder)
          --help            show this text

        The data is from GeoNames (geonames.org), CC BY 4.0.

        """

    /// Parses the arguments after the program's name.
    ///
    /// - Throws: `AtlasError` for an argument that is unknown, repeated or lacks its value.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        var seen: Set<String> = []
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = argument.hasPrefix("--") ? String(parts[0]) : argument
            let attached = argument.hasPrefix("--") && parts.count == 2 ? String(parts[1]) : nil
            if ["--help", "-h"].contains(argument) {
                wantsHelp = true
                return
            }
            guard name.hasPrefix("-") else { throw AtlasError.unexpectedArgument(argument) }
            guard let meaning = Self.meanings[name] else { throw AtlasError.unknownOption(argument) }
            guard seen.insert(name).inserted else { throw AtlasError.repeatedOption(name) }
            let value = attached ?? Self.takeValue(from: &rest)
            guard let value, !value.isEmpty else { throw AtlasError.missingValue(option: name, meaning: meaning) }
            if name == "--data" { data = value } else { store = value }
        }
    }

    /// The options that take a value, with the kind of value.
    private static let meanings = ["--data": "a folder", "--store": "a file name"]

    private static func takeValue(from rest: inout ArraySlice<String>) -> String? {
        guard let next = rest.first, !next.hasPrefix("--") else { return nil }
        return rest.popFirst()
    }
}
