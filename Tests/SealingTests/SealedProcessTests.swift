#if Encryption && (!canImport(Darwin) || os(macOS))
    import CFaultVFS
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Other processes: with the keys, killed while they write, and without the keys.
    @Suite(.ownProcesses) struct SealedProcessTests {
        private let folder: SealedFolder

        init() throws { folder = try SealedFolder() }

        private static func open(_ path: String, _ keys: String, _ journal: String) throws -> Store {
            try Store(
                path,
                configuration: .init(
                    lostEdits: .ignore, onNote: { _ in }, journal: JournalMode(rawValue: journal) ?? .wal,
                    encryption: .file(Keyring.file(keys))))
        }

        @Test(arguments: [JournalMode.wal, .rollback])
        func `two processes write one file, also with a key that one of them adds`(_ journal: JournalMode) async throws
        {
            let store = try folder.open(journal: journal)
            try store.fill(20)
            await #expect(processExitsWith: .success) {
                [path = folder.path as String, keys = folder.keysPath as String, journal = journal.rawValue as String]
                in
                let store = try SealedProcessTests.open(path, keys, journal)
                try #require(store.numbers().count == 20)
                try store.fill(20, from: 20)
                try Keyring.file(keys).addKey()
                store.close()
                let again = try SealedProcessTests.open(path, keys, journal)
                try again.fill(20, from: 40)
                again.close()
            }
            try expect(store.numbers(), Array(0..<60))
            try store.fill(20, from: 60)
            try expect(store.numbers(), Array(0..<80))
            expect(store.encryption.fileKey, 2)
        }

        /// Saves groups of three notes, and reports each save, until the process is killed at a call of SQLite.
        private static func saveUntilKilled(
            _ path: String, _ keys: String, _ journal: String, _ folder: String, at number: Int
        ) throws {
            let watch = po_watch_folder(folder)
            let store = try SealedProcessTests.open(path, keys, journal)
            try store.withSession { session in
                _ = try Note.count()
                po_arm(watch, PO_CHANGES.rawValue, number, number % 3 == 0 ? PO_TEAR : PO_KILL, false)
                var round = 0
                while true {
                    try session.save(makeNotes(3, from: round * 3))
                    round += 1
                    try Data("\(round)".utf8).write(to: URL(filePath: path + ".saved"))
                }
            }
        }

        private func killed(_ journal: JournalMode, at number: Int) async throws {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = folder.path as String, keys = folder.keysPath as String,
                    journal = journal.rawValue as String, number = number as Int,
                    folder = folder.file.folder.path(percentEncoded: false) as String
                ] in
                try SealedProcessTests.saveUntilKilled(path, keys, journal, folder, at: number)
            }
        }

        private func saved() -> Int {
            (try? String(contentsOf: URL(filePath: folder.path + ".saved"), encoding: .utf8)).flatMap { Int($0) } ?? 0
        }

        @Test(arguments: [JournalMode.wal, .rollback])
        func `a killed process loses no save, and a plain SQLite damages nothing that it left`(
            _ journal: JournalMode
        ) async throws {
            var generator = SeededGenerator(seed: 7)
            for round in 0..<Scale.rounds(10) {
                folder.remove(
                    ["", "-wal", "-shm", "-journal", ".saved"].map { "store.sqlite\($0)" })
                let store = try folder.open(journal: journal)
                try store.prepare(Note.self)
                store.close()
                // Past the end of a commit's first writes, so that a journal or a log is left.
                try await killed(journal, at: Int.random(in: 3...120, using: &generator) + round)
                try expect(folder.files(containing: secret), [])
                // The tool sees a file that it cannot read. It may restore the journal, as any SQLite would.
                for sql in ["SELECT count(*) FROM note", "DELETE FROM note", "VACUUM", "PRAGMA journal_mode = DELETE"] {
                    #expect(throws: SQLiteTool.Failure.self) { _ = try SQLiteTool.run(folder.path, sql) }
                }
                let again = try folder.open(journal: journal)
                let numbers = try again.numbers()
                #expect(numbers.count % 3 == 0 && numbers.count >= saved() * 3, "\(numbers.count), \(saved())")
                try expect(again.checkIntegrity().isSound, true)
                again.close()
            }
        }

        @Test func `a plain SQLite reports a file that it cannot read, while the store is open`() throws {
            let store = try folder.open()
            try store.fill(20)
            let error = #expect(throws: SQLiteTool.Failure.self) {
                () throws in _ = try SQLiteTool.run(folder.path, "SELECT count(*) FROM note")
            }
            let text = error?.description ?? ""
            #expect(["not a database", "unsupported", "unable to open"].contains { text.contains($0) }, "\(text)")
            try expect(store.numbers().count, 20)
        }
    }
#endif
