import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// After its row is read again, an object is still cheap to compare: object and baseline share their buffers, so that
/// equal bits prove that nothing changed.
struct RereadTests {
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        var text = ""
        var nick: String?
        var home = Home()
        var data = Data()
        var tags: [String] = []
        var n = 0
    }

    final class Folder: PersistentObject {
        override class var tableName: String { "folder" }
        var name = ""
        var notes: [Note] = []
        @Inverse(\Sheet.folder) var sheets: [Sheet]
    }

    final class Sheet: PersistentObject {
        override class var tableName: String { "sheet" }
        var folder: Folder?
    }

    struct Home: Codable { var city = "a city whose name takes a buffer of its own" }

    private func hasSameBits(_ note: Note, _ session: Session) throws -> Bool {
        let map = try session.space(of: Note.self).map
        let block = try #require(note.baseline)
        return map.baseline.hasSameBits(ObjectMemory.start(of: note), block)
    }

    private func note() -> Note {
        let note = Note()
        note.text = String(repeating: "long ", count: 10)
        note.nick = String(repeating: "nick ", count: 10)
        note.data = Data(repeating: 7, count: 100)
        note.tags = ["a", "b"]
        return note
    }

    @Test(arguments: ["all", "refresh", "reload", "find"])
    func `a row that is read again and is equal leaves the bits equal`(how: String) throws {
        try withTemporarySession { session, file in
            let note = note()
            try note.save()
            #expect(try hasSameBits(note, session))
            _ = try file.sqlite("CREATE TABLE other (x); UPDATE note SET n = 1")
            switch how {
            case "all": _ = try Note.all()
            case "refresh": try session.refresh()
            case "reload": try note.reload()
            default: _ = try Note.where { $0.n == 1 }.first()
            }
            #expect(note.n == 1 && !note.hasChanges)
            #expect(try hasSameBits(note, session))
        }
    }

    @Test func `an equal value in another buffer is compared only once`() throws {
        try withTemporarySession { session, _ in
            let note = note()
            try note.save()
            note.text = String(repeating: "long ", count: 9) + "long "
            note.home = Home()
            #expect(try !hasSameBits(note, session))
            #expect(!note.hasChanges)
            #expect(try hasSameBits(note, session))
        }
    }

    @Test func `saveChanges visits only changed objects`() throws {
        try withTemporarySession { session, _ in
            let folders = (0..<10).map { _ in Folder() }
            for folder in folders { folder.notes = (0..<5).map { _ in Note() } }
            try session.save(folders)
            let identity = try session.space(of: Folder.self).identity
            #expect(identity.possiblyChangedObjects().count == 10 && identity.changedObjects().isEmpty)
            folders[3].name = "x"
            folders[4].notes.removeLast()
            try withExtendedLifetime(folders) {
                expect(identity.changedObjects().count, 2)
                try session.saveChanges()
            }
            #expect(try identity.changedObjects().isEmpty && Folder.find(4)?.name == "x")
        }
    }
}
