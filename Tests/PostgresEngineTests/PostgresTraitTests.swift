import Foundation
import PersistentObjects
import StoreEngine
import TestSupport
import Testing

#if PostgreSQL
    private let isBuilt = true
#else
    private let isBuilt = false
#endif

@Suite struct PostgresTraitTests {
    #if os(Linux)
        @Test("a program links libpq only with the trait")
        func linking() throws {
            let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps"))
            let libraries = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
            #expect(libraries.contains("/libpq.") == isBuilt)
        }
    #endif

    @Test("opening an unreachable server throws, and without the trait the error explains how to build")
    func opening() throws {
        let error = #expect(throws: StoreError.self) {
            () throws in _ = try Store("postgres://nobody@localhost:1/nothing?connect_timeout=2")
        }
        #expect(error?.code == (isBuilt ? .cannotOpen : .unsupported))
        #expect(error?.message.contains(isBuilt ? "cannot be reached" : "--traits PostgreSQL") == true)
    }

    @Test(
        "a server address that does not begin with postgres:// is rejected",
        arguments: ["", "host=localhost", "shop.sqlite", "http://localhost"])
    func address(_ address: String) {
        let error = #expect(throws: StoreError.self) { () throws in _ = try Store(.postgres(address)) }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("postgres://") == true)
    }

    @Test("a file has no schemas")
    func schemas() {
        let error = #expect(throws: StoreError.self) { () throws in _ = try Store("shop.sqlite", schema: "t7") }
        #expect(error?.code == .unsupported)
        #expect(!FileManager.default.fileExists(atPath: "shop.sqlite"))
    }

    @Test("the schemas of a store in memory are refused", .onSQLite("a server has schemas"))
    func list() throws {
        let store = try Store.inMemory()
        defer { store.close() }
        let error = #expect(throws: StoreError.self) { try store.schemas() }
        #expect(error?.code == .unsupported)
    }

    @Test("the location of a file is its path")
    func file() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "location-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "store.sqlite").path()
        let store = try Store(.file(path))
        #expect(store.path == path)
        store.close()
    }
}
