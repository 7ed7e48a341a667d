import Foundation
import TestSupport
import Testing

@testable import PersistentObjects
@testable import PersistentObjectsTesting

/// Calls `body` with the path of a folder that contains the given files.
func withSources<R>(_ files: [(String, [UInt8])], _ body: (String) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "finders-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, bytes) in files {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }
    return try body(folder.path(percentEncoded: false))
}

/// Checking folders of sources: the files that are read, the places of problems, and the cost.
struct FinderFolderTests {
    private typealias Person = FinderSourceTests.Person
    private typealias Employee = FinderSourceTests.Employee

    private func problems(_ folder: String, of classes: [PersistentObject.Type] = [Person.self]) throws -> [String] {
        do {
            try PersistentObject.checkFinders(of: classes, inSources: folder)
            return []
        } catch let error as FinderProblems {
            expect("\(error)", error.problems.map { "\($0)" }.joined(separator: "\n"))
            return error.problems.map { "\($0)".replacing(folder, with: "…") }
        }
    }

    @Test func `a problem is reported with file, line and column`() throws {
        let text =
            "// ä\r\nlet a = try Person.findByName(\"x\")\n\n\r    let é = \"\"; Person\n  .findByNme(1), Person.`findByAge`\n"
        try withSources([("b/c.swift", Array(text.utf8)), ("a.swift", Array("let x = Person.findByX".utf8))]) {
            folder in
            let error = try #require(throws: FinderProblems.self) { try Person.checkFinders(inSources: folder) }
            let places = try error.problems.map { try #require($0 as? FinderSourceError) }
            #expect(places.map(\.file) == ["\(folder)/a.swift", "\(folder)/b/c.swift"])
            #expect(places.map(\.line) == [1, 5 + 1] && places.map(\.column) == [16, 4])
            #expect(places.allSatisfy { $0.problem is FinderError })
            #expect("\(places[1])".hasPrefix("\(folder)/b/c.swift:6:4: Person.findByNme: no property matches \"Nme\""))
            #expect("\(error)" == "\(places[0])\n\(places[1])")
        }
    }

    @Test func `correct sources pass, in a folder or a single file`() throws {
        let good = Array("let a = Person.findByName, b = Employee.findBySalary".utf8)
        try withSources([("a.swift", good), ("b.txt", Array("Person.findByX".utf8)), (".c/d.swift", [0xFF])]) {
            folder in
            try Person.checkFinders(inSources: folder)
            try Person.checkFinders(inSources: folder + "/")
            try Person.checkFinders(inSources: folder + "/a.swift")
            try PersistentObject.checkFinders(of: [Person.self, Employee.self], inSources: folder)
        }
    }

    @Test func `a check that finds nothing to check throws`() throws {
        try withSources([("a.swift", Array("let a = Pet.findByName, b = Person.findBy.name(\"x\")".utf8))]) {
            folder throws in
            try expect(
                problems(folder, of: [Person.self, Employee.self]),
                [
                    "…: No finder of Person, Employee is used in 1 Swift file. Nothing was checked. Pass the "
                        + "folder of the sources that use it"
                ])
            try expect(problems(folder, of: []).count, 1)
        }
        try withSources([("a.txt", Array("Person.findByName".utf8))]) { folder throws in
            try expect(
                problems(folder),
                ["…: contains no Swift files to check. A relative path is resolved in the current folder"])
        }
    }

    @Test func `the base class has no finders, and checking it throws`() throws {
        try withSources([("a.swift", Array("let a = Person.findByName".utf8))]) { folder throws in
            let error = try #require(throws: FinderProblems.self) {
                try PersistentObject.checkFinders(inSources: folder)
            }
            #expect(error.problems.count == 1 && "\(error)".contains("Use one of its subclasses"))
        }
    }

    @Test func `unreadable files are reported, and the other files are checked`() throws {
        try expect(problems("/no/such/folder"), ["…: cannot be read: there is no such file or folder"])
        let files = [
            ("a.swift", Array("Person.findByX".utf8)), ("b.swift", [0x61, 0xC3, 0x28]),
            ("c.swift", [0xEF, 0xBB, 0xBF]),
        ]
        try withSources(files) { folder throws in
            let manager = FileManager.default
            try manager.createSymbolicLink(atPath: folder + "/circle", withDestinationPath: folder)
            try manager.createSymbolicLink(atPath: folder + "/d.swift", withDestinationPath: "a.swift")
            try manager.createSymbolicLink(atPath: folder + "/e.swift", withDestinationPath: "nowhere")
            let problems = try problems(folder)
            expect(problems.count, 3)
            expect(problems[0], "…/b.swift: is not valid UTF-8, which Swift sources must be")
            #expect(problems[1].hasPrefix("…/a.swift:1:8: Person.findByX: "))
            #expect(problems[2].hasPrefix("…/d.swift:1:8: "))
        }
    }

