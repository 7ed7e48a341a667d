import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The default store, the environment and the current folder belong to the whole process, so each test runs in its
/// own process.
@Suite(.ownProcesses) struct DefaultStoreTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
    }

    private static func savePerson() throws {
        let person = Person()
        person.name = "Smith"
        try person.save()
    }

    #if os(Linux)
        @Test func `calls outside a session use a file in the user's data folder`() async {
            await #expect(processExitsWith: .success) {
                let file = try TemporaryStore()
                setenv("XDG_DATA_HOME", file.folder.path(percentEncoded: false), 1)
                try Self.savePerson()
                let path = try #require(Store.default.path)
                #expect(path.hasPrefix(file.folder.path(percentEncoded: false)))
                #expect(
                    path == Store.defaultPath && path.hasSuffix("/\(ProcessInfo.processInfo.processName)/store.sqlite"))
                try expect(SQLiteTool.run(path, "SELECT name FROM person"), "Smith")
                #expect(try Person.first()?.name == "Smith" && Store.default === Store.default)
            }
        }

        @Test(arguments: [nil, "", "relative/path"])
        func `without a valid XDG_DATA_HOME, the data folder is .local/share in the home folder`(value: String?) async {
            await #expect(processExitsWith: .success) { [value] in
                let file = try TemporaryStore()
                setenv("HOME", file.folder.path(percentEncoded: false), 1)
                if let value { setenv("XDG_DATA_HOME", value, 1) } else { unsetenv("XDG_DATA_HOME") }
                let path = Store.defaultPath
                #expect(path.contains("/.local/share/") && path.hasPrefix("/") && !path.contains("relative"))
                #expect(FileManager.default.fileExists(atPath: URL(filePath: path).deletingLastPathComponent().path))
            }
        }

        @Test func `a data folder that cannot be created is an error of the first call`() async {
            await #expect(processExitsWith: .success) {
                let file = try TemporaryStore()
                let blocked = file.folder.appending(path: "file").path(percentEncoded: false)
                try Data().write(to: URL(filePath: blocked))
                setenv("XDG_DATA_HOME", blocked, 1)
                for _ in 0..<2 {
                    let error = #expect(throws: StoreError.self) { try Person.count() }
                    expect(error?.code, .cannotOpen)
                }
            }
        }
    #endif

    @Test func `Store.open makes the store the default store`() async {
        await #expect(processExitsWith: .success) {
            let files = try [TemporaryStore(), TemporaryStore()]
            let store = try Store.open(files[0].path)
            #expect(Store.default === store)
            try Self.savePerson()
            try expect(files[0].sqlite("SELECT name FROM person"), "Smith")
            try Store.open(files[1].path)
            #expect(try Person.count() == 0 && Store.default.path == files[1].path)
            #expect(throws: StoreError.self) { try Store.open("/nowhere/at/all.sqlite") }
            expect(Store.default.path, files[1].path, "a store that cannot be opened changes nothing")
            let count = try store.withSession { _ in try Person.count() }
            withExtendedLifetime(files) { expect(count, 1) }
        }
    }

    @Test func `a relative path is not affected by a change of the current folder`() async {
        await #expect(processExitsWith: .success) {
            let file = try TemporaryStore()
            let folder = file.folder.path(percentEncoded: false)
            expect(chdir(folder), 0)
            let store = try Store("store.sqlite")
            #expect(store.path?.hasSuffix("/store.sqlite") == true && store.path?.hasPrefix("/") == true)
            expect(chdir("/"), 0)
            try store.withSession { _ in
                try Self.savePerson()
                try store.withSession { _ in try Self.savePerson() }
            }
            try expect(file.sqlite("SELECT count(*) FROM person"), "2")
        }
    }

    #if DEBUG
        @Test func `a call in a detached task while a session is open is noted once`() async {
            await #expect(processExitsWith: .success) {
                let files = try [TemporaryStore(), TemporaryStore()]
                let notes = Recorder<String>()
                try Store.open(files[0].path, configuration: .init { notes.add($0) })
                let store = try Store(files[1].path)
                let count = try await store.withSession { _ in
                    try Self.savePerson()
                    return try await Task.detached { try Person.count() + Person.count() }.value
                }
                expect(count, 0, "the detached task does not see the session")
                #expect(notes.all.count == 1 && notes.all[0].hasPrefix("Person is used in the default store while"))
            }
        }

        @Test func `a call outside a session while no session is open is not noted`() async {
            await #expect(processExitsWith: .success) {
                let file = try TemporaryStore()
                let notes = Recorder<String>()
                let store = try Store.open(file.path, configuration: .init { notes.add($0) })
                try store.withSession { _ in try Self.savePerson() }
                let count = try await Task.detached { try Person.count() }.value
                #expect(count == 1 && notes.all.isEmpty)
            }
        }
    #endif
}
