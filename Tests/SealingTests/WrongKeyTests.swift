#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Wrong, missing, added and removed keys, and files in the other form.
    @Suite struct WrongKeyTests {
        private let folder: SealedFolder

        init() throws { folder = try SealedFolder() }

        private func bytes() throws -> [String: Data] {
            var files: [String: Data] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.file.folder.path) {
                files[name] = try Data(contentsOf: folder.file.folder.appending(path: name))
            }
            return files
        }

        private func message(_ body: () throws -> Void) -> String {
            let error = #expect(throws: StoreError.self) { () throws in try body() }
            expect(error?.code, .wrongKey)
            return error?.message ?? ""
        }

        @Test(arguments: [JournalMode.wal, .rollback])
        func `a wrong or missing key, and a missing configuration, are named before anything is written`(
            journal: JournalMode
        ) throws {
            let store = try folder.open(journal: journal)
            try store.fill(20)
            store.close()
            let before = try bytes()
            let other = try Keyring.provider(current: 1) { _ in [UInt8](repeating: 9, count: 32) }
            #expect(message { _ = try folder.open(other, journal: journal) }.contains("Key 1 of the keyring is not"))
            let later = try Keyring.provider(current: 5) { $0 == 5 ? [UInt8](repeating: 9, count: 32) : nil }
            #expect(message { _ = try folder.open(later, journal: journal) }.contains("has no key 1"))
            #expect(message { _ = try folder.openPlain(journal: journal) }.contains("The file is encrypted"))
            try expect(bytes(), before)
            try expect(folder.open(journal: journal).numbers().count, 20)
        }

        @Test func `a plain file is refused with encryption, before anything is written`() throws {
            let keys = try folder.keys()
            let store = try folder.openPlain()
            try store.fill(20)
            store.close()
            let before = try bytes()
            let message = message { _ = try folder.open(keys) }
            #expect(
                message.contains("The file is not encrypted. Open it without encryption and call encrypt(with:)."))
            try expect(bytes(), before)
            try expect(folder.openPlain().numbers().count, 20)
        }

        @Test func `a file that is no database is refused as before`() throws {
            let keys = try folder.keys()
            try Data(
                "Not a database, but long enough for a header of one hundred bytes, which this text has.\n\n\n\n\n\n\n\n\n\n\n\n"
                    .utf8
            )
            .write(to: URL(filePath: folder.path))
            expect(errorCode { _ = try folder.open(keys) }, .notADatabase)
        }

        @Test func `new pages use a new key, all pages use it after a change, and the old key can be removed`() throws {
            let keys = try folder.keys()
            let store = try folder.open(keys)
            try store.fill(100)
            try expect(keys.addKey(), 2)
            expect(store.encryption.fileKey, 2)
            try store.fill(100, from: 100)
            let error = #expect(throws: StoreError.self) { try store.removeKey(1) }
            expect(error?.code, .misuse)
            #expect(error?.message.contains("changeFileKey()") == true)
            expect(errorCode { try store.removeKey(2) }, .misuse)
            expect(errorCode { try store.removeKey(7) }, .notFound)
            try expect(store.numbers().count, 200)
            try store.changeFileKey()
            try expect(store.numbers().count, 200)
            try store.removeKey(1)
            expect(keys.keyNumbers, [2])
            store.close()
            try expect(Keyring.file(folder.keysPath).keyNumbers, [2])
            try expect(folder.open().numbers().count, 200)
        }

        @Test func `another keyring of the same file notices an added key`() throws {
            let (one, two) = (try folder.keys(), try folder.keys())
            let (first, second) = (try folder.open(one), try folder.open(two))
            try first.fill(50)
            try expect(second.numbers().count, 50)
            try one.addKey()
            try first.changeFileKey()
            try expect(second.numbers().count, 50)
            expect(two.currentKey, 2)
            try first.removeKey(1)
            try second.fill(50, from: 50)
            try expect(first.numbers().count, 100)
        }

        @Test func `backups have the same key, another key, or none`() throws {
            let keys = try folder.keys()
            let store = try folder.open(keys)
            try store.fill(100)
            let other = try Keyring.file(folder.keysPath + "2")
            let path = folder.path + "-backup"
            try store.backup(to: path)
            try expect(folder.files(containing: secret), [])
            try expect(folder.open(path: path).numbers().count, 100)
            try store.backup(to: path, replacing: true, encryption: .file(other))
            try expect(folder.files(containing: secret), [])
            expect(errorCode { _ = try folder.open(path: path) }, .wrongKey)
            try expect(folder.open(other, path: path).numbers().count, 100)
            expect(errorCode { try store.backup(to: path) }, .misuse)
            // The existing backup has keys that this call does not know.
            expect(errorCode { try store.backup(to: path, replacing: true) }, .wrongKey)
            try store.backup(to: path, replacing: true, encryption: .file(other))
            folder.remove(["store.sqlite-backup"])
            var progress: [Double] = []
            try store.backup(to: path, encryption: .none) { progress.append($0.fractionCompleted) }
            expect(progress, [1])
            try expect(folder.openPlain(path: path).numbers().count, 100)
            try expect(SQLiteTool.run(path, "PRAGMA integrity_check"), "ok")
            try store.backup(to: path, replacing: true)
            try expect(folder.open(path: path).numbers().count, 100)
        }

        @Test func `a plain store has encrypted backups`() throws {
            let keys = try folder.keys()
            let store = try folder.openPlain()
            try store.fill(100)
            let path = folder.file.folder.appending(path: "backup").path()
            try store.backup(to: path, encryption: .file(keys))
            try expect(folder.files(containing: secret).filter { $0.hasPrefix("backup") }, [])
            try expect(folder.open(keys, path: path).numbers().count, 100)
            try store.backup(to: path, replacing: true, encryption: .file(keys))
            try expect(folder.open(keys, path: path).numbers().count, 100)
            expect(errorCode { try Store.inMemory().backup(to: path + "2", encryption: .file(keys)) }, .misuse)
            try expect(
                FileManager.default.contentsOfDirectory(atPath: folder.file.folder.path()).filter {
                    $0.contains("partial")
                }, [])
        }

        @Test func `a read-only store reads an encrypted file and writes nothing`() throws {
            let keys = try folder.keys()
            let store = try folder.open(keys, journal: .rollback)
            try store.fill(20)
            store.close()
            let before = try bytes()
            let reader = try Store(
                folder.path, configuration: .init(journal: .rollback, isReadOnly: true, encryption: .file(keys)))
            try expect(reader.numbers().count, 20)
            expect(errorCode { try reader.decrypt() }, .readOnly)
            reader.close()
            try expect(bytes(), before)
        }

        @Test func `a commit of another store on the file is noticed`() throws {
            let keys = try folder.keys()
            let (one, two) = (try folder.open(keys), try folder.open(keys))
            try one.fill(1)
            try two.withSession { _ throws in
                try expect(Note.count(), 1)
                try one.fill(1, from: 1)
                try expect(Note.count(), 2)
            }
        }
    }
#endif
