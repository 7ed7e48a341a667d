#if !canImport(Darwin) || os(macOS)
    import Foundation
    import PersistentObjects
    import PersistentTransfer
    import TestSupport
    import Testing

    /// Errors for a user without permission to write or to read. Root has all permissions, so the tests run as
    /// another user in a separate process.
    @Suite(.ownProcesses) struct UnprivilegedTests {
        /// Changes this process to an unprivileged user.
        private static func dropPrivileges() throws {
            guard geteuid() == 0 else { return }
            try #require(setgroups(0, nil) == 0 && setgid(65534) == 0 && setuid(65534) == 0)
        }

        private func setMode(_ mode: Int, _ path: String) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }

        /// A store with the given mode, in a folder with the given mode.
        private func store(folder: Int, file mode: Int) throws -> TemporaryStore {
            let file = try TemporaryStore()
            // Without a log, because a file that may have a log cannot be read in a folder where none can be created.
            try file.open(configuration: .init(lostEdits: .ignore, journal: .rollback)).withSession { session in
                try session.save([person("Joe"), person("Ann")])
            }
            try setMode(mode, file.path)
            try setMode(folder, file.folder.path(percentEncoded: false))
            return file
        }

        @Test(arguments: [(0o755, 0o444), (0o777, 0o444), (0o755, 0o666)])
        func `a file without write permission is rejected at open, can be opened read-only, and stays unchanged`(
            _ folder: Int, _ mode: Int
        ) async throws {
            let file = try store(folder: folder, file: mode)
            let before = try file.contents
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                try UnprivilegedTests.dropPrivileges()
                let error = try #require(throws: StoreError.self) { _ = try Store(path) }
                #expect([.readOnly, .cannotOpen].contains(error.code) && error.message.contains(path))
                let store = try Store(path, configuration: .init(isReadOnly: true))
                try store.withSession { _ throws in
                    #expect(try Person.all().count == 2)
                    #expect(code(of: { try person("new").save() }) == .readOnly)
                }
            }
            try setMode(0o700, file.folder.path(percentEncoded: false))
            #expect(try file.contents == before)
        }

        @Test func `a file without read permission or in an inaccessible folder is rejected at open`() async throws {
            let files = [
                try store(folder: 0o755, file: 0o600), try store(folder: 0o700, file: 0o666),
                try store(folder: 0o777, file: 0o200),
            ]
            for file in files {
                // If the tests do not run as root, the owner could open the file.
                if geteuid() != 0 { try setMode(0, file.path) }
                await #expect(processExitsWith: .success) { [path = file.path as String] in
                    try UnprivilegedTests.dropPrivileges()
                    for isReadOnly in [false, true] {
                        let error = try #require(throws: StoreError.self) {
                            _ = try Store(path, configuration: .init(isReadOnly: isReadOnly))
                        }
                        #expect([.readOnly, .cannotOpen].contains(error.code), "\(error)")
                        #expect(error.message.contains(path))
                    }
                    #expect(code(of: { _ = try Store(path + ".new/store.sqlite") }) == .cannotOpen)
                }
                try setMode(0o700, file.folder.path(percentEncoded: false))
            }
        }

        @Test func `without write permission no store, backup or export is created`() async throws {
            let file = try store(folder: 0o755, file: 0o444)
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                try UnprivilegedTests.dropPrivileges()
                #expect(code(of: { _ = try Store(path + ".new") }) == .cannotOpen)
                let store = try Store(path, configuration: .init(isReadOnly: true))
                #expect(code(of: { try store.backup(to: path + ".copy") }) != nil)
                #expect(throws: (any Error).self) {
                    try store.export([Person.self], to: URL(filePath: path + ".json"), as: .json)
                }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: file.folder.path(percentEncoded: false))
            #expect(names == ["store.sqlite"])
        }

        @Test func `a log in a folder without write permission is read, or opening throws`() async throws {
            let source = try TemporaryStore()
            let copy = try TemporaryStore()
            let store = try source.open(configuration: .quiet)
            try store.withSession { session throws in
                try session.save((0..<10).map { person("Name \($0)") })
                for end in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: source.path + end, toPath: copy.path + end)
                    try setMode(0o444, copy.path + end)
                }
            }
            try setMode(0o755, copy.folder.path(percentEncoded: false))
            await #expect(processExitsWith: .success) { [path = copy.path as String] in
                try UnprivilegedTests.dropPrivileges()
                #expect([.readOnly, .cannotOpen].contains(code(of: { _ = try Store(path) })))
                do {
                    try Store(path, configuration: .init(isReadOnly: true)).withSession { _ throws in
                        #expect(try Person.count() == 10)
                    }
                } catch let error as StoreError {
                    #expect([.readOnly, .cannotOpen].contains(error.code), "\(error)")
                }
            }
            for end in ["", "-wal"] { try setMode(0o600, copy.path + end) }
            try copy.open().withSession { _ throws in #expect(try Person.count() == 10) }
        }

        // MARK: A read-only mount

        private static func run(_ arguments: String...) -> Bool {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

        private static func withReadOnlyMount(_ folder: String, _ body: () throws -> Void) rethrows -> Bool {
            guard geteuid() == 0, run("mount", "--bind", folder, folder) else { return false }
            defer { _ = run("umount", "-l", folder) }
            guard run("mount", "-o", "remount,bind,ro", folder) else { return false }
            try body()
            return true
        }

        @Test func `a store on a read-only file system is rejected at open, and can be opened read-only`() throws {
            let file = try store(folder: 0o755, file: 0o644)
            let done = try Self.withReadOnlyMount(file.folder.path(percentEncoded: false)) {
                let error = try #require(throws: StoreError.self) { _ = try Store(file.path) }
                #expect([.readOnly, .cannotOpen].contains(error.code) && error.message.contains(file.path))
                try Store(file.path, configuration: .init(isReadOnly: true)).withSession { _ throws in
                    #expect(try Person.count() == 2)
                }
            }
            try file.open().withSession { _ throws in #expect(try Person.count() == 2) }
            if !done { print("no mount is possible here: the read-only one was not tried") }
        }
    }
#endif
