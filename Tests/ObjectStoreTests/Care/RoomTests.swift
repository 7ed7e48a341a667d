import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// `vacuum()`, `releaseFreePages`, `checkpoint()`, `statistics()`.
@Suite struct RoomTests {
    private final class Blob: PersistentObject {
        override class var tableName: String { "room_blob" }
        var bytes = [UInt8](repeating: 1, count: 20_000)
        var isKept = false
    }

    /// Runs `body` with a file most of whose pages are free.
    private func withFreePages<R>(
        _ configuration: Store.Configuration, _ body: (Store, TemporaryStore) throws -> R
    ) throws -> R {
        let file = try TemporaryStore()
        let store = try file.open(configuration: configuration)
        defer { store.close() }
        try store.withSession { session throws in
            let kept = Blob()
            kept.isKept = true
            try session.save((0..<50).map { _ in Blob() } + [kept])
            try Blob.where { !$0.isKept }.delete()
        }
        return try body(store, file)
    }

    @Test func `a vacuum removes the free pages and keeps the ids`() throws {
        try withFreePages(.init()) { store, file throws in
            let before = try store.statistics()
            #expect(before.freePageCount > 200)
            try store.vacuum()
            try store.checkpoint()
            let after = try store.statistics()
            expect(after.freePageCount, 0)
            #expect(after.fileSize < before.pageCount * before.pageSize / 5)
            expect(after.fileSize, after.pageCount * after.pageSize)
            try expect(file.sqlite("SELECT id FROM room_blob; PRAGMA integrity_check"), "51\nok")
            try store.withSession { session throws in
                let next = Blob()
                try session.save(next)
                expect(next.id, 52)
            }
        }
    }

    @Test func `a vacuum works while a session is open, and the session can continue`() throws {
        try withFreePages(.init()) { store, _ throws in
            try store.withSession { session throws in
                let blob = try #require(try Blob.first())
                try store.vacuum()
                blob.bytes = [2]
                try session.save(blob)
                try expect(Blob.all().map(\.bytes), [[2]])
            }
        }
    }

    @Test func `a vacuum applies the configured auto-vacuum mode to an existing file`() throws {
        try withFreePages(.init()) { store, file throws in
            try expect(file.sqlite("PRAGMA auto_vacuum"), "0")
            store.configuration.autoVacuum = .incremental
            try store.vacuum()
            try expect(file.sqlite("PRAGMA auto_vacuum"), "2")
            try expect(store.statistics().autoVacuum, .incremental)
            store.configuration.autoVacuum = .none
            try store.vacuum()
            try expect(file.sqlite("PRAGMA auto_vacuum"), "0")
        }
    }

    @Test func `free pages can be released in steps if the file uses incremental auto-vacuum`() throws {
        try withFreePages(.init(autoVacuum: .incremental)) { store, _ throws in
            let before = try store.statistics().freePageCount
            #expect(before > 200)
            try expect(store.releaseFreePages(atMost: 10), 10)
            try expect(store.statistics().freePageCount, before - 10)
            try expect(store.releaseFreePages(), before - 10)
            try expect(store.releaseFreePages(), 0)
        }
        try withFreePages(.init()) { store, _ throws in try expect(store.releaseFreePages(), 0) }
    }

    @Test func `a vacuum of an in-memory store and of an empty store is not an error`() async throws {
        let memory = try Store.inMemory()
        defer { memory.close() }
        try memory.withSession { session in try session.save(Blob()) }
        try await memory.background.vacuum()
        try memory.withSession { _ throws in try expect(Blob.count(), 1) }
        try await Store.temporary().background.vacuum()
    }

    @Test func `vacuum and checkpoint are refused inside a transaction`() throws {
        try withFreePages(.init()) { store, _ throws in
            try store.withSession { session throws in
                try session.transaction {
                    expect(careCode { try store.vacuum() }, .misuse)
                    expect(careCode { try store.checkpoint() }, .misuse)
                }
            }
        }
    }

    @Test func `a checkpoint empties the log and returns its number of pages`() throws {
        try withFreePages(.init()) { store, file throws in
            let log = try store.statistics().logSize
            #expect(log > 100_000)
            let result = try store.checkpoint()
            #expect(result.isComplete && result.loggedPages > 0 && result.movedPages == result.loggedPages)
            try expect(store.statistics().logSize, 0)
            let size = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int
            expect(size, 0)
            // Nothing is left to do.
            try expect(store.checkpoint(), Checkpoint(loggedPages: 0, movedPages: 0, isComplete: true))
        }
    }

