import Foundation
import TestSupport
import Testing

/// The security guide lists the calls whose strings become SQL. A new call that takes SQL must be added there.
@Suite struct RawSQLListTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static var declaration: Regex<(Substring, Substring, Substring, Substring)> {
        /(?:public|open) [^={]*?\b(func|init|subscript)\b([ \w`]*)[^(]*\(([^{]*?)\) ?/
    }

    /// A parameter with its label and name.
    private static var parameter: Regex<Substring> {
        /\b(?:sql|criteria|condition|statements?)\b[ \w]*: (?:String|StaticString)/
    }

    /// Returns the names of the library's public declarations that have a parameter with SQL; for an initializer, the
    /// name of the type.
    private static func callsThatTakeSQL() throws -> Set<String> {
        var found: Set<String> = []
        for target in ["PersistentObjects", "StoreEngine", "PersistentTransfer", "PersistentObjectsTesting"] {
            let folder = package.appending(path: "Sources/\(target)")
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                let type = text.firstMatch(of: /(?:extension|struct|class) (\w+)/)?.1
                for match in text.matches(of: declaration) {
                    // Errors contain the text of a statement, which is not run.
                    guard match.3.contains(parameter), type != "StoreError" else { continue }
                    let name = match.2.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                    found.insert(match.1 == "init" ? String(type ?? "") : name)
                }
            }
        }
        return found
    }

    @Test func `the security guide lists exactly the calls whose strings become SQL`() throws {
        let guide = try String(
            contentsOf: Self.package.appending(path: "Docs/Security.md"), encoding: .utf8)
        let start = try #require(guide.range(of: "**Text becomes SQL in these calls"))
        let table = guide[start.upperBound...].split(separator: "\n\n", maxSplits: 2)[1]
        let listed = Set(
            table.split(separator: "\n").dropFirst(2).flatMap { line in
                line.split(separator: "|")[0].matches(of: /`(?:\w+\.)?(\w+)[^`]*`/).map { String($0.1) }
            })
        let taking = try Self.callsThatTakeSQL()
        #expect(taking.count > 5)
        expect(taking.subtracting(listed), [], "not in the guide")
        expect(listed.subtracting(taking), [], "only in the guide")
    }
}
