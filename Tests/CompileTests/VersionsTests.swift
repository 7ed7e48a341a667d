import Foundation
import TestSupport
import Testing

/// Two versions of an app, compiled as two programs, use one file.
@Suite(.ownThreads) struct VersionsTests {
    private static let old = """
        import PersistentObjects
        final class Company: PersistentObject { @Unique var name = "" }
        final class Person: PersistentObject {
            @Column("name") var name = ""
            var age: Int?
            var tags: [String] = []
            var employer: Company?
        }
        """
    private static let new = """
        import Foundation
        import PersistentObjects
        final class Company: PersistentObject { @Unique var name = ""; @Unique var token = UUID() }
        final class Person: PersistentObject {
            @Column("name") var name = ""
            @Indexed var age: Int?
            var tags: [String] = []
            var employer: Company?
            var nick: String? = nil
            var joined = Date(timeIntervalSinceReferenceDate: 0)
        }
        """
    /// Adds a person, and prints all people.
    private static let body = """
        @main struct App {
            static func main() throws {
                let store = try Store(CommandLine.arguments[1], configuration: .init(onNote: { _ in }))
                try store.migrate("count") { session in try session.execute("CREATE TABLE counted AS SELECT 1 AS x") }
                try store.withSession { (session) throws in
                    try session.transaction {
                        let company = try Company.findOrCreateBy.name("Acme")
                        let person = Person()
                        person.name = CommandLine.arguments[2]
                        person.age = try Person.count()
                        person.tags = ["t", person.name]
                        person.employer = company
                        try person.save()
                    }
                    for person in try Person.query.order(by: \\.id).all() {
                        print(person.name, person.tags, person.employer?.name ?? "nobody")
                    }
                }
                store.close()
            }
        }
        """

    private func program(_ classes: String, _ name: String, in folder: URL) async throws -> URL {
        let source = folder.appending(path: "\(name).swift")
        try (classes + "\n" + Self.body).write(to: source, atomically: true, encoding: .utf8)
        let program = folder.appending(path: name)
        let built = try await SwiftCompiler.build([source], to: program)
        try #require(built.status == 0, "\(built.errors)")
        return program
    }

    @Test(.onPlainFiles("the programs have no keys"))
    func `two versions use one file in turn, and several processes upgrade it at once`() async throws {
        let file = try TemporaryStore()
        let old = try await program(Self.old, "old", in: file.folder)
        let new = try await program(Self.new, "new", in: file.folder)
        func run(_ program: URL, _ name: String) async throws -> [String] {
            let ran = try await SwiftCompiler.run(program, [file.path, name])
            expect(ran.status, 0, "\(ran.errors)")
            return ran.output.split(separator: "\n").map(String.init)
        }
        func lines(_ names: String...) -> [String] { names.map { "\($0) [\"t\", \"\($0)\"] Acme" } }
        try await expect(run(old, "a"), lines("a"))
        try await expect(run(new, "b"), lines("a", "b"))
        try await expect(run(old, "c"), lines("a", "b", "c"))
        try await expect(run(new, "d"), lines("a", "b", "c", "d"))
        try expect(
            file.sqlite("SELECT count(*), count(DISTINCT token) FROM company; PRAGMA integrity_check"), "1|1\nok")

        // From the start: a file of the old version, and eight processes of the new version at once.
        let other = try TemporaryStore()
        let first = try await SwiftCompiler.run(old, [other.path, "0"])
        try #require(first.status == 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask {
                    let ran = try await SwiftCompiler.run(new, [other.path, "\(number)"])
                    expect(ran.status, 0, "\(ran.errors)")
                }
            }
            try await group.waitForAll()
        }
        try expect(other.sqlite("SELECT count(*), count(DISTINCT employer_id) FROM person"), "9|1")
        try expect(other.sqlite("SELECT count(*) FROM counted; SELECT count(*) FROM po_migration"), "1\n1")
        try expect(other.sqlite("PRAGMA integrity_check; PRAGMA foreign_key_check"), "ok")
    }
}