    @Test func `the result of a checkpoint that a reader blocks is incomplete`() throws {
        try withFreePages(.init(busyTimeout: .milliseconds(50))) { store, file throws in
            let reader = try SQLiteProcess(file.path)
            try reader.run("BEGIN; SELECT count(*) FROM room_blob;")
            try store.withSession { session in try session.save(Blob()) }
            let result = try store.checkpoint()
            #expect(!result.isComplete && result.movedPages < result.loggedPages)
            #expect(try !store.checkpoint(waiting: false).isComplete)
            try reader.run("COMMIT;")
            #expect(try store.checkpoint().isComplete)
        }
    }

    @Test func `without a log, a checkpoint has nothing to do`() throws {
        try withFreePages(.init(journal: .rollback)) { store, _ throws in
            try expect(store.checkpoint(), Checkpoint(loggedPages: 0, movedPages: 0, isComplete: true))
        }
    }

    @Test func `statistics include files, tables and classes`() throws {
        try withCareStore { store, file throws in
            let statistics = try store.statistics()
            #expect(statistics.pageSize == 4096 && statistics.journal == .wal && statistics.autoVacuum == .none)
            try expect("\(statistics.pageCount)", file.sqlite("PRAGMA page_count"))
            #expect(statistics.logSize > 0)
            expect(
                statistics.rowCounts,
                ["CareCompany": 2, "CarePerson": 3, "CareEmployee": 2, "CareNote": 3, "CareCountry": 1])
            let tags = try #require(statistics.tables.first { $0.name == "care_person_tags" })
            #expect(tags.className == "CarePerson" && tags.property == "tags" && tags.rowCount == 10)
            let people = try #require(statistics.tables.first { $0.name == "care_person" })
            #expect(people.className == "CarePerson" && people.property == nil && people.rowCount == 5)
            #expect(try #require(people.byteCount) >= 4096 && #require(people.indexByteCount) >= 4096)
            // The internal tables of FTS5 are not listed.
            #expect(!statistics.tables.contains { $0.name.hasPrefix("care_note_search") })
            #expect(statistics.description.contains("care_person_tags (CarePerson.tags): 10 rows, "))
            let quick = try store.statistics(measuringTables: false)
            #expect(quick.tables.allSatisfy { $0.byteCount == nil } && quick.tables.count == statistics.tables.count)
        }
    }

    @Test func `statistics include tables without a class, and in-memory stores`() throws {
        let memory = try Store.inMemory()
        defer { memory.close() }
        try memory.withSession { session throws in
            try session.execute("CREATE TABLE mine (x)")
            try session.execute("INSERT INTO mine VALUES (1), (2)")
        }
        let statistics = try memory.statistics()
        #expect(statistics.journal == nil && statistics.fileSize == 0 && statistics.rowCounts.isEmpty)
        #expect(statistics.tables.map(\.name) == ["mine"] && statistics.tables[0].rowCount == 2)
        #expect(statistics.tables[0].className == nil)
    }

    @Test(arguments: [
        ("VACUUM", "store.vacuum()"), ("  vacuum", "store.vacuum()"), ("-- now\nVACUUM INTO 'x'", "store.backup(to:)"),
        ("PRAGMA wal_checkpoint(TRUNCATE)", "store.checkpoint()"), ("PRAGMA incremental_vacuum", "releaseFreePages"),
        ("PRAGMA journal_mode = DELETE", "set journal"), ("PRAGMA synchronous = OFF", "set durability"),
        ("PRAGMA cache_size = 10", "set cacheSize"), ("PRAGMA page_size = 512", "set pageSize"),
        ("PRAGMA auto_vacuum = 1", "set autoVacuum"), ("PRAGMA busy_timeout = 1", "set busyTimeout"),
        ("PRAGMA query_only = ON", "set isReadOnly"), ("PRAGMA optimize", "ANALYZE"),
    ])
    func `reserved SQL is refused, and the error names the call to use`(_ sql: String, _ words: String) throws {
        try withTemporarySession { session, _ throws in
            for call in [{ _ = try session.execute(sql) }, { _ = try session.rows(sql) }] {
                let error = #expect(throws: StoreError.self) { try call() }
                #expect(
                    error?.code == .invalidSQL && error?.message.contains(words) == true,
                    "\(error.map { "\($0)" } ?? "")")
            }
        }
    }

    @Test(arguments: [
        "wal_autocheckpoint", "secure_delete", "max_page_count", "locking_mode", "mmap_size", "query_only",
        "trusted_schema", "temp_store", "journal_size_limit", "cell_size_check",
    ])
    func `pragmas that only read a value are allowed`(_ name: String) throws {
        try withTemporarySession { session, _ throws in try expect(session.rows("PRAGMA \(name)").count, 1) }
    }
}
