import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Values in files of other programs that no object accepts are reported with their places, and the rest is
/// converted.
struct ForeignRefusalTests {
    final class Office: PersistentObject {
        override class var tableName: String { "refused_office" }
        var name = ""
    }

    class Clerk: PersistentObject {
        override class var tableName: String { "refused_clerk" }
        var name = ""
        var isActive = true
        var office: Office?
        var mate: Clerk?
        var friends: [Clerk] = []
    }

    final class Chief: Clerk { var bonus = 0 }

    private static func withLegacyFile(_ body: (Store, String) throws -> Void) throws {
        try withTemporaryStore { store, file in
            let path = file.folder.appending(path: "old.sqlite3").path
            _ = try SQLiteTool.run(
                path,
                """
                CREATE TABLE office (pk INTEGER PRIMARY KEY, name TEXT);
                INSERT INTO office VALUES (1, 'Bonn');
                CREATE TABLE clerk (pk, name TEXT, is_active TEXT, office, mate);
                INSERT INTO clerk VALUES (1, 'Ann', 'maybe', 7, 'nobody'), ('x', 'Bob', '1', NULL, NULL);
                CREATE TABLE clerk_friends (parent_pk, array_index INTEGER, fk INTEGER, fk_table_name TEXT, object_data);
                INSERT INTO clerk_friends VALUES (1, 0, 1, 'office', NULL);
                CREATE TABLE chief (pk INTEGER PRIMARY KEY, name TEXT);
                INSERT INTO chief VALUES (1, 'Cid'), (9223372036854775807, 'Eve');
                """)
            try body(store, path)
        }
    }

    @Test func `invalid values, references and ids are reported with table, row, class and property`() throws {
        try ForeignRefusalTests.withLegacyFile { store, path in
            let report = try store.importSQLitePersistentObject(from: path, Office.self, Clerk.self, Chief.self)
            expect(
                report.leftOut.map { "\($0)" },
                [
                    "table clerk, row 1: Clerk.isActive: Expected a Boolean, but the column holds TEXT",
                    "table clerk, row 1: Clerk.office: Expected a string such as Company-7 for a reference, but "
                        + "the column holds INTEGER",
                    "table clerk, row 1: Clerk.mate: Expected a string such as Company-7 for a reference: \"nobody\"",
                    "table clerk, row 1: Clerk.friends: The value refers to Office, but the property refers to Clerk",
                ])
            expect(
                report.skipped.map { "\($0)" },
                [
                    "table clerk: The row's id is not an integer",
                    "table chief, row 9223372036854775807: The id 9223372036854775807 is too large to be offset "
                        + "by the largest existing id",
                ])
            expect(report.converted, ["Office": 1, "Clerk": 1, "Chief": 1])
            try store.withSession { _ throws in try expect(Clerk.all().map(\.name), ["Ann", "Cid"]) }
        }
    }

    @Test func `an import after the largest id skips rows without a free id and continues`() throws {
        try ForeignRefusalTests.withLegacyFile { store, path in
            // The clerks' ids would start after the last id of the chiefs.
            let report = try store.importSQLitePersistentObject(from: path, Chief.self, Clerk.self)
            expect(report.converted, ["Chief": 1])
            expect(report.skipped.count, 3)
            #expect("\(report.skipped[0])".contains("An id must be at most Int64.max - 1"))
            #expect("\(report.skipped[1])".contains("The id 1 is too large to be offset"))
        }
    }

    @Test func `an id that would exceed the largest id is skipped, and the rest is converted`() throws {
        try ForeignRefusalTests.withLegacyFile { store, path in
            try store.withSession { session in try session.save([Clerk(), Clerk()]) }
            let report = try store.importSQLitePersistentObject(from: path, Chief.self)
            expect(report.converted, ["Chief": 1])
            expect(
                report.skipped.map { "\($0)" },
                [
                    "table chief, row 9223372036854775807: Chief: The id 9223372036854775807 is too large to be "
                        + "offset by the largest existing id"
                ])
        }
    }

    @Test func `an invalid Core Data reference is reported with row, class and property`() throws {
        try withTemporaryStore { store, file in
            let path = file.folder.appending(path: "Model.sqlite").path
            try CoreDataFileTests.makeFile(path)
            _ = try SQLiteTool.run(path, "UPDATE ZANIMAL SET ZOWNER = 'Joe' WHERE Z_PK = 1")
            let report = try store.importCoreData(
                from: path, CoreDataFileTests.Animal.self, CoreDataFileTests.Owner.self, CoreDataFileTests.Tag.self)
            #expect(
                report.leftOut.contains {
                    "\($0)".contains(
                        "ZANIMAL, row 1: Animal.owner: Expected a number for a reference, but the column holds TEXT")
                }, "\(report)")
        }
    }

    @Test(.onSQLite("the trigger of the test is SQLite's"))
    func `a trigger that keeps a dangling reference from being removed ends the conversion`() throws {
        try withTemporaryStore { store, file in
            let path = file.folder.appending(path: "Model.sqlite").path
            try CoreDataFileTests.makeFile(path)
            try store.prepare(CoreDataFileTests.Animal.self)
            try store.withSession { session throws in
                _ = try session.execute(
                    """
                    CREATE TRIGGER keep BEFORE UPDATE OF owner_id ON core_animal WHEN new.owner_id IS NULL
                    BEGIN SELECT RAISE(ABORT, 'owners stay'); END
                    """)
            }
            let error = try #require(throws: TransferError.self) {
                try store.importCoreData(
                    from: path, CoreDataFileTests.Animal.self, CoreDataFileTests.Owner.self,
                    CoreDataFileTests.Tag.self)
            }
            #expect(error.className == "Animal" && error.property == "owner" && error.rowID == 4, "\(error)")
            #expect(error.message.contains("owners stay") && error.underlying is StoreError)
            #expect(try store.withSession { _ in try CoreDataFileTests.Owner.count() } == 0)
        }
    }

    /// The place in the file at which a page is overwritten.
    @Test(arguments: [(page: 1, place: 100), (page: 2, place: 0)])
    func `a file with damaged pages throws corrupt, and nothing is converted`(
        _ page: Int, _ place: Int
    ) throws {
        try ForeignRefusalTests.withLegacyFile { store, path in
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let start = (page - 1) * 4096 + place
            bytes.replaceSubrange(start..<start + 64, with: [UInt8](repeating: 0xFF, count: 64))
            try Data(bytes).write(to: URL(filePath: path))
            let error = try #require(throws: StoreError.self) {
                try store.importSQLitePersistentObject(from: path, Office.self)
            }
            #expect(error.code == .corrupt && error.sql != nil, "\(error)")
            #expect(try store.withSession { _ in try Office.count() } == 0)
        }
    }
}
