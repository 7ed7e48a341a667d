import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// What the guides must not leave out, and where their links lead.
struct DocumentationCoverageTests {
    @Test func `no guide is missing`() {
        let wanted = [
            "Architecture", "Errors", "Events", "Finders", "GettingStarted", "Mapping", "Performance", "Queries",
            "RawSQL",
            "Relations", "Search", "Sessions", "Testing", "Undo", "UnitOfWork", "Validation",
        ]
        #expect(Guide.names == ["README.md"] + wanted.map { "\($0).md" })
    }

    @Test(arguments: Guide.names)
    func `links lead somewhere`(name: String) throws {
        let base = name == "README.md" ? Guide.folder : Guide.folder.appending(path: "Docs")
        for link in try Guide.named(name).links where !link.contains("://") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let file = parts[0].isEmpty ? name : parts[0]
            let target = base.appending(path: file)
            #expect(parts[0].isEmpty || FileManager.default.fileExists(atPath: target.path), "\(link)")
            guard parts.count == 2 else { continue }
            let anchors = try Guide.named(file.replacing("Docs/", with: "")).headings.map(anchor)
            #expect(anchors.contains(parts[1]), "\(link)")
        }
    }

    /// As GitHub makes it of a heading.
    private func anchor(_ heading: String) -> String {
        String(heading.lowercased().compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" ? $0 : nil })
    }

    @Test(arguments: [
        ("StoreEngine/Values/StoreError.swift", #"public static let (\w+) = Code"#, ""),
        ("PersistentObjects/Mapping/SchemaError.swift", #"    case (\w+)\("#, "SchemaError."),
        ("PersistentObjects/Finders/Names/FinderError.swift", #"^    case (\w+)\("#, "FinderError."),
    ])
    func `each error has its heading`(path: String, pattern: String, prefix: String) throws {
        let file = Guide.folder.appending(path: "Sources/\(path)")
        let expression = try Regex(pattern, as: (Substring, Substring).self)
        // The names of declarations; the cases of `switch`es begin with a point.
        let names = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            .compactMap { line in line.firstMatch(of: expression).map { String($0.1) } }
        #expect(names.count >= 9)
        let headings = Set(try Guide.named("Errors.md").headings)
        #expect(names.filter { !headings.contains(prefix + $0) } == [])
    }

    @Test func `each word of finder names is explained`() throws {
        let text = try String(contentsOf: Guide.folder.appending(path: "Docs/Finders.md"), encoding: .utf8)
        // Said of all subjects that begin with `find`, and of all operators.
        let synonyms = ["read", "query", "search", "retrieve", "stream"]
        let subjects = FinderGrammar.subjects.map(\.spelling).filter { word in
            !synonyms.contains { word.hasPrefix($0) && word != $0 }
        }
        let operators = FinderGrammar.operators.map(\.spelling).filter { word in
            !["Is", "Not", "IsNot"].contains { word.hasPrefix($0) && word != $0 } || word == "NotExists"
        }
        let others = [FinderGrammar.ignoreCase, FinderGrammar.ignoreAllCase].flatMap(\.spellings)
        let words = subjects + operators + others + FinderGrammar.connectives.spellings + FinderGrammar.directionNames
        let missing = words.filter { !text.contains("`\($0)`") }
        // The operator of no letters is "nothing" in the text.
        #expect(missing.filter { !$0.isEmpty } == [])
    }

    @Test(arguments: Guide.names)
    func `each schema that is shown is compared`(name: String) throws {
        let guide = try Guide.named(name)
        #expect(guide.blocks.count { $0.language == "sql" } == guide.schemas.count)
        #expect(!guide.isOneProgram || guide.schemas.isEmpty)
    }

    @Test func `the readme stays short`() throws {
        let file = Guide.folder.appending(path: "README.md")
        #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count <= 150)
    }

    @Test func `a guide is taken apart`() throws {
        let guide = Guide(
            name: "Test.md",
            text: """
                # Heading, one
                <!-- hidden
                struct A {}
                -->

                <!-- shared -->
                ```swift
                struct B {}
                ```

                A [link](Other.md#there).

                ```swift
                print(1)
                ```

                ```text
                1
                ```

                <!-- error: cannot find -->
                ```swift
                x()
                ```

                <!-- not compiled: a reason -->
                ```swift
                ```
                <!-- schema: A, B -->
                ```sql
                CREATE TABLE "a" ();
                ```

                | Swift | SQL |
                |---|---|
                | `a()`, once | `SELECT 1`<br>`SELECT 2` |
                | `b()` | none |
                """)
        #expect(guide.headings == ["Heading, one"] && guide.links == ["Other.md#there"])
        #expect(guide.hidden == ["struct A {}"])
        #expect(
            guide.blocks.map(\.marks) == [
                ["shared"], [], ["error: cannot find"], ["not compiled: a reason"], ["schema: A, B"],
            ])
        #expect(guide.blocks.map(\.line) == [8, 14, 23, 28, 31])
        #expect(guide.examples.map(\.code) == [["struct B {}"], ["print(1)"], ["x()"]])
        #expect(guide.blocks.map(\.output) == [nil, ["1"], nil, nil, nil])
        #expect(guide.rows("SQL").map(\.cells) == [[["a()"], ["SELECT 1", "SELECT 2"]], [["b()"], []]])
        #expect(guide.schemas.map { $0.value(of: "schema") } == ["A, B"])
        let program = GuideProgram(guide)
        #expect(program.files.map(\.name) == ["SQLLog.swift", "Examples.swift"])
        let mistakes = try #require(program.mistakes)
        #expect(mistakes.origins[try #require(mistakes.lines.firstIndex(of: "x()"))] == 23)
    }
}
