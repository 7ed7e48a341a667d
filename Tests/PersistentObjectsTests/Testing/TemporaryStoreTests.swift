import Foundation
import PersistentObjects
import PersistentObjectsTesting
import TestSupport
import Testing

/// Like a user's tests, uses no internal declarations.
struct TemporaryStoreTests {
    private final class Person: PersistentObject {
        override class var tableName: String { "temporary_person" }
        var name = ""

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    @Test func `saved objects are found when the file is opened again`() throws {
        let file = try TemporaryStore()
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try file.open().withSession { _ in try Person("Ann").save() }
        if !TestEngine.isPostgres { #expect(FileManager.default.fileExists(atPath: file.path)) }
        try file.open().withSession { _ throws in try expect(Person.findOnlyByName("Ann").id, 1) }
    }

    @Test func `each temporary store has its own private folder`() throws {
        let (one, other) = (try TemporaryStore(), try TemporaryStore())
        #expect(one.folder != other.folder)
        expect(one.path, one.folder.appending(path: "store.sqlite").path(percentEncoded: false))
        let attributes = try FileManager.default.attributesOfItem(atPath: one.folder.path(percentEncoded: false))
        expect(attributes[.posixPermissions] as? Int, 0o700)
    }

    @Test func `a configuration is passed to the store`() throws {
        let store = try TemporaryStore().open(configuration: .init(lostEdits: .ignore))
        guard case .ignore = store.configuration.lostEdits else {
            Issue.record("it is \(store.configuration.lostEdits)")
            return
        }
    }

    @Test func `the folder is deleted with its last user`() throws {
        var file: TemporaryStore? = try TemporaryStore()
        let folder = try #require(file?.folder.path(percentEncoded: false))
        var store: Store? = try file?.open()
        file = nil
        try store?.withSession { _ in try Person("Ann").save() }
        #expect(FileManager.default.fileExists(atPath: folder))
        store = nil
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
