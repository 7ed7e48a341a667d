import TestSupport
import Testing

@testable import PersistentObjects

/// Pending edits whose rows cannot be read: nothing is written, and nothing is lost.
struct PendingEditRefusalTests {
    final class Note: PersistentObject {
        override class var tableName: String { "waiting_note" }
        var text = ""
        var size: Int8 = 0
    }

    @Test func `if the row of pending edits cannot be read, the save throws and the edits stay`() throws {
        try withTemporarySession { session, file throws in
            try session.save([Note(), Note()])
            try { for note in try Note.all() { note.text = "mine" } }()
            _ = try file.sqlite("UPDATE waiting_note SET size = 300 WHERE id = 2")
            let error = #expect(throws: StoreError.self) { try session.saveChanges() }
            #expect(error?.className == "Note" && error?.property == "size" && error?.rowID == 2)
            #expect(try file.sqlite("SELECT text FROM waiting_note WHERE text <> ''") == "")
            #expect(try session.counts.live == 0)
            _ = try file.sqlite("UPDATE waiting_note SET size = 3 WHERE id = 2")
            try session.saveChanges()
            #expect(try file.sqlite("SELECT text, size FROM waiting_note") == "mine|0\nmine|3")
        }
    }
}
