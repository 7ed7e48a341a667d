import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Checks that the guides are complete and that their links are valid.
struct DocumentationCoverageTests {
    @Test func `each guide is in the index, and the readme links to the index`() throws {
        let guides = Guide.names.filter { $0.hasPrefix("Docs/") && $0 != "Docs/README.md" }
        #expect(guides.count >= 30)
        let index = "Docs/README.md"
        let listed = Set(try Guide.named(index).links.map { path(of: $0, in: index) })
        expect(guides.filter { !listed.contains($0) }, [])
        #expect(try Guide.named("README.md").links.contains(index))
    }

    @Test(arguments: Guide.names)
    func `links refer to existing files and headings`(name: String) throws {
        for link in try Guide.named(name).links where !link.contains("://") {
            let file = path(of: link, in: name)
            let target = Guide.folder.appending(path: file)
            #expect(FileManager.default.fileExists(atPath: target.path), "\(link)")
            guard let start = link.firstIndex(of: "#") else { continue }
            let anchors = try Guide.named(file).headings.map(anchor)
            #expect(anchors.contains(String(link[start...].dropFirst())), "\(link)")
        }
    }

    /// The path of the linked file, relative to the package's folder.
    private func path(of link: String, in name: String) -> String {
        let file = link.prefix { $0 != "#" }
        guard !file.isEmpty else { return name }
        if file.hasPrefix("../") { return String(file.dropFirst(3)) }
        return name.hasPrefix("Docs/") ? "Docs/\(file)" : String(file)
    }

    /// The anchor that GitHub creates for a heading.
    private func anchor(_ heading: String) -> String {
        String(heading.lowercased().compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" ? $0 : nil })
    }

    @Test(arguments: [
        ("StoreError.swift", #"public static let (\w+) = Code"#, ""),
        ("SchemaError.swift", #"    case (\w+)\("#, "SchemaError."),
        ("SyncError.swift", #"public static let (\w+) = Code"#, "SyncError."),
        ("FinderError.swift", #"^    case (\w+)\("#, "FinderError."),
    ])
    func `each error has its heading`(name: String, pattern: String, prefix: String) throws {
        let sources = FileManager.default.enumerator(
            at: Guide.folder.appending(path: "Sources"), includingPropertiesForKeys: nil)
        let file = try #require(sources?.compactMap { $0 as? URL }.first { $0.lastPathComponent == name })
        let expression = try Regex(pattern, as: (Substring, Substring).self)
        // Matches the names in declarations; the cases in `switch`es start with a dot.
        let names = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            .compactMap { line in line.firstMatch(of: expression).map { String($0.1) } }
        #expect(names.count >= 9)
        let headings = Set(try Guide.named("Docs/Errors.md").headings)
        #expect(names.filter { !headings.contains(prefix + $0) } == [])
    }

    @Test func `the list of type names contains exactly the exported types`() throws {
        let declaration =
            /^ *(?:@\w+(?:\([^)]*\))? |nonisolated )*(?:public|open) (?:final )?(?:class|struct|enum|protocol|actor) (\w+)/
        func types(of module: String) throws -> Set<String> {
            var found: Set<String> = []
            let files = FileManager.default.enumerator(
                at: Guide.folder.appending(path: "Sources/\(module)"), includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files) where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                // Nested types are indented, and so are types in `#if` blocks for particular systems.
                let isForSome = text.hasPrefix("#if canImport")
                // Declarations for the optimizer, which users cannot name, follow a line with `@_spi`.
                let lines = text.split(separator: "\n")
                for (index, line) in lines.enumerated() where isForSome || !line.hasPrefix(" ") {
                    if index > 0, lines[index - 1].hasPrefix("@_spi") { continue }
                    if let match = line.firstMatch(of: declaration) { found.insert(String(match.1)) }
                }
            }
            return found
        }
        let text = try String(contentsOf: Guide.folder.appending(path: "Docs/PublicAPI.md"), encoding: .utf8)
        func names(_ start: String) throws -> [String] {
            let list = try #require(text.split(separator: "\n").first { $0.hasPrefix(start) })
            return list.matches(of: /`(\w+)`/).map { String($0.1) }
        }
        let library = try types(of: "PersistentObjects").union(types(of: "StoreEngine"))
        try expect(names("`Assignments`"), library.sorted())
        try expect(names("`import PersistentTransfer` adds"), types(of: "PersistentTransfer").sorted())
        try expect(names("`import PersistentInspector` adds"), types(of: "PersistentInspector").sorted())
        try expect(names("`import InspectorServer` adds"), types(of: "InspectorServer").sorted())
        try expect(names("`import PersistentSync` adds"), types(of: "PersistentSync").sorted())
    }

    @Test func `each word of finder names is explained`() throws {
        let text = try String(contentsOf: Guide.folder.appending(path: "Docs/FinderNames.md"), encoding: .utf8)
        // The guide explains these for all subjects that start with `find`, and for all operators.
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
        // The guide describes the operator with the empty spelling as "nothing".
        expect(missing.filter { !$0.isEmpty }, [])
    }

    @Test(arguments: Guide.names)
    func `each SQL schema in a guide is compared with a store`(name: String) throws {
        let guide = try Guide.named(name)
        expect(guide.blocks.count { $0.language == "sql" }, guide.schemas.count)
        #expect(!guide.isOneProgram || guide.schemas.isEmpty)
    }

    @Test func `the start page of DocC shows the readme's program`() throws {
        let page = try Guide.named("Sources/PersistentObjects/PersistentObjects.docc/PersistentObjects.md")
        let program = try #require(try Guide.named("README.md").examples.first)
        expect(page.examples.map(\.code), [program.code])
        expect(page.examples.map(\.output), [program.output])
    }

    @Test func `the readme has at most 150 lines`() throws {
        let file = Guide.folder.appending(path: "README.md")
        #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count <= 150)
    }

    @Test func `a guide is parsed into headings, links, blocks, marks and tables`() throws {
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
        expect(guide.hidden, ["struct A {}"])
        expect(
            guide.blocks.map(\.marks),
            [["shared"], [], ["error: cannot find"], ["not compiled: a reason"], ["schema: A, B"]])
        expect(guide.blocks.map(\.line), [8, 14, 23, 28, 31])
        expect(guide.examples.map(\.code), [["struct B {}"], ["print(1)"], ["x()"]])
        expect(guide.blocks.map(\.output), [nil, ["1"], nil, nil, nil])
        expect(guide.rows("SQL").map(\.cells), [[["a()"], ["SELECT 1", "SELECT 2"]], [["b()"], []]])
        expect(guide.schemas.map { $0.value(of: "schema") }, ["A, B"])
        let program = GuideProgram(guide)
        expect(program.files.map(\.name), ["SQLLog.swift", "Examples.swift"])
        let mistakes = try #require(program.mistakes)
        expect(mistakes.origins[try #require(mistakes.lines.firstIndex(of: "x()"))], 23)
    }
}
