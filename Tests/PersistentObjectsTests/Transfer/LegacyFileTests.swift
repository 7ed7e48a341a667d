import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Files in the format of SQLitePersistentObject from 2008, with its original table definitions.
struct LegacyFileTests {
    final class Company: PersistentObject {
        override class var tableName: String { "legacy_company" }
        var companyName = ""
        var home: URL?
    }

    class PersistablePerson: PersistentObject {
        override class var tableName: String { "legacy_person" }
        var lastName = ""
        var age: Int?
        var isActive = true
        var height = 0.0
        var balance = Decimal(0)
        var born: Date?
        var photo: Data?
        var token: UUID?
        var address: [String: String] = [:]
        var employer: Company?
        var mother: PersistablePerson?
        var nickNames: [String] = []
        var luckyNumbers: Set<Int> = []
        var scores: [String: Double] = [:]
        var friends: [PersistablePerson] = []
        var desks: [String: Company] = [:]
        var stamps: [Date] = []
        var added = 42
    }

    final class Employee: PersistablePerson { var salary = 0 }

    static func hex(_ data: Data) -> String { "x'\(data.map { String(format: "%02x", $0) }.joined())'" }

    static func archive(_ value: Any) throws -> String {
        hex(try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true))
    }

    private static func makeFile(_ path: String, _ more: String = "") throws {
        let address = try archive(["city": "Bonn", "zip": "53111"])
        func array(_ name: String) -> String {
            """
            CREATE TABLE IF NOT EXISTS \(name) (parent_pk, array_index INTEGER, fk INTEGER, fk_table_name TEXT,
            object_data TEXT, object_class BLOB, PRIMARY KEY (parent_pk, array_index));
            """
        }
        func dictionary(_ name: String) -> String {
            """
            CREATE TABLE IF NOT EXISTS \(name) (parent_pk integer, dictionary_key TEXT, fk INTEGER,
            fk_table_name TEXT, object_data BLOB, object_class TEXT, PRIMARY KEY (parent_pk, dictionary_key));
            """
        }
        _ = try SQLiteTool.run(
            path,
            """
            CREATE TABLE SQLITESEQUENCE (name TEXT PRIMARY KEY, seq INTEGER);
            INSERT INTO SQLITESEQUENCE VALUES ('persistable_person', 3);
            CREATE TABLE company (pk INTEGER PRIMARY KEY, company_name TEXT, home TEXT, fax TEXT);
            INSERT INTO company VALUES (1, 'Acme', 'http://acme.example', '123'), (5, 'Globex', NULL, NULL);
            CREATE TABLE persistable_person (pk INTEGER PRIMARY KEY, last_name TEXT, age INTEGER, is_active TEXT,
            height REAL, balance REAL, born REAL, photo BLOB, token TEXT, address BLOB, employer TEXT, mother TEXT);
            INSERT INTO persistable_person VALUES
            (1, 'Smith', '39', '1', 1.83, 12.5, '1989-11-09 18:53:00.2500', x'0001ff',
             '6BA7B810-9DAD-41D1-80B4-00C04FD430C8', \(address), 'Company-5', 'PersistablePerson-3'),
            (2, 'Jones', NULL, 'NO', '1.5', NULL, 0, NULL, NULL, NULL, NULL, 'Employee-1'),
            (3, NULL, 'old', NULL, NULL, NULL, 'yesterday', NULL, NULL, x'00', 'Shop-1', 'PersistablePerson-99');
            CREATE TABLE employee (pk INTEGER PRIMARY KEY, last_name TEXT, salary INTEGER, mother TEXT);
            INSERT INTO employee VALUES (1, 'Boss', '100', 'PersistablePerson-1');
            \(array("persistable_person_nick_names"))
            INSERT INTO persistable_person_nick_names VALUES (1, 1, NULL, NULL, 'Joey', 'NSCFString'),
            (1, 0, NULL, NULL, 'Joe', 'NSCFString'), (2, 0, 1, 'company', NULL, NULL);
            CREATE TABLE persistable_person_lucky_numbers (parent_pk INTEGER, fk INTEGER, fk_table_name TEXT,
            object_data BLOB, object_class TEXT);
            INSERT INTO persistable_person_lucky_numbers VALUES (1, NULL, NULL, '7', 'NSCFNumber'),
            (1, NULL, NULL, 9, 'NSCFNumber'), (1, NULL, NULL, 7, 'NSCFNumber');
            \(dictionary("persistable_person_scores"))
            INSERT INTO persistable_person_scores VALUES (1, 'a', NULL, NULL, '1.5', 'NSCFNumber');
            \(array("persistable_person_friends"))
            INSERT INTO persistable_person_friends VALUES (1, 0, 2, 'persistable_person', NULL, NULL),
            (1, 1, 1, 'employee', NULL, NULL), (1, 2, 1, 'persistable_person', NULL, NULL),
            (2, 0, 77, 'persistable_person', NULL, NULL), (2, 1, 1, 'persistable_person', NULL, NULL);
            \(dictionary("persistable_person_desks"))
            INSERT INTO persistable_person_desks VALUES (1, 'x', 1, 'company', NULL, NULL);
            \(array("persistable_person_stamps"))
            INSERT INTO persistable_person_stamps VALUES (1, 0, NULL, NULL, '2009-02-13 23:31:30.0000', 'NSDate');
            CREATE TABLE persistable_person_old_list (parent_pk INTEGER, array_index INTEGER);
            \(more)
            """)
    }

    private static func withFile(
        _ more: String = "", _ body: (Store, String) throws -> Void
    ) throws {
        try withTemporaryStore { store, file in
            let path = file.folder.appending(path: "legacy.sqlite3").path
            try makeFile(path, more)
            let before = try Data(contentsOf: URL(filePath: path))
            try body(store, path)
            try expect(Data(contentsOf: URL(filePath: path)), before)
        }
    }

    private static func mapping() throws -> ForeignMapping { ForeignMapping(timeZone: .gmt) }

    @Test func `columns and collections of all types are converted, and references refer to the same objects`() throws {
        try LegacyFileTests.withFile { store, path in
            try store.withSession { session in try session.save([Company(), PersistablePerson()]) }
            let report = try store.importSQLitePersistentObject(
                from: path, Company.self, PersistablePerson.self, Employee.self,
                mapping: try LegacyFileTests.mapping())
            expect(report.converted, ["Company": 2, "PersistablePerson": 3, "Employee": 1])
            try store.withSession { _ throws in
                let smith = try PersistablePerson.findOnlyBy.lastName("Smith")
                #expect(smith.id == 2 && smith.age == 39 && smith.isActive && smith.height == 1.83)
                #expect(smith.balance == Decimal(string: "12.5") && smith.photo == Data([0, 1, 255]))
                expect(smith.born, Date(timeIntervalSince1970: 626_640_780.25))
                expect(smith.token?.uuidString, "6BA7B810-9DAD-41D1-80B4-00C04FD430C8")
                expect(smith.address, ["city": "Bonn", "zip": "53111"])
                #expect(smith.employer?.companyName == "Globex" && smith.employer?.id == 6)
                #expect(
                    smith.nickNames == ["Joe", "Joey"] && smith.luckyNumbers == [7, 9] && smith.scores == ["a": 1.5])
                #expect(smith.stamps == [Date(timeIntervalSince1970: 1_234_567_890)] && smith.added == 42)
                #expect(smith.friends.map(\.lastName) == ["Jones", "Boss", "Smith"] && smith.friends[2] === smith)
                expect(smith.desks["x"]?.home?.absoluteString, "http://acme.example")
                let jones = try PersistablePerson.findOnlyBy.lastName("Jones")
                #expect(jones.age == nil && !jones.isActive && jones.height == 1.5 && jones.balance == 0)
                #expect(jones.born == Date(timeIntervalSince1970: 0) && jones.mother is Employee)
                let boss = try Employee.findOnlyBy.lastName("Boss")
                #expect(boss.salary == 100 && boss.mother === smith && boss.id == 5)
                #expect(smith.mother?.id == 4 && smith.mother?.lastName == "" && smith.mother?.isActive == true)
                expect(jones.friends, [smith])
            }
        }
    }

    @Test func `omitted values are reported with table, row, class, property and reason`() throws {
        try LegacyFileTests.withFile { store, path in
            var told: [String] = []
            let report = try store.importSQLitePersistentObject(
                from: path, Company.self, PersistablePerson.self, mapping: try LegacyFileTests.mapping()
            ) { told.append("\($0)") }
            #expect(report.skipped.isEmpty && report.leftOut.map { "\($0)" } == told)
            let expected = [
                "row 1: PersistablePerson.friends: The object refers to the class \"employee\", which is not imported",
                "row 2: PersistablePerson.mother: The object refers to the class \"Employee\", which is not imported",
                "row 2: PersistablePerson.nickNames: An element is an object, but the property holds values",
                "row 3: PersistablePerson.age: Expected a number, but the column holds TEXT",
                "row 3: PersistablePerson.born: Expected a date, but the column holds TEXT",
                "row 3: PersistablePerson.address: Expected an archive, but the column holds BLOB",
                "row 3: PersistablePerson.employer: The object refers to the class \"Shop\"",
                "PersistablePerson.mother #3: The object refers to PersistablePerson #99, which is neither in the "
                    + "file nor",
                "PersistablePerson.friends #2: The object refers to PersistablePerson #77",
            ]
            for words in expected { #expect(told.contains { $0.contains(words) }, "\(words) in \(told)") }
            #expect(told.count == expected.count, "\(told)")
            #expect(report.unusedColumns == ["company.fax", "employee", "persistable_person_old_list"])
            #expect(report.unfilledProperties == ["PersistablePerson.added"])
            #expect(report.description.contains("no property for company.fax"))
        }
    }

    @Test func `rows that violate constraints are skipped, and references to them are omitted`() throws {
        try LegacyFileTests.withFile(
            """
            CREATE TABLE badge (pk INTEGER PRIMARY KEY, number TEXT, other TEXT);
            INSERT INTO badge VALUES (1, 'a', NULL), (2, 'a', NULL), (3, 'b', 'Badge-2');
            """
        ) { store, path in
            let report = try store.importSQLitePersistentObject(from: path, Badge.self)
            expect(report.converted, ["Badge": 2])
            expect(report.skipped.map { "\($0)" }, ["table badge, row 2: Badge.number: \(report.skipped[0].message)"])
            #expect(report.skipped[0].message.contains("already taken"))
            expect(report.leftOut.map(\.property), ["other"])
            try store.withSession { _ throws in #expect(try Badge.findOnlyBy.number("b").other == nil) }
        }
    }

    final class Badge: PersistentObject {
        override class var tableName: String { "legacy_badge" }
        @Unique var number = ""
        var other: Badge?
    }

    @Test func `a mapping translates table and column names`() throws {
        try LegacyFileTests.withFile { store, path in
            let mapping = ForeignMapping(entities: ["Shop": "Company"], columns: ["Shop.title": "company_name"])
            let report = try store.importSQLitePersistentObject(from: path, Shop.self, mapping: mapping)
            #expect(report.count == 2 && report.unfilledProperties.isEmpty)
            try store.withSession { _ throws in #expect(try Shop.all().map(\.title) == ["Acme", "Globex"]) }
            let error = try #require(throws: TransferError.self) {
                try store.importSQLitePersistentObject(from: path, Shop.self)
            }
            #expect("\(error)".contains("Shop: The file has no table \"Shop\" for the class"))
        }
    }

    final class Shop: PersistentObject {
        override class var tableName: String { "legacy_shop" }
        var title = ""
    }

    @Test func `an invalid file throws, and a cancelled import leaves no rows`() throws {
        try LegacyFileTests.withFile { store, path in
            let folder = URL(filePath: path).deletingLastPathComponent()
            let text = folder.appending(path: "text")
            try Data(String(repeating: "no database ", count: 50).utf8).write(to: text)
            let empty = folder.appending(path: "empty")
            try Data().write(to: empty)
            for other in [text.path, empty.path, folder.appending(path: "none").path, folder.path, ""] {
                #expect(throws: StoreError.self) {
                    try store.importSQLitePersistentObject(from: other, Company.self)
                }
            }
            #expect(throws: TransferError.self) { try store.importSQLitePersistentObject(from: path) }
            let progress = Progress(totalUnitCount: 1)
            progress.cancel()
            #expect(throws: CancellationError.self) {
                try store.importSQLitePersistentObject(from: path, Company.self, progress: progress)
            }
            #expect(try store.withSession { _ in try Company.count() } == 0)
            let whole = Progress(totalUnitCount: 1)
            try store.importSQLitePersistentObject(from: path, Company.self, progress: whole)
            #expect(whole.totalUnitCount == 2 && whole.fractionCompleted == 1)
        }
    }

    @Test func `rows in the other program's WAL file are read`() throws {
        try withTemporaryStore { store, file in
            let path = file.folder.appending(path: "legacy.sqlite3").path
            try LegacyFileTests.makeFile(path)
            _ = try SQLiteTool.run(path, "PRAGMA journal_mode = WAL")
            // If there is no WAL file, the import creates no files either.
            try expect(store.importSQLitePersistentObject(from: path, Company.self).count, 2)
            let names = try FileManager.default.contentsOfDirectory(atPath: file.folder.path)
            expect(names.filter { $0.hasPrefix("legacy") }, ["legacy.sqlite3"])
            let other = try SQLiteProcess(path)
            try other.run("PRAGMA wal_autocheckpoint = 0; INSERT INTO company VALUES (9, 'Late', NULL, NULL);")
            try expect(store.importSQLitePersistentObject(from: path, Company.self).count, 3)
            try other.quit()
        }
    }
}
