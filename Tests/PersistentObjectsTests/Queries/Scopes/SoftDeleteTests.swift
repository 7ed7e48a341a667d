import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Soft deletion: deleted objects keep their rows.
struct SoftDeleteTests {
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        override class var softDeletes: Bool { true }
        var title = ""
        var rank = 0
        @Unique var code: Int?
        var deletedAt: Date?
        var tags: [String] = []
    }

    private func notes(_ count: Int) -> [Note] {
        (0..<count).map { index in
            let note = Note()
            (note.title, note.rank, note.code, note.tags) = ("note \(index)", index, index, ["x"])
            return note
        }
    }

    @Test func `delete sets deletedAt, and restore clears it`() throws {
        try withTemporarySession { session, file throws in
            let all = notes(3)
            try session.save(all)
            let before = Date()
            try all[1].delete()
            #expect(all[1].isDeleted && !all[0].isDeleted && !all[1].hasChanges)
            let time = try #require(all[1].deletedAt)
            #expect(time >= before && time <= Date())
            #expect(try Note.all() == [all[0], all[2]] && Note.count() == 2)
            #expect(try Note.find(2) === all[1] && Note.findByTitle("note 1") == [] && Note.findBy.code(1) == [])
            try expect(file.sqlite("SELECT count(*), count(deleted_at) FROM note"), "3|1")
            try expect(file.sqlite("SELECT count(*) FROM note_tags"), "3")
            // A second deletion changes nothing.
            try all[1].delete()
            expect(all[1].deletedAt, time)
            try all[1].restore()
            #expect(all[1].deletedAt == nil && !all[1].isDeleted && !all[1].hasChanges)
            #expect(try Note.all() == all && all[1].tags == ["x"])
            try all[1].restore()
            try expect(Note.count(), 3)
        }
    }

    @Test func `a softly deleted object can be saved and keeps its edits`() throws {
        try withTemporarySession { session, file throws in
            let note = notes(1)[0]
            try note.save()
            note.title = "edited"
            try note.delete()
            #expect(note.title == "edited" && note.hasChanges && note.isDeleted)
            try note.save()
            try expect(file.sqlite("SELECT title, count(deleted_at) FROM note GROUP BY title"), "edited|1")
            // Setting deletedAt to nil also restores the object.
            note.deletedAt = nil
            try note.save()
            try expect(Note.all(), [note])
        }
    }

    @Test func `another session sees the soft deletion`() throws {
        try withTemporarySession { session, file throws in
            let all = notes(2)
            try session.save(all)
            try session.store.withSession { _ throws in
                let other = try #require(try Note.find(1))
                try other.delete()
                try expect(Note.count(), 1)
            }
            try expect(Note.all(), [all[1]])
            #expect(try Note.withDeleted.all() == all && all[0].isDeleted)
        }
    }

    @Test func `withDeleted and onlyDeleted include deleted objects`() throws {
        try withTemporarySession { session, _ throws in
            let all = notes(4)
            try session.save(all)
            try session.delete([all[0], all[3]])
            expect(all[0].deletedAt, all[3].deletedAt)
            try expect(Note.query.all(), [all[1], all[2]])
            #expect(try Note.withDeleted.all() == all && Note.unscoped.all() == all)
            try expect(Note.onlyDeleted.all(), [all[0], all[3]])
            try expect(Note.onlyDeleted.where { $0.rank > 0 }.all(), [all[3]])
            try expect(Note.where { $0.deletedAt == nil }.count(), 2)
            try expect(Note.withDeleted.findBy.code(3), [all[3]])
            try expect(Note.findByCriteria("ORDER BY rank DESC"), [all[2], all[1]])
        }
    }

    final class Page: PersistentObject {
        override class var tableName: String { "page" }
        override class var softDeletes: Bool { true }
        @Searchable var title = ""
        var deletedAt: Date?
    }

    @Test func `search excludes deleted objects unless withDeleted is used`() throws {
        try withTemporarySession { session, _ throws in
            let all = try (0..<4).map { try Page(["title": "page \($0)"]) }
            try session.save(all)
            try session.delete([all[0], all[3]])
            #expect(try Page.search("page").all() == [all[1], all[2]] && Page.withDeleted.search("page").count() == 4)
        }
    }

    @Test func `queries and finders delete softly`() throws {
        try withTemporarySession { session, file throws in
            let all = notes(8)
            try session.save(all)
            #expect(try Note.where { $0.rank < 2 }.delete() == 2)
            #expect(try Note.deleteBy.rank(1) == 0 && Note.deleteBy.rank(2) == 1)
            #expect(try Note.deleteByRank(3) == [all[3]])
            #expect(try Note.query.order(by: \.rank, .descending).limit(1).delete() == 1)
            #expect(all.map(\.isDeleted) == [true, true, true, true, false, false, false, true])
            let times = all.map(\.deletedAt)
            #expect(try Note.deleteAll() == 3 && Note.count() == 0)
            #expect(try file.sqlite("SELECT count(*), count(deleted_at) FROM note") == "8|8")
            #expect(all[0].deletedAt == times[0] && all[5].deletedAt != nil)
            // Some of the objects are restored.
            #expect(try Note.onlyDeleted.where { $0.rank < 3 }.restore() == 3)
            #expect(try Note.all() == Array(all[..<3]))
            #expect(try Note.withDeleted.where { $0.rank.isIn(2...3) }.restore() == 1)
            #expect(try Note.onlyDeleted.where { $0.rank > 4 }.deleteForever() == 3)
            #expect(try file.sqlite("SELECT rank FROM note ORDER BY rank") == "0\n1\n2\n3\n4")
            #expect(try Note.query.update { $0.title = "x" } == 4 && all[4].title == "note 4")
        }
    }

    @Test func `deleteForever deletes the row`() throws {
        try withTemporarySession { session, file throws in
            let all = notes(3)
            try session.save(all)
            try all[0].delete()
            try all[0].deleteForever()
            try all[1].deleteForever()
            expect(all.map(\.isDeleted), [true, true, false])
            try expect(file.sqlite("SELECT group_concat(id) FROM note"), "3")
            try expect(file.sqlite("SELECT group_concat(owner_id) FROM note_tags"), "3")
            let error = #expect(throws: StoreError.self) { try all[0].restore() }
            expect(error?.code, .objectIsDeleted)
            expect(#expect(throws: StoreError.self) { try Note().restore() }?.code, .misuse)
            expect(#expect(throws: StoreError.self) { try Note().delete() }?.code, .misuse)
            // The unique value can be used again.
            let again = notes(1)[0]
            try again.save()
            try again.delete()
            expect(#expect(throws: StoreError.self) { try notes(1)[0].save() }?.code, .notUnique)
        }
    }
}
