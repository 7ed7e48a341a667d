import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// SQLite ends a transaction by itself if a page cannot be read. A program that catches that error continues without
/// a transaction.
@Suite struct FaultyTransactionTests {
    /// A store without a page cache, with fifty people in it.
    private func withPeople(_ journal: JournalMode = .wal, _ body: (FaultyFolder, Session) throws -> Void) throws {
        let folder = try FaultyFolder()
        try folder.file.fill(50)
        let store = try folder.file.open(configuration: .init(lostEdits: .ignore, cacheSize: 0, journal: journal))
        try store.withSession { session in try body(folder, session) }
    }

    @Test func `after a failed read in a transaction, later writes throw and are not committed separately`() throws {
        try withPeople { folder, session throws in
            let (before, after) = (person("before"), person("after"))
            var refusals: [StoreError.Code?] = []
            let failure = code(of: {
                try session.transaction {
                    try before.save()
                    folder.arm(.failure, at: 1, of: .read)
                    refusals.append(code(of: { _ = try Person.all() }))
                    folder.disarm()
                    refusals.append(code(of: { try after.save() }))
                    refusals.append(code(of: { _ = try Person.count() }))
                    refusals.append(code(of: { try session.transaction { try after.save() } }))
                }
            })
            expect(folder.hits, 1)
            expect(refusals, [.inputOutput, .inputOutput, .inputOutput, .inputOutput])
            expect(failure, .inputOutput)
            #expect(before.isNew && after.isNew && !session.isInFileTransaction && !session.isInTransaction)
            try expect(folder.file.peopleCount, 50)
            try session.transaction { try session.save([before, after]) }
            try expect(folder.file.peopleCount, 52)
        }
    }

    @Test func `if an inner transaction cannot be rolled back, the whole transaction is rolled back`() throws {
        for isThrown in [false, true] {
            // With a write-ahead log, the rollback needs no reads or writes.
            try withPeople(.rollback) { folder, session throws in
                let people = try Person.all()
                func inner() throws {
                    try session.transaction {
                        for person in people { person.picture = [UInt8](repeating: 1, count: 6000) }
                        try session.save(people)
                        folder.arm(.failure, at: 1, of: [.read, .write], isSticky: true)
                        if isThrown { throw CocoaError(.userCancelled) }
                        session.rollBack()
                    }
                }
                let failure = code(of: {
                    try session.transaction {
                        try person("before").save()
                        try? inner()
                        folder.disarm()
                        try person("after").save()
                    }
                })
                #expect(failure == .inputOutput && folder.hits > 0, "\(isThrown)")
                #expect(try folder.file.peopleCount == 50, "\(isThrown)")
                #expect(
                    try folder.file.sqlite("SELECT max(length(picture)) FROM person; PRAGMA integrity_check")
                        == "100\nok")
                #expect(!session.isInFileTransaction && people.allSatisfy { !$0.hasChanges })
            }
        }
    }

    @Test func `a read transaction sees one state or fails`() throws {
        try withPeople { folder, session throws in
            try session.connection.beginReading()
            folder.arm(.failure, at: 1, of: .read)
            expect(code(of: { _ = try session.connection.value("SELECT sum(age) FROM person") }), .inputOutput)
            folder.disarm()
            expect(session.connection.endOfTransaction?.code, .inputOutput)
            expect(code(of: { _ = try session.connection.value("SELECT count(*) FROM person") }), .inputOutput)
            session.connection.rollback()
            #expect(session.connection.endOfTransaction == nil)
            try expect(session.connection.value("SELECT count(*) FROM person"), .integer(50))
        }
    }
}

/// If a save fails, the values that it set in other objects are restored.
@Suite struct FailedSaveTests {
    private func withOrchestra(_ body: (FaultyFolder, Session, Orchestra) throws -> Void) throws {
        let folder = try FaultyFolder()
        let store = try folder.file.open(configuration: .init(lostEdits: .ignore))
        try store.withSession { session throws in
            let orchestra = FaultScript.orchestra("Chamber")
            try orchestra.save()
            try body(folder, session, orchestra)
        }
    }

    @Test func `a failed save restores the other sides of an inverse, and the next save sets them`() throws {
        try withOrchestra { folder, _, orchestra throws in
            let (kim, ann) = (Musician("Kim"), orchestra.musicians[0])
            orchestra.musicians = [kim] + orchestra.musicians.dropFirst()
            folder.arm(.failure, at: 1, of: .write)
            expect(code(of: { try orchestra.save() }), .inputOutput)
            folder.disarm()
            #expect(kim.orchestra == nil && kim.isNew)
            #expect(ann.orchestra === orchestra && !ann.hasChanges)
            try orchestra.save()
            #expect(kim.orchestra === orchestra && ann.orchestra == nil)
        }
    }

    @Test func `a failed upsert keeps the values of the existing object`() throws {
        try withOrchestra { folder, session, orchestra throws in
            let new = Orchestra("Chamber")
            (new.founded, new.cities) = (1, ["Rom"])
            orchestra.ratings["brass"] = 5
            folder.arm(.failure, at: 1, of: .write)
            expect(code(of: { _ = try session.upsert(new, on: \.name) }), .inputOutput)
            folder.disarm()
            #expect(orchestra.founded == 1882 && orchestra.cities.count == 3)
            #expect(orchestra.changes.map(\.name) == ["ratings"] && orchestra.ratings["brass"] == 5)
            #expect(try session.upsert(new, on: \.name) === orchestra)
            #expect(orchestra.founded == 1 && orchestra.cities == ["Rom"])
        }
    }

    @Test func `an object whose insertion was undone is deleted, even if no later read succeeds`() throws {
        try withOrchestra { folder, session, orchestra throws in
            session.recordsUndo = true
            let kim = Musician("Kim")
            orchestra.musicians.append(kim)
            try orchestra.save()
            var calls: [FileCalls] = []
            try session.undo()
            try session.redo()
            (calls, _) = try folder.calls(of: { try session.undo() })
            try session.redo()
            // The last call that takes a lock starts the transaction in which the objects are read.
            let last = try #require(calls.lastIndex(where: { $0 == .lock }))
            folder.arm(.failure, at: last + 1, of: .all, isSticky: true)
            #expect(try session.undo())
            folder.disarm()
            #expect(folder.hits > 0)
            #expect(kim.isDeleted)
            #expect(try Musician.findByName("Kim").isEmpty)
        }
    }
}
