import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Files that are not stores of this version, and damaged files.
struct OddFileTests {
    private func file(_ body: (String) throws -> Void) throws {
        let file = try TemporaryStore()
        try body(file.path)
    }

    @Test func `a missing file, a folder, an empty file and a text file are refused in one sentence`() throws {
        try file { path in
            #expect(refusal(path) == "\(path) does not exist.")
            #expect(refusal("diff", path, path) == "\(path) does not exist.")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            #expect(refusal(path) == "\(path) is a folder, not a file.")
        }
        try file { path in
            try Data().write(to: URL(filePath: path))
            #expect(
                refusal(path) == "\(path) is empty. A program creates its tables when it first uses a class.")
            #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
        }
        try file { path in
            try Data(String(repeating: "not a database. ", count: 500).utf8).write(to: URL(filePath: path))
            #expect(refusal(path) == "\(path) is not an SQLite database, or it is encrypted.")
        }
    }

    #if !PostgreSQL
        @Test func `without the trait, an address is refused with the trait's name`() {
            let reason =
                "This build cannot open a server. Build it with: swift build --traits PostgreSQL --product persistent."
            #expect(refusal("postgres://localhost/store", "classes") == reason)
        }
    #endif

    @Test func `a database of another program has a summary, and its statements run`() throws {
        try file { path in
            _ = try SQLiteTool.run(
                path, "PRAGMA application_id = 7; CREATE TABLE a (b); INSERT INTO a VALUES (1), ('x');")
            let reason =
                "\(path) was not written by PersistentObjects, so it does not describe classes. Use the command sql."
            #expect(try Inspection(path).lines.last == reason)
            #expect(try Inspection(path, "sql", "SELECT b FROM a ORDER BY rowid").lines == ["b", "1", "x"])
            #expect(try Inspection(path, "check").lines == ["No problems"])
            for command in [["classes"], ["show", "A", "1"], ["find", "A.findByB(1)"], ["edit", "A", "1", "b=2"]] {
                #expect(refusal([path] + command) == reason)
            }
            #expect(refusal("diff", path, path) == reason)
        }
    }

    @Test func `a newer format is refused, and an older format is explained`() throws {
        try file { path in
            _ = try SQLiteTool.run(
                path, "PRAGMA application_id = 1347371594; PRAGMA user_version = 99; CREATE TABLE a (id);")
            #expect(refusal(path).contains("The file has format 99, and this version reads formats up to 2"))
        }
        try file { path in
            _ = try SQLiteTool.run(
                path, "PRAGMA application_id = 1347371594; PRAGMA user_version = 1; CREATE TABLE a (id);")
            #expect(refusal(path, "classes").contains("does not describe its classes, because its format is 1."))
        }
    }

    @Test func `a truncated file and a damaged page are reported`() throws {
        let file = try TemporaryStore()
        try makeStore(file, .init(journal: .rollback)).close()
        let bytes = try Data(contentsOf: URL(filePath: file.path))
        try bytes.prefix(bytes.count / 2).write(to: URL(filePath: file.path))
        #expect(refusal(file.path).contains("The file is truncated"))
        var damaged = bytes
        let pages = bytes.count / 4096
        for page in 4..<pages {
            damaged.replaceSubrange(page * 4096..<page * 4096 + 8, with: Data(repeating: 0xFF, count: 8))
        }
        try damaged.write(to: URL(filePath: file.path))
        // The structure is damaged, so the check reports either the damage or its findings.
        let result: String
        do {
            let check = try Inspection(file.path, "check")
            result = "status \(check.status)"
        } catch { result = "\(error)" }
        #expect(result == "status 1" || result.contains("damaged") || result.contains("malformed"), "\(result)")
    }
}
