import PersistentObjects
import TestSupport
import Testing

/// Rows written before a column was added do not contain its default, and SQLite records it as NULL when such a row
/// changes. The model runs found this.
@Suite struct UndoAfterUpgradeTests {
    enum Old {
        class Note: PersistentObject {
            override class var tableName: String { "note" }
            var text = ""
        }
    }

    enum New {
        class Note: PersistentObject {
            override class var tableName: String { "note" }
            var text = ""
            var rank = 3
            var stars: Int? = 5
            var title = "none"
        }

        final class Letter: Note {
            var pages = 1
        }
    }

    private func withUpgraded(_ body: (Session, New.Note) throws -> Void) throws {
        let file = try TemporaryStore()
        try file.open().withSession { _ throws in
            let note = Old.Note()
            note.text = "old"
            try note.save()
        }
        let store = try file.open()
        try store.prepare(New.Note.self, New.Letter.self)
        try store.withSession { session throws in
            session.recordsUndo = true
            try body(session, try #require(try New.Note.find(1)))
        }
        try expect(file.sqlite("PRAGMA integrity_check"), "ok")
    }

    private func expectOld(_ note: New.Note) throws {
        #expect(note.text == "old" && note.rank == 3 && note.stars == 5 && note.title == "none")
        #expect(type(of: note) == New.Note.self && !note.hasChanges)
    }

    @Test func `undoing a deletion restores the defaults of columns that were added later`() throws {
        try withUpgraded { session, note throws in
            try note.delete()
            try session.undo()
            try expectOld(note)
            try note.reload()
            try expectOld(note)
            try session.redo()
            #expect(note.isDeleted)
            try session.undo()
            try expectOld(note)
        }
    }

    @Test func `undoing a change restores the defaults of columns that were added later`() throws {
        try withUpgraded { session, note throws in
            (note.rank, note.stars, note.title) = (7, nil, "")
            try note.save()
            try session.undo()
            try expectOld(note)
            try session.redo()
            #expect(note.rank == 7 && note.stars == nil && note.title.isEmpty && note.text == "old")
            try session.undo()
            note.text = "new"
            try note.save()
            try session.undo()
            try expectOld(note)
        }
    }

    @Test func `a transaction without a net change adds no undo level, though defaults were recorded`() throws {
        struct Unwanted: Error {}
        try withUpgraded { session, note throws in
            try session.transaction { () throws in
                #expect(throws: Unwanted.self) {
                    try session.transaction { () throws in
                        note.text = "taken back"
                        try note.save()
                        throw Unwanted()
                    }
                }
            }
            #expect(!session.canUndo)
            try session.transaction { () throws in
                for text in ["new", "old"] {
                    note.text = text
                    try note.save()
                }
            }
            #expect(!session.canUndo)
            // Overwriting a default is a change, and so is changing another column.
            note.title = "other"
            try note.save()
            #expect(try session.undo() && !session.canUndo)
            try expectOld(note)
        }
    }
}
