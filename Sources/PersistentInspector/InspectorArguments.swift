/// The words and options of a command line.
struct InspectorArguments: Equatable {
    /// The words that are not options.
    var words: [String] = []
    /// The options without values, with their dashes.
    var flags: Set<String> = []
    /// The options with values.
    var values: [String: String] = [:]

    private static let known: Set<String> = ["--dot", "--sql", "--json", "--csv", "--plan", "--yes", "--help"]
    private static let valued = ["--depth": "a number", "--limit": "a number", "--seconds": "a number"]

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                return
            }
            if argument == "-h" {
                flags.insert("--help")
                continue
            }
            // A negative number, and SQL, are not options.
            guard argument.hasPrefix("--"), !argument.contains(" ") else {
                words.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 1, InspectorArguments.known.contains(argument) {
                guard flags.insert(argument).inserted else { throw InspectorError("\(argument) is given twice.") }
                continue
            }
            guard let meaning = InspectorArguments.valued[parts[0]] else {
                throw InspectorError("There is no option \(argument). See persistent --help.")
            }
            let value = parts.count == 2 ? parts[1] : rest.popFirst()
            guard let value, !value.isEmpty, !value.hasPrefix("--") else {
                throw InspectorError("\(parts[0]) needs \(meaning). See persistent --help.")
            }
            guard values.updateValue(value, forKey: parts[0]) == nil else {
                throw InspectorError("\(parts[0]) is given twice.")
            }
        }
    }

    /// The number of an option; nil if the option is not given.
    func number(_ option: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = values[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw InspectorError("\(option) is a number from \(range.lowerBound) to \(range.upperBound), not \(text).")
        }
        return number
    }

    /// Throws if an option is given that a command does not have.
    func check(_ command: String, options: Set<String>) throws {
        for option in (Array(flags) + Array(values.keys)).sorted() where !options.contains(option) {
            throw InspectorError("The command \(command) has no option \(option). See persistent --help.")
        }
    }

    /// The form in which rows are written.
    func format() throws -> RowFormat {
        guard !flags.isSuperset(of: ["--json", "--csv"]) else {
            throw InspectorError("--json and --csv exclude each other.")
        }
        return flags.contains("--json") ? .json : flags.contains("--csv") ? .csv : .table
    }
}
