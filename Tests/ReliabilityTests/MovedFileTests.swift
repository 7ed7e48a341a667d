import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// A class that the stores of these tests have not used yet.
final class MovedFileNewcomer: PersistentObject { var n = 0 }

/// SQLite would continue to write into a file that was deleted or renamed, and acknowledge the commits.
@Suite struct MovedFileTests {
    private func withSavedPerson(_ body: (Store, Person, TemporaryStore) throws -> Void) throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .quiet)
        try store.withSession { _ throws in
            let joe = person("Smith")
            try joe.save()
            joe.age = 40
            try body(store, joe, file)
        }
    }

    private func expectMoved(_ person: Person, _ file: TemporaryStore) throws {
        let error = try #require(throws: StoreError.self) { try person.save() }
        #expect(error.code == .fileMoved)
        #expect(error.message.contains(file.path))
        #expect(person.hasChanges)
        #expect(person.age == 40)
        let new = Person()
        #expect(code(of: { try new.save() }) == .fileMoved)
        #expect(new.isNew)
        #expect(code(of: { try person.delete() }) == .fileMoved)
        #expect(!person.isDeleted)
    }

    @Test func `after the file is deleted the next save throws`() throws {
        try withSavedPerson { _, joe, file throws in
            try FileManager.default.removeItem(atPath: file.path)
            try expectMoved(joe, file)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test func `after the file is renamed the next save throws, and succeeds when the file is back`() throws {
        try withSavedPerson { _, joe, file throws in
            try FileManager.default.moveItem(atPath: file.path, toPath: file.path + "-moved")
            try expectMoved(joe, file)
            try FileManager.default.moveItem(atPath: file.path + "-moved", toPath: file.path)
            try joe.save()
            try expect(file.sqlite("SELECT age FROM person"), "40")
        }
    }

    @Test func `after the file is replaced the next save throws and does not change the new file`() throws {
        let other = try TemporaryStore()
        try other.fill(7)
        try withSavedPerson { _, joe, file throws in
            try FileManager.default.removeItem(atPath: file.path)
            try FileManager.default.copyItem(atPath: other.path, toPath: file.path)
            let before = try file.contents
            try expectMoved(joe, file)
            try expect(file.contents, before)
        }
    }

    @Test func `after the folder is renamed the next save throws`() throws {
        try withSavedPerson { _, joe, file throws in
            let folder = (file.path as NSString).deletingLastPathComponent
            try FileManager.default.moveItem(atPath: folder, toPath: folder + "-moved")
            try expectMoved(joe, file)
            try FileManager.default.moveItem(atPath: folder + "-moved", toPath: folder)
            try joe.save()
        }
    }

    @Test func `after the file is deleted, reading works`() throws {
        try withSavedPerson { _, joe, file throws in
            try FileManager.default.removeItem(atPath: file.path)
            try expect(Person.count(), 1)
            #expect(try Person.all().first === joe)
        }
    }

    @Test func `a new session after the file is deleted does not create an empty file`() throws {
        try withSavedPerson { store, _, file throws in
            try FileManager.default.removeItem(atPath: file.path)
            let failure = code(of: { try store.withSession { _ throws in try person("Jones").save() } })
            expect(failure, .fileMoved)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    /// Replaces the file of an open store. No operation of the store may change the new file.
    private func withReplacedFile(_ body: (Store, TemporaryStore, Person) throws -> Void) throws {
        let (file, other) = (try TemporaryStore(), try TemporaryStore())
        try other.fill(5)
        var configuration = Store.Configuration.quiet
        configuration.autoVacuum = .incremental
        let store = try file.open(configuration: configuration)
        try store.withSession { session throws in
            try session.save((0..<500).map { person("Name \($0)") })
            try Person.where { $0.id > 50 }.delete()
            let joe = try #require(try Person.first())
            // A log next to the new file would be read as the new file's log.
            try store.checkpoint()
            expect(rename(other.path, file.path), 0)
            try body(store, file, joe)
        }
        store.close()
        try expect(file.sqlite("SELECT count(*) FROM person; PRAGMA integrity_check"), "5\nok")
    }

    @Test func `after the file is replaced, all calls that write throw`() throws {
        try withReplacedFile { store, file, joe in
            let input = file.folder.appending(path: "in.jsonl")
            try Data(#"{"lastName":"x"}"#.utf8).write(to: input)
            func files() throws -> [String: Data] {
                var files: [String: Data] = [:]
                for end in ["", "-wal"] { files[end] = try? Data(contentsOf: URL(filePath: file.path + end)) }
                return files
            }
            let before = try files()
            let calls: [(String, () throws -> Void)] = [
                ("vacuum", { try store.vacuum() }), ("releaseFreePages", { try store.releaseFreePages() }),
                ("checkpoint", { try store.checkpoint() }),
                ("checkpoint without waiting", { try store.checkpoint(waiting: false) }),
                ("erase", { try store.erase() }), ("prepare", { try store.prepare(MovedFileNewcomer.self) }),
                ("run", { try store.run(try store.schemaPlan(for: MovedFileNewcomer.self)) }),
                ("migrate", { try store.migrate("a") { _ in } }),
                ("migrate in SQL", { try store.migrate("a", sql: "UPDATE person SET age = 1") }),
                ("import", { try store.import(Person.self, from: input) }),
                ("execute", { _ = try store.withSession { try $0.execute("UPDATE person SET age = 1") } }),
                ("ANALYZE", { _ = try store.withSession { try $0.execute("ANALYZE") } }),
                ("update", { try Person.query.update { $0.age = 1 } }),
                ("delete", { try Person.where { $0.id > 0 }.delete() }),
                ("transaction", { try store.withSession { try $0.transaction { try person("x").save() } } }),
            ]
            for (name, call) in calls {
                expect(code(of: { try call() }), .fileMoved, "\(name)")
                try expect(files(), before, "\(name)")
            }
            // Reading works, and so do copies.
            try store.backup(to: file.path + "-copy")
            try store.export(Person.self, to: file.folder.appending(path: "out.jsonl"))
            try expect(Person.count(), 50)
        }
    }
}
