/// The command line, parsed.
struct Options {
    /// The number of rows in the table.
    var rows = 100_000
    /// The number of times that each side of each work runs.
    var rounds = 5
    /// Parts of names. A work runs if its name contains one of them, or if there are none.
    var only: [String] = []
    /// The tables whose works run; if there are none, the first table.
    var groups: [Group] = []
    /// Whether to print JSON instead of a table.
    var json = false
    /// Files with such JSON, which are plotted.
    var plotted: [String] = []
    /// Whether the hand-written side opens its connection without SQLite's mutex.
    var floorNoMutex = false
    /// Whether the hand-written side runs as both sides, so that the ratios show the noise of the machine.
    var floorTwice = false
    /// The address of a server on which the library is compared with libpq.
    var postgres: String?
    /// Whether to print the text of `--help`.
    var wantsHelp = false
    /// The measured side, set only in the child process that measures memory.
    var memoryChild: Side?
    /// The shape of the objects that it loads; nil for players.
    var memoryShape: MemoryShape?
    /// Whether this is the child process that commits.
    var isCommitChild = false
    /// The file that a child opens.
    var database = ""

    /// The output of `--help`.
    static var help: String {
        """
        Usage: Benchmarks [options]

        Runs each work with PersistentObjects and with hand-written Swift over SQLite's C
        functions, in turn, and prints the medians and their ratio.

          --rows n          rows in the table (100000)
          --rounds n        times each side runs (5)
          --only name       only works with this in their name; may be given several times
          --group name      the works of this table: \(Group.allCases.map(\.rawValue).joined(separator: ", ")), or all;
                            may be given several times (objects)
          --json            a list of {"work", "ours_ms", "floor_ms", "ratio"}
          --plot file       an SVG of how times grow, made of what --json has printed for tables of
                            several sizes; may be given several times
          --floor-nomutex   the hand-written side opens with SQLITE_OPEN_NOMUTEX
          --floor-twice     the hand-written side in both places: shows the noise
          --postgres url    on this server instead, beside hand-written Swift over libpq; needs
                            --traits PostgreSQL, and makes and removes a schema po_benchmarks
          --help            this text

        Works:
        \(allWorks().map { "  " + $0.name }.joined(separator: "\n"))
        """
    }

    /// The defaults.
    init() {}

    /// - Throws: ``OptionError`` for an unknown option or an invalid value.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--rows": rows = try Self.number(after: option, in: &rest)
            case "--rounds": rounds = try Self.number(after: option, in: &rest)
            case "--only": only.append(try Self.value(after: option, in: &rest))
            case "--group": groups += try Self.group(after: option, in: &rest)
            case "--json": json = true
            case "--plot": plotted.append(try Self.value(after: option, in: &rest))
            case "--floor-nomutex": floorNoMutex = true
            case "--postgres": postgres = try Self.value(after: option, in: &rest)
            case "--floor-twice": floorTwice = true
            case "--help", "-h": wantsHelp = true
            case "--memory-child": memoryChild = try Self.side(after: option, in: &rest)
            case "--memory-shape": memoryShape = MemoryShape(rawValue: try Self.number(after: option, in: &rest))
            case "--commit-child": isCommitChild = true
            case "--database": database = try Self.value(after: option, in: &rest)
            default: throw OptionError("unknown option \(option); see --help")
            }
        }
    }

    /// Whether a work is to run, by its table and its name.
    func selects(_ work: any Work) -> Bool {
        let tables = groups.isEmpty ? only.isEmpty ? [.objects] : Group.allCases : groups
        return tables.contains(work.group) && selects(work.name)
    }

    /// Whether a work with this name is to run.
    func selects(_ name: String) -> Bool {
        only.isEmpty || only.contains { name.lowercased().contains($0.lowercased()) }
    }

    private static func value(after option: String, in rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw OptionError("\(option) needs a value; see --help") }
        return value
    }

    private static func number(after option: String, in rest: inout ArraySlice<String>) throws -> Int {
        let text = try value(after: option, in: &rest)
        guard let number = Int(text), number > 0 else {
            throw OptionError("\(option) needs a number above 0, not \(text)")
        }
        return number
    }

    private static func group(after option: String, in rest: inout ArraySlice<String>) throws -> [Group] {
        let text = try value(after: option, in: &rest)
        if text == "all" { return Group.allCases }
        guard let group = Group(rawValue: text) else { throw OptionError("there is no group \(text); see --help") }
        return [group]
    }

    private static func side(after option: String, in rest: inout ArraySlice<String>) throws -> Side {
        let text = try value(after: option, in: &rest)
        guard let side = Side(rawValue: text) else { throw OptionError("\(option) needs ours or floor, not \(text)") }
        return side
    }
}

/// The error for an invalid command line, with a message of one line.
struct OptionError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
