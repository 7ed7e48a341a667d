// PersistentInspector: a look into the file of any store, without the classes of its program. It knows files and their
// descriptions, and must not know a program's classes.

internal import PersistentObjects

/// A command of the program `persistent`, which looks into the file of a store.
///
/// ```swift
/// let command = try InspectorCommand(["people.sqlite", "show", "Person", "1"])
/// try command.run { print($0) }
/// ```
public struct InspectorCommand {
    private let arguments: InspectorArguments

    /// Creates a command from the words after the name of the program.
    ///
    /// - Throws: `InspectorError` for an option that does not exist or lacks its value.
    public init(_ arguments: [String]) throws {
        self.arguments = try InspectorArguments(arguments)
    }

    /// Runs the command, and passes each line of its output to `write`.
    ///
    /// - Returns: The exit status: 0, or 1 if `check` found a problem or `diff` found a difference.
    /// - Throws: `InspectorError`, and the errors of `write`.
    @discardableResult
    public func run(_ write: @escaping (String) throws -> Void) throws -> Int32 {
        // Names and values in a file can contain characters that control a terminal. A field of CSV has its line breaks.
        let isCSV = arguments.flags.contains("--csv")
        do {
            return try runCommand { try write(isCSV ? $0 : VisibleText.of($0, .max)) }
        } catch let error as StoreError { throw InspectorError("\(error)") }
    }

    private func runCommand(_ write: @escaping (String) throws -> Void) throws -> Int32 {
        if arguments.flags.contains("--help") || arguments.words.isEmpty {
            for line in InspectorCommand.help.split(separator: "\n", omittingEmptySubsequences: false) {
                try write(String(line))
            }
            return 0
        }
        var words = arguments.words
        let first = words.removeFirst()
        if first == "diff" {
            guard (2...3).contains(words.count) else { throw usage("persistent diff A B [CLASS]") }
            try arguments.check("diff", options: [])
            let diff = try FileDifference(words[0], words[1], className: words.count == 3 ? words[2] : nil)
            return try diff.run(write) ? 1 : 0
        }
        let name = words.isEmpty ? "summary" : words.removeFirst()
        guard let command = InspectorCommand.commands[name] else {
            if let reason = InspectorCommand.missing[name] { throw InspectorError(reason) }
            throw InspectorError("There is no command \(name). See persistent --help.")
        }
        guard command.words.contains(words.count) else { throw usage("persistent FILE \(command.usage)") }
        try arguments.check(name, options: command.options)
        let call = CommandCall(path: first, words: words, arguments: arguments, write: write)
        return try command.run(call) ? 1 : 0
    }

    private func usage(_ text: String) -> InspectorError { InspectorError("Usage: \(text). See persistent --help.") }

    /// The description of all commands.
    public static let help = """
        usage: persistent FILE [COMMAND] [options]
               persistent postgres://… [COMMAND] [options]      with the trait PostgreSQL
               persistent diff A B [CLASS]

        Looks into the file of a store, or into a store on a server. The store stays unchanged, except by edit --yes.

          summary                        format, sizes, last change of classes, classes
          classes [CLASS]                classes, or one class with its properties
                                         --dot  a diagram for Graphviz
                                         --sql  the tables, indexes and triggers
                                         --json
          show CLASS ID                  an object, and the objects that refer to it
                                         --depth N  also the objects that it refers to
          find 'CLASS.FINDER(VALUES)'    the result of a finder, such as
                                         'Person.findByLastNameAndAge("Smith", 39)'
                                         --plan --json --csv --limit N
          sql 'SELECT …'                 the result of a statement that reads
                                         --plan --json --csv --limit N
          sizes                          bytes of each table and its indexes
          check                          damage, dangling references, unreadable values;
                                         the exit status is 1 if there are any
          history                        the changes of classes            --json
          watch                          objects that change, until interrupted
                                         --seconds N  for this time
          serve                          the file in a browser, with the trait Inspector
                                         --port N --write
          edit CLASS ID PROPERTY=VALUE   the old and the new value and the SQL
                                         --yes  writes the new value
        """

    /// What is planned and not there, with what to use instead.
    private static let missing = [
        "serve":
            "The command serve needs a build with libmicrohttpd: swift build --traits Inspector --product persistent."
    ]
}

/// One call of a command.
struct CommandCall {
    let path: String
    let words: [String]
    let arguments: InspectorArguments
    let write: (String) throws -> Void

    func file(isLimited: Bool = true) throws -> InspectedFile { try InspectedFile(path, isLimited: isLimited) }
    func has(_ flag: String) -> Bool { arguments.flags.contains(flag) }
    func write(_ lines: [String]) throws { for line in lines { try write(line) } }

    /// The number of rows that are written.
    func limit() throws -> Int {
        try arguments.number("--limit", in: 1...Bounds.statementRows) ?? Bounds.rows
    }

    /// Writes rows, and the fact that there are more.
    func write(_ rows: TypedRows, isCut: Bool, limit: Int) throws {
        let format = try arguments.format()
        if rows.rows.isEmpty, format == .table { return try write("No rows") }
        try write(rows.lines(format))
        if isCut, format == .table { try write("… more than \(limit) rows; see --limit") }
    }
}

extension InspectorCommand {
    /// A command of a file.
    private struct Command {
        let usage: String
        let words: ClosedRange<Int>
        let options: Set<String>
        /// Returns whether there is a finding.
        let run: @Sendable (CommandCall) throws -> Bool
    }

    private static let rowOptions: Set<String> = ["--plan", "--json", "--csv", "--limit"]

    private static let commands: [String: Command] = [
        "summary": Command(usage: "summary", words: 0...0, options: []) { try Summary.run($0) },
        "classes": Command(usage: "classes [CLASS]", words: 0...1, options: ["--dot", "--sql", "--json"]) {
            try Classes.run($0)
        },
        "show": Command(usage: "show CLASS ID", words: 2...2, options: ["--depth"]) { try Show.run($0) },
        "find": Command(usage: "find 'CLASS.FINDER(VALUES)'", words: 1...1, options: rowOptions) { try Find.run($0) },
        "sql": Command(usage: "sql 'SELECT …'", words: 1...1, options: rowOptions) { try Statements.run($0) },
        "sizes": Command(usage: "sizes", words: 0...0, options: []) { try Sizes.run($0) },
        "check": Command(usage: "check", words: 0...0, options: []) { try Check.run($0) },
        "history": Command(usage: "history", words: 0...0, options: ["--json"]) { try SchemaHistory.run($0) },
        "watch": Command(usage: "watch", words: 0...0, options: ["--seconds"]) { try Watch.run($0) },
        "edit": Command(usage: "edit CLASS ID PROPERTY=VALUE", words: 3...50, options: ["--yes"]) { try Edit.run($0) },
    ]
}
