import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// The settings of the configuration, verified from outside the store.
@Suite struct SettingsTests {
    private final class Item: PersistentObject {
        override class var tableName: String { "settings_item" }
        var text = ""
    }

    private func pragma(_ name: String, _ session: Session) throws -> DatabaseValue {
        try session.rows("PRAGMA \(name)")[0][0] ?? .null
    }

    @Test func `the defaults are those documented`() throws {
        let configuration = Store.Configuration()
        #expect(configuration.cacheSize == 65_536_000 && configuration.pageSize == nil)
        #expect(configuration.journal == .wal && configuration.autoVacuum == .none)
        #expect(!configuration.isReadOnly && configuration.limits == StoreLimits())
        try withTemporarySession { session, file throws in
            try expect(pragma("cache_size", session), .integer(-64_000))
            try expect(file.sqlite("PRAGMA page_size; PRAGMA journal_mode; PRAGMA auto_vacuum"), "4096\nwal\n0")
            #expect(!session.store.isReadOnly)
        }
    }

    @Test func `durability and busy timeout apply to each connection`() throws {
        try withTemporarySession(.init(durability: .relaxed, busyTimeout: .milliseconds(1234))) { session, _ throws in
            try expect(pragma("synchronous", session), .integer(1))
            expect((session.connection as? SQLiteConnection)?.busyTimeout, 1234)
        }
        try withTemporarySession { session, _ throws in try expect(pragma("synchronous", session), .integer(2)) }
    }

    @Test(arguments: [(1_024_000, -1000), (0, -1), (5_000_000_000_000, -Int64(Int32.max))] as [(Int, Int64)])
    func `the cache has the configured number of bytes`(_ bytes: Int, _ pragma: Int64) throws {
        try withTemporarySession(.init(cacheSize: bytes)) { session, _ throws in
            try expect(self.pragma("cache_size", session), .integer(pragma))
        }
    }

    @Test(.onPlainFiles("an encrypted page has at least 4,096 bytes"), arguments: [512, 1024, 65536])
    func `a new file gets the configured page size, and an existing file keeps its page size`(_ size: Int) throws {
        let file = try TemporaryStore()
        try file.open(configuration: .init(pageSize: size)).withSession { session in try session.save(Item()) }
        try expect(file.sqlite("PRAGMA page_size; PRAGMA integrity_check"), "\(size)\nok")
        try file.open(configuration: .init(pageSize: 2048)).withSession { session in try session.save(Item()) }
        try expect(file.sqlite("PRAGMA page_size; SELECT count(*) FROM settings_item"), "\(size)\n2")
        let memory = try Store.inMemory(configuration: .init(pageSize: size))
        defer { memory.close() }
        try expect(memory.statistics().pageSize, size)
    }

    @Test(arguments: [
        (Store.Configuration(cacheSize: -1), "cache size"), (.init(pageSize: 100), "page size"),
        (.init(pageSize: 3000), "page size"), (.init(pageSize: 131_072), "page size"),
        (.init(limits: .init(valueBytes: 0)), "valueBytes"), (.init(limits: .init(sqlBytes: -5)), "sqlBytes"),
    ])
    func `opening with an invalid setting is refused and creates no file`(
        _ configuration: Store.Configuration, _ setting: String
    ) throws {
        let file = try TemporaryStore()
        let error = #expect(throws: StoreError.self) { _ = try file.open(configuration: configuration) }
        #expect(error?.code == .misuse && error?.message.contains(setting) == true)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `with a rollback journal there is no log, and a session sees commits of other connections`() throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(lostEdits: .ignore, journal: .rollback))
        defer { store.close() }
        try store.withSession { session throws in
            let item = Item()
            try session.save(item)
            #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
            try expect(file.sqlite("PRAGMA journal_mode"), "delete")
            try expect(store.statistics().journal, .rollback)
            _ = try file.sqlite("UPDATE settings_item SET text = 'by others'")
            try expect(Item.all().map(\.text), ["by others"])
            item.text = "mine"
            try session.transaction { try item.save() }
            try expect(file.sqlite("SELECT text FROM settings_item; PRAGMA integrity_check"), "mine\nok")
        }
    }

    @Test func `the journal mode of a file can be changed unless another connection has it open`() throws {
        let file = try TemporaryStore()
        let first = try file.open()
        try first.withSession { session in try session.save(Item()) }
        let impatient = Store.Configuration(busyTimeout: .milliseconds(20), journal: .rollback)
        let error = #expect(throws: StoreError.self) { _ = try file.open(configuration: impatient) }
        #expect(error?.code == .busy)
        #expect(error?.message.contains("is removed only when every other connection to the file is closed") == true)
        first.close()
        try file.open(configuration: impatient).withSession { _ throws in #expect(try Item.count() == 1) }
        #expect(try file.sqlite("PRAGMA journal_mode") == "delete")
        try file.open().withSession { _ throws in #expect(try Item.count() == 1) }
        #expect(try file.sqlite("PRAGMA journal_mode") == "wal")
    }

    @Test(arguments: [(AutoVacuum.none, "0"), (.full, "1"), (.incremental, "2")])
    func `a new file uses the configured auto-vacuum mode`(_ autoVacuum: AutoVacuum, _ pragma: String) throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(autoVacuum: autoVacuum))
        defer { store.close() }
        try store.withSession { session throws in
            let item = Item()
            item.text = String(repeating: "x", count: 100_000)
            try session.save(item)
            try item.delete()
        }
        try expect(file.sqlite("PRAGMA auto_vacuum"), pragma)
        let statistics = try store.statistics()
        expect(statistics.autoVacuum, autoVacuum)
        expect(statistics.freePageCount == 0, autoVacuum == .full)
    }

    @Test func `limits apply to each connection`() throws {
        let limits = StoreLimits(valueBytes: 10_000, sqlBytes: 5000, expressionDepth: 50, triggerDepth: 3)
        try withTemporarySession(.init(lostEdits: .ignore, limits: limits)) { session, file throws in
            let item = Item()
            item.text = String(repeating: "x", count: 9000)
            try session.save(item)
            item.text += String(repeating: "x", count: 2000)
            expect(careCode { try session.save(item) }, .tooBig)
            try expect(file.sqlite("SELECT length(text) FROM settings_item"), "9000")
            expect(careCode { _ = try session.rows("SELECT '\(String(repeating: "x", count: 5000))'") }, .tooBig)
            let deep = String(repeating: "(1 + ", count: 60) + "1" + String(repeating: ")", count: 60)
            expect(careCode { _ = try session.rows("SELECT \(deep)") }, .invalidSQL)
            // The limits do not apply to the shell, so a value that is too long can be stored; reading it is refused.
            _ = try file.sqlite("UPDATE settings_item SET text = printf('%.*c', 20000, 'x')")
            expect(careCode { try item.reload() }, .tooBig)
        }
    }

    @Test func `a changed setting applies to sessions opened afterwards`() throws {
        let store = try Store.temporary()
        defer { store.close() }
        store.configuration.cacheSize = 1_024_000
        try store.withSession { session throws in try expect(pragma("cache_size", session), .integer(-1000)) }
    }

    @Test func `the path :memory: opens an in-memory store, which cannot be read-only`() throws {
        let store = try Store(":memory:")
        defer { store.close() }
        #expect(store.path == nil)
        try store.withSession { session throws in
            try session.save(Item())
            try expect(Item.count(), 1)
        }
        #expect(!FileManager.default.fileExists(atPath: ":memory:"))
        expect(careCode { _ = try Store(":memory:", configuration: .init(isReadOnly: true)) }, .misuse)
    }
}
