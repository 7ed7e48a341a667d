#if Encryption
    import CSealedFile
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects
    @testable import StoreEngine

    @Suite struct SealedStoreTests {
        private let folder: SealedFolder

        init() throws { folder = try SealedFolder() }

        @Test(arguments: [JournalMode.wal, .rollback], [nil, 4096, 65536])
        func `saves, queries, undo and rollbacks work, and no file contains plain text`(
            journal: JournalMode, pageSize: Int?
        ) throws {
            let store = try folder.open(journal: journal, pageSize: pageSize)
            try store.fill(300)
            try store.withSession { session throws in
                // More than the cache, so that pages are written before the commit, and read again.
                try session.transaction {
                    for note in try Note.all() {
                        note.number += 1000
                        try note.save()
                    }
                    try expect(folder.files(containing: secret), [])
                }
                expect(try Note.findByNumber(1005).map { ($0 as Note).text }, ["\(secret) 5"])
                struct Undone: Error {}
                #expect(throws: Undone.self) {
                    try session.transaction {
                        _ = try Note.where { $0.number >= 0 }.delete()
                        throw Undone()
                    }
                }
                expect(try Note.count(), 300)
            }
            try expect(folder.files(containing: secret), [])
            store.close()
            try expect(folder.files(containing: secret), [])
            let again = try folder.open(journal: journal)
            expect(again.encryption.fileKey, 1)
            expect(try again.withSession { _ in try Note.count() }, 300)
            try expect(again.checkIntegrity().problems.count, 0)
        }

        @Test func `two stores and many threads use one file`() async throws {
            let keys = try folder.keys()
            let stores = try (0..<2).map { _ in try folder.open(keys) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        for round in 0..<5 { try stores[worker % 2].fill(20, from: worker * 1000 + round * 20) }
                    }
                }
                try await group.waitForAll()
            }
            try expect(stores[0].numbers().count, 400)
            try expect(stores[1].numbers().count, 400)
        }

        // The first prototype sealed pages of the log under wrong numbers: half of the rows deleted, 3 MB inserted.
        @Test(arguments: [JournalMode.wal, .rollback])
        func `half of the rows deleted, a large value inserted, and a vacuum leave the file sound`(
            journal: JournalMode
        ) throws {
            let connection = try folder.connection(journal: journal, cacheSize: 100_000)
            try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB) STRICT")
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
                INSERT INTO t SELECT i, randomblob(3000) FROM n
                """)
            try connection.begin()
            try connection.execute("DELETE FROM t WHERE id % 2")
            try connection.execute("INSERT INTO t VALUES (9999, zeroblob(3000000))")
            try connection.commit()
            try expect(connection.value("PRAGMA integrity_check"), .text("ok"))
            try connection.upkeep().vacuum(.none)
            try expect(connection.value("PRAGMA integrity_check"), .text("ok"))
            try expect(connection.value("SELECT count(*) FROM t"), .integer(1001))
            let other = try folder.connection(journal: journal)
            try expect(other.value("PRAGMA integrity_check"), .text("ok"))
            try expect(other.value("SELECT sum(length(b)) FROM t"), .integer(6_000_000))
        }

        // At the commit of such a transaction, SQLite computes the checksums of its frames again, from the header's on if
        // the transaction begins the log. It writes the headers of the frames alone.
        @Test(arguments: [true, false])
        func `a transaction that changes pages again survives the end of the process`(beginsLog: Bool) throws {
            let paths = ["", "-wal"].map { folder.path + $0 }
            let files = try {
                let connection = try folder.connection(cacheSize: 30_000)
                try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, b BLOB) STRICT")
                try connection.execute(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
                    INSERT INTO t SELECT i, 0, randomblob(100) FROM n
                    """)
                _ = try connection.value("PRAGMA wal_checkpoint(RESTART)")
                if !beginsLog { try connection.execute("INSERT INTO t VALUES (2001, 0, x'00')") }
                try connection.begin()
                for _ in 0..<3 { try connection.execute("UPDATE t SET n = n + 1") }
                try connection.commit()
                return try paths.map { try Data(contentsOf: URL(filePath: $0)) }
            }()
            // What is there after the process has ended.
            folder.remove(["store.sqlite-wal", "store.sqlite-shm"])
            for (path, file) in zip(paths, files) { try file.write(to: URL(filePath: path)) }
            let connection = try folder.connection()
            try expect(connection.value("SELECT sum(n) FROM t"), .integer(beginsLog ? 6000 : 6003))
            try expect(connection.value("PRAGMA integrity_check"), .text("ok"))
        }

        @Test func `VACUUM INTO makes an encrypted copy with its own file id`() throws {
            let store = try folder.open()
            try store.fill(200)
            let path = folder.path + "-copy"
            let connection = try folder.connection()
            try connection.copy(to: path, in: Store.Encryption.file(folder.keys()).form)
            try expect(folder.files(containing: secret), [])
            try expect(folder.open(path: path).numbers(), Array(0..<200))
            let ids = try [folder.path, path].map { path in
                try Data(contentsOf: URL(filePath: path))[4084..<4096]
            }
            #expect(ids[0] != ids[1])
        }

        @Test(arguments: [JournalMode.wal, .rollback])
        func `a statement that fails in the middle, and a savepoint, are rolled back`(journal: JournalMode) throws {
            let connection = try folder.connection(journal: journal)
            try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER UNIQUE, b TEXT) STRICT")
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) \
                INSERT INTO t SELECT i, i, 'secretStatement' || printf('%500d', i) FROM n
                """)
            try connection.begin()
            try connection.execute("UPDATE t SET b = 'secretStatement' WHERE id = 1")
            // Row 2,900 fails after thousands of rows were changed, whose old pages are in the statement journal.
            #expect(throws: StoreError.self) {
                () throws in
                try connection.execute("UPDATE t SET n = CASE WHEN id = 2900 THEN 2901 ELSE n END, b = b || 'x'")
            }
            try connection.setSavepoint()
            try connection.execute("UPDATE t SET b = 'y'")
            try expect(plainTemporaryFiles("secretStatement"), 0)
            connection.rollBackToSavepoint()
            try expect(connection.value("SELECT count(*) FROM t WHERE b LIKE '%x' OR b = 'y'"), .integer(0))
            try connection.commit()
            try expect(connection.value("PRAGMA integrity_check"), .text("ok"))
            try expect(connection.value("SELECT b FROM t WHERE id = 1"), .text("secretStatement"))
            try expect(folder.files(containing: "secretStatement"), [])
        }

        @Test func `a sort beyond the cache is right, and its temporary files are encrypted`() throws {
            let connection = try folder.connection()
            try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT) STRICT")
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) \
                INSERT INTO t SELECT i, printf('%05d', i * 7919 % 20000) || 'secretSort' || printf('%300d', i) FROM n
                """)
            let statement = try connection.prepare("SELECT b FROM t ORDER BY b")
            var (count, last) = (0, "")
            while try statement.step() {
                let text = try statement.text(0)
                #expect(last <= text)
                last = text
                count += 1
                if count == 1 {
                    #if os(Linux)
                        try #expect(temporaryFiles() > 0)
                    #endif
                    try expect(plainTemporaryFiles("secretSort"), 0)
                }
            }
            statement.finish()
            expect(count, 20000)
            try connection.execute("CREATE TEMP TABLE u AS SELECT b FROM t WHERE id <= 2000")
            try expect(plainTemporaryFiles("secretSort"), 0)
            try expect(connection.value("SELECT count(DISTINCT b) FROM u"), .integer(2000))
        }

        /// The contents of SQLite's temporary files, which have no names while they are open.
        private func temporaryContents() throws -> [Data] {
            #if os(Linux)
                let folder = "/proc/self/fd"
                return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
                    guard target?.contains("etilqs_") == true else { return nil }
                    return try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
                }
            #else
                return []
            #endif
        }

        private func temporaryFiles() throws -> Int { try temporaryContents().count }

        private func plainTemporaryFiles(_ text: String) throws -> Int {
            try temporaryContents().count { $0.range(of: Data(text.utf8)) != nil }
        }

        @Test func `auto-vacuum and a released page count work`() throws {
            let store = try Store(
                folder.path,
                configuration: .init(onNote: { _ in }, autoVacuum: .incremental, encryption: .file(folder.keys())))
            try store.fill(500)
            try store.withSession { _ throws in _ = try Note.where { $0.number >= 0 }.delete() }
            try #expect(store.releaseFreePages() > 0)
            try store.fill(50)
            try expect(store.checkIntegrity().problems.count, 0)
            try expect(store.numbers().count, 50)
        }

        @Test func `another database cannot be attached, and a store in memory cannot be encrypted`() throws {
            let store = try folder.open()
            #expect(throws: StoreError.self) {
                try store.withSession { session throws in try session.execute("ATTACH 'other.sqlite' AS other") }
            }
            let keys = try folder.keys()
            expect(errorCode { _ = try Store.inMemory(configuration: .init(encryption: .file(keys))) }, .misuse)
            expect(errorCode { try Store.inMemory().encrypt(with: keys) }, .misuse)
            expect(errorCode { _ = try folder.open(pageSize: 1024, path: folder.path + "2") }, .misuse)
        }

        @Test func `a server refuses the encryption of files by name`() throws {
            let keys = try folder.keys()
            let error = #expect(throws: StoreError.self) {
                () throws in
                _ = try Store(
                    "postgres://nobody@localhost:1/nothing?connect_timeout=1",
                    configuration: .init(encryption: .file(keys)))
            }
            expect(error?.code, .unsupported)
            #if PostgreSQL
                expect(error?.message.contains("cannot encrypt files"), true)
            #endif
        }
    }
#endif
