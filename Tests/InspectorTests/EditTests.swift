import Foundation
import PersistentObjects
import TestSupport
import Testing

@testable import PersistentInspector

/// Changes of an object's values.
struct EditTests {
    private func withFile(_ journal: JournalMode = .wal, _ body: (TemporaryStore) throws -> Void) throws {
        let file = try TemporaryStore()
        try makeStore(file, .init(journal: journal)).close()
        try body(file)
        #expect(try file.isSound)
    }

    @Test(arguments: [JournalMode.wal, .rollback])
    func `an edit is shown first, and written with --yes after the file was copied`(_ journal: JournalMode) throws {
        try withFile(journal) { file in
            let before = try Data(contentsOf: URL(filePath: file.path))
            let words = [
                file.path, "edit", "Worker", "3", "age=40", "status=retired", "lastName=it's = fine", "born=2020-02-29",
                "balance=3.5", "nickname=nil", "employer=2", "isActive=true", "home.city=Wien", "small=-5",
            ]
            let shown = try Inspection(words).lines
            #expect(shown[0] == "Worker #3.age: 21 → 40" && shown[4] == "Worker #3.balance: 1.25 → 3.50")
            #expect(
                shown[10].hasPrefix("UPDATE \"worker\" SET \"age\" = ?1, ") && shown[10].hasSuffix("\"small\" IS ?21"))
            #expect(shown[11] == "Nothing was changed. Add --yes to write")
            #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
            #expect(!FileManager.default.fileExists(atPath: file.path + ".before-edit"))

            #expect(
                try Inspection(words + ["--yes"]).lines.last
                    == "Written. The program's validations and hooks did not run")
            #expect(try SQLiteTool.run(file.path + ".before-edit", "SELECT age FROM worker WHERE id = 3") == "21")
            #expect(try SQLiteTool.run(file.path, "PRAGMA journal_mode") == (journal == .wal ? "wal" : "delete"))
            let store = try file.open()
            try store.withSession { _ throws in
                let worker = try #require(try Worker.find(3))
                #expect(worker.age == 40 && worker.status == .retired && worker.lastName == "it's = fine")
                #expect(worker.balance == Decimal(string: "3.5") && worker.nickname == nil && worker.employer?.id == 2)
                #expect(worker.isActive && worker.home.city == "Wien" && worker.small == -5)
                #expect(worker.born == Date(timeIntervalSinceReferenceDate: 604_627_200))
            }
            store.close()
        }
    }

    @Test func `the first copy is kept`() throws {
        try withFile { file throws in
            _ = try Inspection(file.path, "edit", "Worker", "3", "age=40", "--yes")
            let lines = try Inspection(file.path, "edit", "Worker", "3", "age=41", "--yes").lines
            #expect(lines.contains("The earlier copy \(file.path).before-edit is kept"))
            #expect(try SQLiteTool.run(file.path + ".before-edit", "SELECT age FROM worker WHERE id = 3") == "21")
        }
    }

    @Test(arguments: [
        ("age=x", "Worker.age: not a valid Int: the property cannot have this value"),
        ("age=nil", "Worker.age: not a valid Int: the property cannot have this value"),
        ("small=1000", "Worker.small: "),
        ("balance=3.555", "Worker.balance: the number has more than 2 decimal places"),
        ("status=gone", "Worker.status: Status: String has no case with the raw value gone."),
        ("born=soon", "Worker.born: "), ("token=1", "Worker.token: "), ("isActive=7", "Worker.isActive: "),
        ("initial=ab", "Worker.initial: "), ("employer=99", "FILE has no Firm #99."),
        ("warmth=3", "Worker.warmth: not a valid Temperature: only a program with this type"),
        ("contact={}", "Worker.contact cannot be edited here, because only its program can encode"),
        ("tags=1", "Worker.tags cannot be edited here, because it is a collection."),
        ("badge=1", "Worker.badge cannot be edited here, because it is an inverse"),
        ("what=1", "Worker has no property what. Its properties are lastName, nickname"),
        ("age", "A new value is written as PROPERTY=VALUE, not age."),
    ])
    func `a value that the property cannot have is refused`(_ edit: String, _ message: String) throws {
        try withFile { file throws in
            let found = refusal(file.path, "edit", "Worker", "3", edit, "--yes")
            #expect(found.hasPrefix(message.replacing("FILE", with: file.path)), "\(found)")
            #expect(!FileManager.default.fileExists(atPath: file.path + ".before-edit"))
        }
    }

    @Test func `a key cannot be edited, and a database of another program is refused`() throws {
        try withFile { file throws in
            #expect(refusal(file.path, "edit", "Land", "AT", "key=DE").contains("because it is the key of the object"))
            _ = try SQLiteTool.run(file.path, "PRAGMA application_id = 7")
            #expect(refusal(file.path, "edit", "Worker", "3", "age=1", "--yes").contains("belongs to another program"))
        }
    }

    @Test func `an open store sees the edit as a change by another program`() throws {
        let file = try TemporaryStore()
        let store = try makeStore(file)
        try store.withSession { session throws in
            let worker = try #require(try Worker.find(3))
            #expect(worker.age == 21)
            _ = try Inspection(file.path, "edit", "Worker", "3", "age=40", "--yes")
            #expect(try Worker.findByAge(40) == [worker] && worker.age == 40)
        }
        store.close()
    }
}
