#if Encryption && (!canImport(Darwin) || os(macOS))
    import CFaultVFS
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// `encrypt(with:)`, `decrypt()` and `changeFileKey()`, also when they fail or are killed at any call of SQLite.
    @Suite(.ownProcesses) struct ConversionTests {
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

        @Test func `the bytes of the plain file are overwritten`() throws {
            let folder = try SealedFolder()
            let store = try folder.openPlain()
            try store.fill(200)
            try store.checkpoint()
            let old = folder.file.folder.appending(path: "old.sqlite").path(percentEncoded: false)
            try FileManager.default.linkItem(atPath: folder.path, toPath: old)
            try #require(folder.files(containing: secret).contains("old.sqlite"))
            try store.encrypt(with: folder.keys())
            let bytes = try Data(contentsOf: URL(filePath: old))
            expect(bytes.count > 50_000, true)
            expect(bytes.allSatisfy { $0 == 0 }, true)
            try expect(store.numbers(), Array(0..<200))
        }

        @Test func `another process with a log is locked out, and without a log gets an error`() throws {
            let folder = try SealedFolder()
            let keys = try folder.keys()
            let store = try folder.openPlain()
            try store.fill(20)
            let reader = try SQLiteProcess(folder.path)
            try expect(reader.run("SELECT count(*) FROM note;"), "20")
            expect(errorCode { try store.encrypt(with: keys) }, .busy)
            try expect(reader.run("SELECT count(*) FROM note;"), "20")
            try reader.quit()
            store.close()
            // Without a log, an idle connection has no lock.
            let later = try folder.openPlain(journal: .rollback)
            try later.fill(1, from: 20)
            let idle = try SQLiteProcess(folder.path)
            try expect(idle.run("SELECT count(*) FROM note;"), "21")
            try later.encrypt(with: keys)
            #expect(try idle.run("INSERT INTO note (text) VALUES ('lost');").contains("rror"))
            #expect(try idle.run("SELECT count(*) FROM note;").contains("rror"))
            try expect(later.numbers(), Array(0..<21))
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

        private static let works: [(name: String, call: @Sendable (Store, Keyring) throws -> Void)] = [
            ("encrypt", { try $0.encrypt(with: $1) }), ("decrypt", { store, _ in try store.decrypt() }),
            ("changeFileKey", { store, _ in try store.changeFileKey() }),
        ]

        private static let settings = works.map(\.name).flatMap { work in
            [JournalMode.wal, .rollback].map { (work, $0) }
        }

        /// The fault sweep of the calls that replace or rewrite the file. `PO_FAULT_POINTS=all` tries all points.
        @Test(arguments: settings)
        func `a failure at any call of SQLite leaves all rows, and the call succeeds when it is repeated`(
            _ work: String, _ journal: JournalMode
        ) throws {
            let faulty = try FaultyFolder()
            let folder = SealedFolder(faulty.file)
            let keys = try folder.keys()
            let first = try folder.openPlain(journal: journal)
            try first.fill(60)
            if work != "encrypt" { try first.encrypt(with: keys) }
            first.close()
            let original = try Data(contentsOf: URL(filePath: folder.path))
            let call = try #require(ConversionTests.works.first { $0.name == work }?.call)
            func open() throws -> Store {
                folder.remove(["store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal"])
                try original.write(to: URL(filePath: folder.path))
                return try work == "encrypt"
                    ? folder.openPlain(journal: journal) : folder.open(keys, journal: journal)
            }
            let whole = try open()
            let calls = try faulty.calls { try call(whole, keys) }.calls
            whole.close()
            #expect(calls.count > 50)
            let limit = FaultPoint.triesAll ? nil : max(8, Scale.rounds(60))
            let points = FaultPoint.points(of: calls, atMost: limit, seed: 45)
            var failures = 0
            for point in points {
                let place: Comment = "\(point) of \(calls.count)"
                let store = try open()
                faulty.arm(point)
                let code = errorCode { try call(store, keys) }
                faulty.disarm()
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.file.folder.path())
                expect(names.filter { $0.contains("partial") }, [], place)
                if let code {
                    failures += 1
                    let isNoSpace = point.fault == .fullDisk && code == .diskFull
                    let isDefect = point.fault != .fullDisk && [.inputOutput, .cannotOpen, .busy].contains(code)
                    #expect(isNoSpace || isDefect, "\(place): \(code)")
                    expect(store.encryption.fileKey, work == "encrypt" ? nil : 1, place)
                    try expect(store.numbers(), Array(0..<60), place)
                    try call(store, keys)
                }
                expect(store.encryption.fileKey, work == "decrypt" ? nil : 1, place)
                store.close()
                try expect(numbers(folder, keys), Array(0..<60), place)
            }
            #expect(failures > 0)
            if FaultPoint.triesAll { print("\(work), \(journal): \(points.count) points of \(calls.count) calls") }
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
