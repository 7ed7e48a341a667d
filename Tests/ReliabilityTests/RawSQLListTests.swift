import Foundation
import TestSupport
import Testing

/// Which texts become SQL is a promise of the security guide's: a new call that takes one must stand there.
@Suite struct RawSQLListTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static var declaration: Regex<(Substring, Substring, Substring, Substring)> {
        /(?:public|open) [^={]*?\b(func|init|subscript)\b([ \w`]*)[^(]*\(([^{]*?)\) ?/
    }

    /// One with its label and name.
    private static var parameter: Regex<Substring> {
        /\b(?:sql|criteria|condition|statements?)\b[ \w]*: (?:String|StaticString)/
    }

    /// The names of public declarations of the library with a parameter that is said to be SQL, a type's for an
    /// initialiser.
    private static func callsThatTakeSQL() throws -> Set<String> {
        var found: Set<String> = []
        for target in ["PersistentObjects", "StoreEngine", "PersistentTransfer", "PersistentObjectsTesting"] {
            let folder = package.appending(path: "Sources/\(target)")
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                let type = text.firstMatch(of: /(?:extension|struct|class) (\w+)/)?.1
                for match in text.matches(of: declaration) {
                    // Errors have a statement's text, which is not run.
                    guard match.3.contains(parameter), type != "StoreError" else { continue }
                    let name = match.2.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                    found.insert(match.1 == "init" ? String(type ?? "") : name)
                }
            }
        }
        return found
    }

    @Test func `the guide lists the calls whose text becomes SQL, and no others`() throws {
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
