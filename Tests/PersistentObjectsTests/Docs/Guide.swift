import Foundation
import TestSupport

/// A Markdown file whose examples are tested. Instructions for the tests are written in HTML comments, which readers
/// do not see:
///
/// - `<!-- one program -->`: all Swift blocks of the file form one program, in their order, which is run. Otherwise
///   each block is a separate example.
/// - `<!-- hidden` … `-->`: declarations for the examples.
///
/// Before a Swift block:
///
/// - no comment: statements. They can use the members of `struct Given`, which hidden code may declare with an
///   `init(_ store: Store) throws`. If a `text` block follows, the statements are run in a new store and must print
///   that text, including any thrown error.
/// - `<!-- shared -->`: declarations that the other blocks of the file can use.
/// - `<!-- declaration -->`: declarations that no other block can use.
/// - `<!-- error: … -->`: statements that must fail to compile with this message.
/// - `<!-- not compiled: … -->`: a block that is neither compiled nor run, for this reason.
///
/// `<!-- file: tool/Book.swift -->` before a block of any language turns it into a file of the program `tool`, which
/// consists of all Swift files in that folder. Without a folder in the name, the file is written to the folder where
/// the programs run. A folder called `…Tests` is a test target, which is run. Several names separated by commas are
/// several files with the same text. A `console` block shows how programs are used: the text after `$ ` is run by a
/// shell and must print the lines below it. All console blocks of a guide form one shell session.
///
/// Before an `sql` block, `<!-- schema: Person, Pet -->`: the output of `.schema` in the `sqlite3` tool for a store
/// with these classes, in any order and with any line breaks, without the tool's `IF NOT EXISTS`.
///
/// A table whose last two headings are `Swift` and `SQL` is run: the code of each row must cause the statements in
/// the row. `…` matches any text. Other types of tables are marked: `<!-- refused -->`, `<!-- columns -->`,
/// `<!-- names -->`.
struct Guide: Sendable {
    struct Block: Sendable {
        let number: Int
        /// The line of the file at which the code starts, counted from 1.
        let line: Int
        let language: String
        let marks: [String]
        let code: [String]
        /// The `text` block that follows.
        var output: [String]?

        /// The text after the colon of a mark.
        func value(of mark: String) -> String? {
            marks.first { $0.hasPrefix(mark + ":") }?.dropFirst(mark.count + 1).trimmingCharacters(in: .whitespaces)
        }
    }

    /// The cells of a row, each as a list of its code spans.
    struct Row: Sendable {
        let number: Int
        let line: Int
        let cells: [[String]]
    }

    struct Table: Sendable {
        let kind: String
        let rows: [Row]
    }

    let name: String
    let isOneProgram: Bool
    let hidden: [String]
    let blocks: [Block]
    let tables: [Table]
    let headings: [String]
    let links: [String]

    /// The Swift blocks that are tested as examples.
    var examples: [Block] {
        blocks.filter {
            $0.language == "swift" && $0.value(of: "not compiled") == nil && $0.value(of: "file") == nil
        }
    }

    /// The blocks that are files, by file name.
    var files: [(name: String, block: Block)] {
        blocks.flatMap { block in
            (block.value(of: "file") ?? "").split(separator: ", ").map { (String($0), block) }
        }
    }

    /// The blocks that show how programs are used.
    var consoles: [Block] { blocks.filter { $0.language == "console" } }

    /// The `sql` blocks that show tables.
    var schemas: [Block] { blocks.filter { $0.language == "sql" && $0.value(of: "schema") != nil } }

    func rows(_ kind: String) -> [Row] { tables.filter { $0.kind == kind }.flatMap(\.rows) }

    init(name: String, text: String) {
        self.name = name
        var reader = GuideReader()
        // An empty line ends a table.
        for line in (text + "\n").components(separatedBy: "\n") { reader.read(line) }
        isOneProgram = reader.allMarks.contains("one program")
        hidden = reader.hidden
        blocks = reader.blocks
        tables = reader.tables
        headings = reader.headings
        links = reader.links
    }

    static let folder = SwiftCompiler.packageFolder

    /// Reads the guide at a path relative to the package's folder.
    static func named(_ name: String) throws -> Guide {
        Guide(name: name, text: try String(contentsOf: folder.appending(path: name), encoding: .utf8))
    }

    /// The paths of all guides, starting with the README.
    static let names: [String] = {
        let docs = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "Docs").path)
        // If the folder cannot be read, guides are missing, which the test of the index detects.
        return ["README.md"] + (docs ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "Docs/\($0)" }
    }()
}

/// Parses a Markdown file line by line.
private struct GuideReader {
    private(set) var blocks: [Guide.Block] = []
    private(set) var tables: [Guide.Table] = []
    private(set) var hidden: [String] = []
    private(set) var headings: [String] = []
    private(set) var links: [String] = []
    private(set) var allMarks: [String] = []
    private var lineNumber = 0
    private var marks: [String] = []
    private var open: (line: Int, language: String, code: [String])?
    private var isHidden = false
    private var header: [String] = []
    private var rows: [Guide.Row] = []
    private var rowCount = 0
    /// Whether only empty lines followed the last Swift block.
    private var followsExample = false

    mutating func read(_ line: String) {
        lineNumber += 1
        if let block = open {
            if line == "```" { close(block) } else { open?.code.append(line) }
        } else if isHidden {
            if line == "-->" { isHidden = false } else { hidden.append(line) }
        } else if line == "<!-- hidden" {
            isHidden = true
        } else if line.hasPrefix("```") {
            open = (lineNumber + 1, String(line.dropFirst(3)), [])
        } else if line.hasPrefix("<!-- "), line.hasSuffix(" -->") {
            let mark = String(line.dropFirst(5).dropLast(4))
            marks.append(mark)
            allMarks.append(mark)
        } else if line.hasPrefix("|") {
            readRow(line)
        } else if !line.isEmpty {
            readText(line)
        }
        if !line.hasPrefix("|") { closeTable() }
    }

    private mutating func readText(_ line: String) {
        marks = []
        followsExample = false
        if line.hasPrefix("#") { headings.append(String(line.drop { $0 == "#" }.dropFirst())) }
        links += line.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
    }

    private mutating func close(_ block: (line: Int, language: String, code: [String])) {
        open = nil
        if block.language == "text", followsExample { blocks[blocks.count - 1].output = block.code }
        followsExample = block.language == "swift"
        guard block.language != "text" else { return }
        blocks.append(
            Guide.Block(
                number: blocks.count, line: block.line, language: block.language, marks: marks, code: block.code))
        marks = []
    }

    private mutating func readRow(_ line: String) {
        links += line.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
        followsExample = false
        let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if header.isEmpty {
            header = cells
        } else if !cells.allSatisfy({ $0.allSatisfy { "-:".contains($0) } }) {
            let code = cells.map { $0.matches(of: /`+([^`]+)`+/).map { String($0.1) } }
            rows.append(Guide.Row(number: rowCount, line: lineNumber, cells: code))
            rowCount += 1
        }
    }

    private mutating func closeTable() {
        guard !header.isEmpty else { return }
        if header.suffix(2) == ["Swift", "SQL"] {
            let ran = rows.map { Guide.Row(number: $0.number, line: $0.line, cells: $0.cells.suffix(2)) }
            tables.append(Guide.Table(kind: "SQL", rows: ran))
        } else {
            tables.append(Guide.Table(kind: marks.last ?? "", rows: rows))
        }
        header = []
        rows = []
        marks = []
    }
}
