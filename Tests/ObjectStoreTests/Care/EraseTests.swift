import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

@Suite struct EraseTests {
    @Test func `erase deletes all rows and keeps the schema, and the files contain none of the deleted data`() throws {
        try withCareStore { store, file throws in
            _ = try file.sqlite("CREATE TABLE mine (x); INSERT INTO mine VALUES ('secret of mine')")
            try store.withSession { session throws in
                let person = CarePerson()
                person.lastName = "Rumpelstiltskin"
                try session.save(person)
            }
            let schema = try file.sqlite("SELECT sql FROM sqlite_schema ORDER BY name")
            try store.erase()
            #expect(try file.sqlite("SELECT sql FROM sqlite_schema ORDER BY name") == schema)
            let statistics = try store.statistics()
            #expect(statistics.tables.count > 8 && statistics.tables.allSatisfy { $0.rowCount == 0 })
            #expect(statistics.freePageCount == 0 && statistics.logSize == 0)
            let bytes = try #require(FileManager.default.contents(atPath: file.path))
            for text in ["Rumpelstiltskin", "secret of mine", "quick"] {
                #expect(bytes.range(of: Data(text.utf8)) == nil)
            }
            #expect(try file.sqlite("PRAGMA integrity_check") == "ok")
            #expect(try store.checkIntegrity().problems == [])
        }
    }

    @Test func `after erase, the store can be used at once, and ids are not reused`() throws {
        try withCareStore { store, _ throws in
            try store.erase()
            try store.withSession { session throws in
                let note = CareNote()
                note.title = "A new fox"
                try session.save(note)
                expect(note.id, 4)
                try expect(CareNote.search("fox").all(), [note])
                try expect(CareNote.search("dog").count(), 0)
                try expect(CarePerson.count(), 0)
            }
            try expect(store.checkIntegrity().problems, [])
        }
    }

    @Test func `after erase, the session's objects of all classes are deleted`() throws {
        try withCareStore { store, _ throws in
            try store.withSession { session throws in
                let objects: [PersistentObject] = try CarePerson.all() + CareCompany.all() + CareNote.all()
                objects.first.map { ($0 as? CarePerson)?.lastName = "edited" }
                try store.erase()
                #expect(objects.allSatisfy { $0.lifecycle == .deleted })
                #expect(try CarePerson.all().isEmpty && CarePerson.find(1) == nil)
                let person = try #require(objects.first as? CarePerson)
                #expect(person.lastName == "edited" && person.isDeleted)
                #expect(careCode { try person.save() } == .objectIsDeleted)
                #expect(try session.saveChanges() == ())
                #expect(try CarePerson.count() == 0)
            }
        }
    }

    @Test func `after erase, other open sessions find that the rows no longer exist`() throws {
        try withCareStore { store, _ throws in
            let other = try Session(store)
            defer { other.end() }
            let person = try #require(
                try other.enter { try other.find(other.space(of: CarePerson.self), 1) } as? CarePerson)
            try store.withSession { _ in try store.erase() }
            person.lastName = "too late"
            #expect(careCode { try other.save(person) } == .rowGone)
            try other.refresh()
            #expect(person.isDeleted)
        }
    }

    @Test func `erase runs no triggers, and later deletions run them again`() throws {
        try withCareStore { store, file throws in
            _ = try file.sqlite(
                "CREATE TRIGGER mine BEFORE DELETE ON care_company BEGIN SELECT RAISE(ABORT, 'not this one'); END")
            try store.erase()
            try expect(file.sqlite("SELECT count(*) FROM care_company"), "0")
            try store.withSession { session throws in
                let company = CareCompany()
                try session.save(company)
                expect(careCode { try session.delete(company) }, .constraint)
            }
        }
    }

    @Test func `erase discards recorded undo steps`() throws {
        try withCareStore { store, _ throws in
            try store.withSession { session throws in
                session.recordsUndo = true
                try session.save(CareCompany())
                #expect(session.canUndo)
                try store.erase()
                #expect(!session.canUndo && session.recordsUndo)
            }
        }
    }

    @Test func `subscribers receive an event for an erase`() async throws {
        let store = try Store.temporary(configuration: .init(lostEdits: .ignore))
        defer { store.close() }
        try store.withSession { session in try CareModel.fill(session) }
        var events = store.events.makeAsyncIterator()
        try store.erase()
        let event = await events.next()
        #expect(event != nil)
    }

    @Test func `in a transaction, erase is refused and nothing is deleted`() throws {
        try withCareStore { store, file throws in
            try store.withSession { session throws in
                try session.transaction { expect(careCode { try store.erase() }, .misuse) }
            }
            try expect(file.sqlite("SELECT count(*) FROM care_person"), "5")
        }
    }

    @Test func `while another process writes, erase is refused and nothing is deleted`() throws {
        try withCareStore(.init(busyTimeout: .milliseconds(20), lostEdits: .ignore)) { store, file throws in
            let writer = try SQLiteProcess(file.path)
            try writer.run("BEGIN IMMEDIATE;")
            expect(careCode { try store.erase() }, .busy)
            try writer.run("COMMIT;")
            try expect(file.sqlite("SELECT count(*) FROM care_person"), "5")
        }
    }

    @Test func `if another process reads, the log is kept and a note reports it`() throws {
        let notes = Recorder<String>()
        let configuration = Store.Configuration(
            busyTimeout: .milliseconds(20), lostEdits: .ignore, onNote: { notes.add($0) })
        try withCareStore(configuration) { store, file throws in
            let reader = try SQLiteProcess(file.path)
            try reader.run("BEGIN; SELECT count(*) FROM care_person;")
            try store.erase()
            #expect(notes.all.contains { $0.contains("vacuum() and checkpoint() later") })
            #expect(try reader.run("SELECT count(*) FROM care_person;") == "5")
            try reader.run("COMMIT;")
            #expect(try reader.run("SELECT count(*) FROM care_person;") == "0")
        }
    }

    @Test func `an in-memory store can be erased`() throws {
        let store = try Store.inMemory()
        defer { store.close() }
        try store.withSession { session throws in
            try CareModel.fill(session)
            try store.erase()
            try expect(CarePerson.count(), 0)
        }
    }
}
