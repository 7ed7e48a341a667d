import Foundation
import PersistentObjects
import TestSupport
import Testing

/// SQLite goes on writing into a file that has lost its name, and acknowledges it.
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

    @Test func `after the file is renamed the next save throws, and works when it is back`() throws {
        try withSavedPerson { _, joe, file throws in
            try FileManager.default.moveItem(atPath: file.path, toPath: file.path + "-moved")
            try expectMoved(joe, file)
            try FileManager.default.moveItem(atPath: file.path + "-moved", toPath: file.path)
            try joe.save()
            try expect(file.sqlite("SELECT age FROM person"), "40")
        }
    }

    @Test func `after another file takes its place the next save throws, and leaves that one alone`() throws {
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

    @Test func `reading goes on`() throws {
        try withSavedPerson { _, joe, file throws in
            try FileManager.default.removeItem(atPath: file.path)
            try expect(Person.count(), 1)
            #expect(try Person.all().first === joe)
        }
    }

    @Test func `a new session after the file is deleted does not make an empty one`() throws {
        try withSavedPerson { store, _, file throws in
            try FileManager.default.removeItem(atPath: file.path)
            let failure = code(of: { try store.withSession { _ throws in try person("Jones").save() } })
            expect(failure, .fileMoved)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }
}
