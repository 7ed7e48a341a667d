#if Encryption && (!canImport(Darwin) || os(macOS))
    import CFaultVFS
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// `encrypt(with:)`, `decrypt()` and `changeFileKey()`, also when they fail or are killed at any call of SQLite.
    @Suite struct ConversionTests {
        @Test(arguments: [JournalMode.wal, .rollback], [nil, 512])
        func `encrypting and decrypting keep all rows and ids`(journal: JournalMode, pageSize: Int?) throws {
            let folder = try SealedFolder()
            let keys = try folder.keys()
            let store = try folder.openPlain(journal: journal, pageSize: pageSize)
            try store.fill(200)
            try store.withSession { _ throws in _ = try Note.where { $0.number < 50 }.delete() }
            let ids = try store.withSession { _ in try Note.all().map { $0.id ?? 0 } }
            try store.encrypt(with: keys)
            expect(store.encryption.fileKey, 1)
            try expect(folder.files(containing: secret), [])
            try expect(store.withSession { _ in try Note.all().map { $0.id ?? 0 } }, ids)
            try store.fill(10, from: 500)
            expect(errorCode { try store.encrypt(with: keys) }, .misuse)
            try store.decrypt()
            expect(store.encryption.fileKey, nil)
            try expect(store.numbers(), Array(50..<200) + Array(500..<510))
            try expect(store.checkIntegrity().problems.count, 0)
            store.close()
            try expect(SQLiteTool.run(folder.path, "PRAGMA integrity_check"), "ok")
            try expect(SQLiteTool.run(folder.path, "SELECT count(*) FROM note"), "160")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.file.folder.path())
            expect(names.filter { $0.contains("partial") }, [])
            // Ids of deleted rows are not used again.
            let again = try folder.openPlain(journal: journal)
            try again.encrypt(with: keys)
            try again.fill(1, from: 900)
            try expect(again.withSession { _ in try Note.all().map { $0.id ?? 0 }.max() }, 211)
        }

        @Test(arguments: [JournalMode.wal, .rollback])
        func `a file in use is not replaced`(journal: JournalMode) throws {
            let folder = try SealedFolder()
            let keys = try folder.keys()
            let (store, other) = (try folder.openPlain(journal: journal), try folder.openPlain(journal: journal))
            try store.fill(20)
            try other.withSession { _ throws in
                try expect(Note.count(), 20)
                expect(errorCode { try store.encrypt(with: keys) }, .busy)
                expect(store.encryption.fileKey, nil)
                try expect(Note.count(), 20)
            }
            try expect(store.numbers().count, 20)
            other.close()
            try store.encrypt(with: keys)
            try expect(store.numbers().count, 20)
        }

        /// The rows of a file that is plain or encrypted; nil if it is neither.
        private func numbers(_ folder: SealedFolder, _ keys: Keyring) throws -> [Int]? {
            for isEncrypted in [true, false] {
                do {
                    let store = try isEncrypted ? folder.open(keys) : folder.openPlain()
                    defer { store.close() }
                    expect(try store.checkIntegrity().isSound, true)
                    return try store.numbers()
                } catch let error as StoreError where error.code == .wrongKey { continue }
            }
            return nil
        }

        @Test(arguments: ["encrypt", "decrypt", "changeFileKey"])
        func `a failure at any call of SQLite leaves all rows, in one form or the other`(_ work: String) throws {
            let folder = try SealedFolder()
            let watch = po_watch_folder(folder.file.folder.path(percentEncoded: false))
            defer { po_watch_end(watch) }
            let keys = try folder.keys()
            let first = try folder.openPlain()
            try first.fill(60)
            if work != "encrypt" { try first.encrypt(with: keys) }
            first.close()
            let original = try Data(contentsOf: URL(filePath: folder.path))
            func run(_ number: Int, isSticky: Bool) throws -> (calls: Int, failed: Bool) {
                folder.remove(["store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal"])
                try original.write(to: URL(filePath: folder.path))
                let store = try work == "encrypt" ? folder.openPlain() : folder.open(keys)
                po_arm(watch, PO_ANY.rawValue, number, PO_FAIL, isSticky)
                var failed = false
                do {
                    switch work {
                    case "encrypt": try store.encrypt(with: keys)
                    case "decrypt": try store.decrypt()
                    default: try store.changeFileKey()
                    }
                } catch { failed = true }
                let calls = po_count(watch)
                po_disarm(watch)
                store.close()
                return (calls, failed)
            }
            let count = try run(Int.max, isSticky: false).calls
            #expect(count > 50)
            let step = max(1, count / (Scale.isFull ? 150 : 15))
            var failures = 0
            for number in stride(from: 1, through: count, by: step) {
                failures += try run(number, isSticky: number % 2 == 0).failed ? 1 : 0
                try expect(numbers(folder, keys), Array(0..<60), "call \(number) of \(count)")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.file.folder.path())
                expect(names.filter { $0.contains("partial") }, [], "call \(number) of \(count)")
            }
            #expect(failures > 5)
        }

        /// Runs in a separate process, which is killed at a call of SQLite.
        private static func convert(_ folder: String, _ path: String, killedAt number: Int) throws {
            let watch = po_watch_folder(folder)
            let keys = try Keyring.file(folder + "keys.po")
            let store = try Store(path)
            po_arm(watch, PO_ANY.rawValue, number, number % 2 == 0 ? PO_KILL : PO_TEAR, false)
            while true {
                try store.encrypt(with: keys)
                try store.changeFileKey()
                try store.decrypt()
            }
        }

        @Test func `a kill at any call of SQLite leaves all rows, in one form or the other`() async throws {
            var generator = SeededGenerator(seed: 451)
            for round in 0..<Scale.rounds(15) {
                let folder = try SealedFolder()
                let keys = try folder.keys()
                let store = try folder.openPlain()
                try store.fill(60)
                store.close()
                let number = Int.random(in: 1...900, using: &generator) + round % 2
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        folder = folder.file.folder.path(percentEncoded: false) as String,
                        path = folder.path as String, number = number as Int
                    ] in
                    try ConversionTests.convert(folder, path, killedAt: number)
                }
                try expect(numbers(folder, keys), Array(0..<60), "call \(number)")
            }
        }
    }
#endif
