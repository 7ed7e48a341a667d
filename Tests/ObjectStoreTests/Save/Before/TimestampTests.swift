import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// `createdAt` and `updatedAt`, which the store maintains.
struct TimestampTests {
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        var text = ""
        @Unique var code: Int?
        var createdAt: Date?
        var updatedAt = Date.distantPast
    }

    final class Plain: PersistentObject {
        override class var tableName: String { "plain" }
        var text = ""
        var createdAt = Date()
        var updatedAt: Date?
        var friend: Plain?
    }

    final class Own: PersistentObject {
        override class var tableName: String { "own" }
        override class var timestamps: Bool { false }
        var text = ""
        var createdAt: Date?
        var updatedAt: Date?
    }

    final class Texts: PersistentObject {
        override class var tableName: String { "texts" }
        var name = 0
        var createdAt = "never"
        var updatedAt = 0
    }

    private let old = Date(timeIntervalSinceReferenceDate: 1000)

    @Test func `an insert sets createdAt and updatedAt, and an update sets updatedAt`() throws {
        try withTemporarySession { session, file throws in
            let note = Note()
            let before = Date()
            try note.save()
            let created = try #require(note.createdAt)
            #expect(created >= before && created <= Date() && note.updatedAt == created && !note.hasChanges)
            let stored = try file.sqlite("SELECT created_at = updated_at FROM note")
            expect(stored, "1")
            note.text = "a"
            let log = try statements(of: session) { try note.save() }
            expect(log[1], #"UPDATE "note" SET "text" = ?, "updated_at" = ? WHERE "id" = ?"#)
            #expect(note.createdAt == created && note.updatedAt > created && !note.hasChanges)
            let updated = note.updatedAt
            try note.reload()
            #expect(note.updatedAt == updated && note.createdAt == created)
        }
    }

    @Test func `all objects of one save get the same time`() throws {
        try withTemporarySession { session, _ throws in
            let notes = (0..<100).map { _ in Note() }
            try session.save(notes)
            #expect(Set(notes.map(\.updatedAt)).count == 1 && notes[0].updatedAt > Date.distantPast)
            for note in notes { note.text = "b" }
            let first = notes[0].updatedAt
            try session.saveChanges()
            #expect(Set(notes.map(\.updatedAt)).count == 1 && notes[0].updatedAt > first)
        }
    }

    @Test func `an assigned createdAt is kept, and so is its initial value Date()`() throws {
        try withTemporarySession { _, _ throws in
            let note = Note()
            note.createdAt = old
            try note.save()
            #expect(note.createdAt == old && note.updatedAt > old)
            let plain = Plain()
            let made = plain.createdAt
            try plain.save()
            #expect(plain.createdAt == made && plain.updatedAt != nil)
        }
    }

    @Test func `a change of updatedAt alone is not a change`() throws {
        try withTemporarySession { session, _ throws in
            for make in [{ Note() as PersistentObject }, { Plain() }] {
                let object = make()
                try object.save()
                let kept = object["updatedAt"] as? Date
                try object.set("updatedAt", to: old)
                #expect(!object.hasChanges)
                try expect(statements(of: session) { try object.save() }, [])
                expect(object["updatedAt"] as? Date, kept)
                // With another change, the store's time is used.
                try object.set("updatedAt", to: old)
                try object.set("text", to: "x")
                try object.save()
                #expect(try #require(object["updatedAt"] as? Date) > old)
            }
        }
    }

    @Test func `a failed save leaves the timestamps unchanged`() throws {
        try withTemporarySession { session, _ throws in
            let first = Note()
            first.code = 1
            try first.save()
            let second = Note()
            second.code = 1
            for save in [{ try second.save() }, { try session.save([Note(), second]) }] {
                #expect(throws: StoreError.self) { () throws in try save() }
                #expect(second.createdAt == nil && second.updatedAt == .distantPast && second.isNew)
            }
            second.code = 2
            try second.save()
            let updated = second.updatedAt
            second.code = 1
            #expect(throws: StoreError.self) { () throws in try second.save() }
            #expect(second.updatedAt == updated && second.changes.map(\.name) == ["code"])
        }
    }

    @Test func `an object that is not saved after all has no timestamps`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in
                _ = try Note.count()
                let note = Note()
                try session.enter { try Save(session).saveAll([note]) { false } }
                #expect(note.isNew && note.createdAt == nil && note.updatedAt == .distantPast)
            }
        }
    }

    @Test func `a class or a save can disable timestamps`() throws {
        try withTemporarySession { _, _ throws in
            let own = Own()
            try own.save()
            #expect(own.createdAt == nil && own.updatedAt == nil)
            own.updatedAt = old
            #expect(own.hasChanges)
            try own.save()
            expect(own.updatedAt, old)
            let note = Note()
            note.updatedAt = old
            try note.save(.withoutTimestamps)
            #expect(note.createdAt == nil && note.updatedAt == old)
            note.updatedAt = old + 1
            try note.save(.withoutTimestamps)
            #expect(note.updatedAt == old + 1 && !note.hasChanges)
            let texts = Texts()
            try texts.save()
            #expect(texts.createdAt == "never" && texts.updatedAt == 0)
        }
    }

    @Test func `an update by query sets updatedAt, unless the query assigns it`() throws {
        try withTemporarySession { session, file throws in
            let note = Note()
            try note.save()
            let created = note.updatedAt
            let count = try Note.query.update { $0.text = "a" }
            expect(count, 1)
            #expect(note.text == "a" && note.updatedAt > created)
            let time = Date(timeIntervalSinceReferenceDate: 1000)
            try Note.query.update { $0.updatedAt = time }
            expect(note.updatedAt, time)
            try expect(file.sqlite("SELECT updated_at FROM note"), "1000.0")
        }
    }

    @Test func `a referenced object is stamped if it is saved, and not if it is unchanged`() throws {
        try withTemporarySession { _, _ throws in
            let (a, b) = (Plain(), Plain())
            a.friend = b
            try a.save()
            #expect(a.updatedAt != nil && a.updatedAt == b.updatedAt)
            let time = b.updatedAt
            a.friend = nil
            try a.save()
            #expect(try #require(a.updatedAt) > #require(time) && b.updatedAt == time)
        }
    }
}