    @Test(.enabled(if: NSUserName() != "root", "root reads everything"))
    func `a folder without read permission is reported`() throws {
        try withSources([("a/b.swift", Array("Person.findByX".utf8))]) { folder throws in
            let permissions = FileAttributeKey.posixPermissions
            try FileManager.default.setAttributes([permissions: 0], ofItemAtPath: folder + "/a")
            defer { try? FileManager.default.setAttributes([permissions: 0o755], ofItemAtPath: folder + "/a") }
            try expect(problems(folder).map { $0.hasPrefix("…/a: cannot be read: ") }, [true])
        }
    }

    @Test func `a class that cannot be stored is reported once`() throws {
        try withSources([("a.swift", Array("Odd.findByAnything; Odd.findByX".utf8))]) { folder throws in
            let error = try #require(throws: FinderProblems.self) {
                try PersistentObject.checkFinders(of: [CheckFindersTests.Odd.self], inSources: folder)
            }
            #expect(error.problems.count == 1 && error.problems[0] is SchemaError)
        }
    }

    // The lookahead in the tokens is not counted. If it were quadratic, a test with this many lines would not finish.
    @Test(
        arguments: [
            #"let a = try Person.findByName("x\(1)").map { $0.age ?? 0 } // and so on"#, "{ f(", "a < ", "\"\\(",
            "#\"\"\"", "/* ", "Person.", "a<", "/(", "class A {", "`", "(/a", "extension Person { static let findBy",
        ])
    func `a long file is checked in acceptable time`(line: String) throws {
        let text = Array(String(repeating: line + "\n", count: Scale.of(20_000)).utf8)
        try withSources([("a.swift", text)]) { folder in
            let uses = FinderSources(folder).uses(of: [Person.self])
            expect(uses.count, line.contains("findByName") ? Scale.of(20_000) : 0)
        }
    }

    @Test func `random source text never traps the parser`() throws {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "Person", ".", "findByName", "Self", "{", "}", "(", ")", "\"", "\"\"\"", "#", "\\", "/", "*", "<", ">",
            "\n", " ",
            "class ", "extension ", "static ", "func ", "`", "é", "0", "private ", "\\(", "\r",
        ]
        for _ in 0..<Scale.rounds(2000) {
            let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let tokens = SwiftTokens(Array(text.utf8))
            #expect(
                tokens.tokens.allSatisfy { $0.range.upperBound <= text.utf8.count && !$0.range.isEmpty }
                    || text.contains("``"))
            #expect(SwiftOutline([tokens]).chains.allSatisfy { $0.names.count > 1 })
        }
    }

    // MARK: Real sources

    private func own(_ folder: String) -> String {
        SwiftCompiler.packageFolder.appending(path: folder).path(percentEncoded: false)
    }

    @Test func `the intended misspelled finders, and no others, are found in these tests`() throws {
        let uses = FinderSources(own("Tests")).uses(of: [
            DynamicFinderTests.Person.self, DynamicFinderTests.Employee.self,
        ])
        #expect(uses.count > 60 && uses.allSatisfy { $0.file.hasSuffix("/DynamicFinderTests.swift") })
        let wrong = uses.filter { $0.problem != nil }.map { "\($0.className).\($0.name)" }
        let meant: Set = [
            "Person.findByLstName", "Person.al", "Person.findByLastNme", "Person.fndByLastName", "Person.findBySalary",
        ]
        #expect(Set(wrong) == meant)
    }

    @Test func `a class with an alias is found in all test files`() throws {
        let uses = FinderSources(own("Tests")).uses(of: [LinkModel.Person.self])
        let files = Set(uses.map { $0.file.components(separatedBy: "/").last ?? "" })
        #expect(files.isSuperset(of: ["PathFinderTests.swift", "ReferenceFinderTests.swift"]))
        let wrong = uses.filter { $0.problem != nil }.map(\.name)
        #expect(Set(wrong).isSuperset(of: ["findByTags", "findByPets", "findByEmployerStaff"]))
        #expect(wrong.count < 10 && uses.count > 80)
    }

    @Test func `each static member of the library is known not to be a finder`() throws {
        let outline = SwiftOutline(SwiftFiles(own("Sources")).tokens)
        let types = outline.types.filter { [["Persistent"], ["PersistentObject"]].contains($0.path) }
        let statics = types.reduce(into: Set<String>()) { $0.formUnion($1.statics) }
        #expect(statics.isSuperset(of: ["find", "where", "findByCriteria", "checkFinders", "tableName"]))
        // If a member is missing, add it to `FinderSearch.ownNames`.
        let internals: Set = ["argument", "objectClass", "ownFormerNames", "syncedName"]
        expect(statics.subtracting(FinderSearch.ownNames).subtracting(internals).sorted(), [])
    }
}
