import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Read-only stores.
@Suite struct ReadOnlyStoreTests {
    private static let configuration = Store.Configuration(lostEdits: .ignore, isReadOnly: true)

    private func withReader<R>(_ body: (Store, Session, TemporaryStore) throws -> R) throws -> R {
        try withCareStore { store, file throws in
            let reader = try file.open(configuration: Self.configuration)
            defer { reader.close() }
            return try reader.withSession { session in try body(reader, session, file) }
        }
    }

    @Test func `a read-only store can read all data`() throws {
        try withReader { store, session, _ throws in
            #expect(store.isReadOnly)
            try expect(CarePerson.all().count, 5)
            try expect(CareNote.search("fox").count(), 1)
            #expect(try CareEmployee.first()?.photo == nil)
            try expect(CarePerson.find(3)?.photo, Data([1, 2, 3]))
            try expect(session.rows("SELECT count(*) FROM care_company")[0][0], .integer(2))
            try expect(store.statistics().rowCounts["CarePerson"], 3)
        }
    }

    @Test func `a read-only store sees commits of other programs`() throws {
        try withReader { _, _, file throws in
            let company = try #require(try CareCompany.first())
            _ = try file.sqlite("UPDATE care_company SET name = 'New' WHERE id = 1")
            #expect(try CareCompany.all().first === company && company.name == "New")
        }
    }

    @Test func `each write throws an error that names isReadOnly, and no writing SQL runs`() throws {
        try withReader { store, session, file throws in
            let person = try #require(try CarePerson.first())
            let log = Recorder<String>()
            let listener = Session.StatementListener { log.add($0) }
            try session.add(listener)
            defer { session.remove(listener) }
            person.lastName = "edited"
            let writes: [() throws -> Void] = [
                { try person.save() }, { try session.save([CareCompany()]) }, { try session.saveChanges() },
                { try session.execute("DELETE FROM care_note") }, { try session.transaction {} },
                { try CareNote.deleteAll() }, { try person.delete() }, { try store.vacuum() }, { try store.erase() },
                { try store.checkpoint() }, { try store.releaseFreePages() },
                { try CareNote.query.update { $0.title = "x" } },
            ]
            for (place, write) in writes.enumerated() {
                let error = #expect(throws: StoreError.self) { try write() }
                #expect(
                    error?.code == .readOnly && error?.message.contains("isReadOnly") == true,
                    "\(place): \(error.map { "\($0)" } ?? "")")
            }
            #expect(log.all.allSatisfy { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") }, "\(log.all)")
            #expect(person.lastName == "edited" && person.hasChanges)
            #expect(try file.sqlite("SELECT count(*) FROM care_note") == "3")
        }
    }

    private final class Unknown: PersistentObject {
        override class var tableName: String { "read_only_unknown" }
        var name = ""
    }

    @Test func `a class without a table is an error that names the class`() throws {
        try withReader { _, _, file throws in
            let error = #expect(throws: StoreError.self) { _ = try Unknown.all() }
            #expect(error?.code == .readOnly && error?.className == "Unknown")
            expect(error?.message.contains("must be created or updated first"), true)
            try expect(file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'read_only_unknown'"), "0")
        }
    }

    @Test func `opening a missing file throws and creates no file`() throws {
        let file = try TemporaryStore()
        let error = #expect(throws: StoreError.self) { _ = try file.open(configuration: Self.configuration) }
        #expect(error?.code == .cannotOpen && error?.message.contains("creates no files") == true)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a read-only store can be backed up`() throws {
        try withReader { store, _, file throws in
            let path = file.folder.appending(path: "copy.sqlite").path
            try store.backup(to: path)
            try expect(SQLiteTool.run(path, "SELECT count(*) FROM care_person"), "5")
        }
    }

    @Test(.enabled(if: FileAccess.canRemoveWriting, "the right to write cannot be taken away here"))
    func `in a read-only folder, a backup and a file with a rollback journal can be read`() throws {
        try withCareStore { store, file throws in
            let folder = file.folder.appending(path: "locked")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let path = folder.appending(path: "copy.sqlite").path
            try store.backup(to: path)
            try FileAccess.withoutWriting(folder.path) {
                try FileAccess.withoutWriting(path) {
                    // A store that may write reports the missing permission.
                    #expect([.readOnly, .cannotOpen].contains(careCode { _ = try Store(path) }))
                    let reader = try Store(path, configuration: Self.configuration)
                    defer { reader.close() }
                    try reader.withSession { _ throws in #expect(try CarePerson.all().count == 5) }
                    try CareModel.prepare(reader)
                    #expect(try reader.checkIntegrity().isSound)
                }
            }
        }
    }

    @Test(.enabled(if: FileAccess.canRemoveWriting, "the right to write cannot be taken away here"))
    func `in a read-only folder, the error for a file with a log names the remedy`() throws {
        try withCareStore { store, file throws in
            store.close()
            let folder = file.folder.appending(path: "locked")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let path = folder.appending(path: "store.sqlite").path
            try FileManager.default.copyItem(atPath: file.path, toPath: path)
            try FileAccess.withoutWriting(folder.path) {
                let error = #expect(throws: StoreError.self) { _ = try Store(path, configuration: Self.configuration) }
                #expect(error?.message.contains("journal .rollback") == true, "\(error.map { "\($0)" } ?? "")")
            }
        }
    }
}
