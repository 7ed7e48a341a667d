import Synchronization
import TestSupport
import Testing

@testable import PersistentObjects

/// Transactions that do not examine live objects when they start.
@Suite(.serialized) struct KeepingEditsTests {
    /// Counts its encodings, which show that its object was examined.
    struct Watched: Codable, Equatable {
        static let looks = Atomic(0)
        var text = "a"

        enum CodingKeys: CodingKey { case text }

        func encode(to encoder: any Encoder) throws {
            Watched.looks.add(1, ordering: .relaxed)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(text, forKey: .text)
        }
    }

    final class Sheet: PersistentObject {
        override class var tableName: String { "sheet" }
        var number = 0
        var note = ""
        var watched = Watched()
        var children: [Sheet] = []
    }

    @Test func `a commit keeps edits of objects that the transaction does not save`() throws {
        try withTemporarySession { session, file throws in
            let (one, other) = (Sheet(), Sheet())
            try session.save([one, other])
            (one.number, other.number) = (1, 2)
            try session.transaction(keepingEdits: false) {
                one.note = "in it"
                try one.save()
            }
            #expect(!one.hasChanges && other.changes.map(\.name) == ["number"])
            try expect(file.sqlite("SELECT number, note FROM sheet ORDER BY id"), "1|in it\n0|")
        }
    }

    @Test func `a rollback resets saved objects to the file and keeps edits of the others`() throws {
        try withTemporarySession { session, file throws in
            let (one, other, gone) = (Sheet(), Sheet(), Sheet())
            one.children = [other]
            try session.save([one, other, gone])
            (one.number, other.number, gone.number) = (1, 2, 3)
            let new = Sheet()
            new.number = 9
            try failing(session, keepingEdits: false) {
                one.note = "in it"
                one.children = []
                try one.save()
                try gone.delete()
                try new.save()
                try session.transaction {
                    other.note = "inner"
                    session.rollBack()
                }
            }
            #expect(one.number == 0 && one.note == "" && one.children == [other] && !one.hasChanges)
            #expect(!gone.isDeleted && gone.number == 0 && !gone.hasChanges)
            // This object was not saved.
            #expect(other.number == 2 && other.note == "inner" && other.changes.map(\.name) == ["number", "note"])
            #expect(new.isNew && new.number == 9)
            try session.saveChanges()
            try expect(file.sqlite("SELECT number, note FROM sheet ORDER BY id"), "0|\n2|inner\n0|")
        }
    }

    @Test func `a nested transaction resets its saved objects to the state of the outer one`() throws {
        try withTemporarySession { session, file throws in
            let sheet = Sheet()
            try sheet.save()
            try session.transaction {
                sheet.number = 1
                try sheet.save()
                sheet.note = "an edit"
                try failing(session, keepingEdits: false) {
                    sheet.number = 2
                    try sheet.save()
                }
                #expect(sheet.number == 1 && sheet.note == "" && !sheet.hasChanges)
            }
            try expect(file.sqlite("SELECT number, note FROM sheet"), "1|")
        }
    }

    @Test func `live objects are not examined`() throws {
        try withTemporarySession { session, _ throws in
            let sheets = (0..<50).map { _ in Sheet() }
            // Equal strings in separate storage, so that a comparison must encode both values.
            func text() -> String { "longer than what is kept in place: \(sheets.count)" }
            for sheet in sheets { sheet.watched = Watched(text: text()) }
            try session.save(sheets)
            for sheet in sheets { sheet.watched = Watched(text: text()) }
            func looks(_ body: () throws -> Void) rethrows -> Int {
                let before = Watched.looks.load(ordering: .relaxed)
                try body()
                return Watched.looks.load(ordering: .relaxed) - before
            }
            let saved = Sheet()
            try saved.save()
            // Otherwise the optimizer would release the sheets earlier.
            try withExtendedLifetime(sheets) {
                let with = try looks { try session.transaction { try saved.save() } }
                let without = try looks { try session.transaction(keepingEdits: false) { try saved.save() } }
                #expect(with >= 50 && without < 50)
            }
        }
    }
}
