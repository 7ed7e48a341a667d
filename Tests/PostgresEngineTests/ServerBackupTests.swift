#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects
    @testable import PersistentTransfer

    /// Backups of stores on servers are store files.
    @Suite(.onSQLite("the store is on a server, and its backup is a file")) struct ServerBackupTests {
        private struct Stop: Error {}

        private func withServer(_ body: (Store, PostgresDatabase, TemporaryStore) throws -> Void) throws {
            let database = try PostgresDatabase()
            let server = try Store(.postgres(database.address()))
            defer { server.close() }
            try body(server, database, TemporaryStore())
        }

        private func problem(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return "none"
        }

        private func files(_ place: TemporaryStore) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted()
        }

        @Test func `the file has the store's objects, subclasses and history, and no log`() throws {
            try withServer { server, database, place in
                try server.withSession { session in
                    try CopiedShop.fill(session, 21)
                    let diary = CopiedDiary()
                    diary.title = "first"
                    try diary.save()
                    diary.title = "second"
                    try diary.save()
                }
                // A program that has not used the classes finds them by their names.
                let other = try Store(.postgres(database.address()))
                var fractions: [Double] = []
                let count = try other.backupClasses(to: place.path) { fractions.append($0.fractionCompleted) }
                other.close()
                #expect(count > 100 && fractions.count > 10 && fractions == fractions.sorted())
                expect(try files(place), [URL(filePath: place.path).lastPathComponent])
                let copy = try Store(place.path)
                defer { copy.close() }
                try expect(CopiedShop.contents(copy), CopiedShop.contents(server))
                try copy.withSession { _ in
                    expect(try CopiedDiary.query.single().title, "second")
                    expect(try HistoryEntry.count(), 2)
                }
            }
        }

        @Test func `an existing file is replaced only on request, and only by a complete copy`() throws {
            try withServer { server, _, place in
                try server.withSession { _ in try CopiedVisit().save() }
                try server.backupClasses(to: place.path, leaving: [])
                let taken = problem { try server.backupClasses(to: place.path) }
                #expect(taken.contains("already exists. Choose another path, or pass replacing: true"), "\(taken)")
                try server.withSession { _ in try CopiedVisit().save() }
                let stopped = problem {
                    try server.backupClasses(to: place.path, replacing: true) { _ in throw Stop() }
                }
                expect(stopped, "Stop()")
                expect(try files(place).count, 1)
                let count = { try place.open().withSession { _ in try CopiedVisit.count() } }
                expect(try count(), 1)
                expect(try server.backupClasses(to: place.path, replacing: true), 2)
                expect(try count(), 2)
            }
        }

        @Test func `a recorded class that the program does not have is named`() throws {
            try withServer { server, database, place in
                try server.withSession { _ in try CopiedVisit().save() }
                _ = try database.psql(
                    """
                    CREATE TABLE vanished (id bigint PRIMARY KEY);
                    INSERT INTO po_class (name, table_name, identity, hash) VALUES ('VanishedVisit', 'vanished', 'integer', '')
                    """)
                expect(
                    problem { try server.backupClasses(to: place.path) },
                    "VanishedVisit: The store contains this class, and the program has no class or several classes with this "
                        + "name. Add the class, or prepare it if it was renamed, or pass leaving: [\"VanishedVisit\"]")
                expect(try files(place), [])
                expect(try server.backupClasses(to: place.path, leaving: ["VanishedVisit"]), 1)
            }
        }

        @Test func `a backup of pages is refused with the calls that replace it`() throws {
            try withServer { server, _, place in
                expect(
                    problem { try server.backup(to: place.path) },
                    "A backup copies the pages of a file, and this store is on a server. Call "
                        + "backupClasses(to:) of PersistentTransfer to copy its objects to a store file, or use "
                        + "pg_dump")
                expect(
                    problem { try server.backupClasses(to: place.path) },
                    "The store contains no class. Nothing was copied")
            }
        }

        @Test func `a file is copied in the same way`() throws {
            try withTemporaryStore { file, _ in
                try file.withSession { try CopiedShop.fill($0, 23) }
                let place = try TemporaryStore()
                try file.backupClasses(to: place.path)
                try expect(CopiedShop.contents(place.open()), CopiedShop.contents(file))
            }
        }
    }
#endif
